/** Exporting and deleting an account. */

import type { VNode } from 'preact';
import { closedDays } from '../../accounts/people/account.ts';
import { emailKey } from '../../accounts/people/email.ts';
import { onlyAdminText } from '../../accounts/people/role.ts';
import { deleteAccount } from '../../accounts/sign-in/sign-in.work.ts';
import { formatDay } from '../../kernel/time.ts';
import { exportAccount } from '../../portfolio/export/export-account.work.ts';
import { sendRecorded } from '../audit.ts';
import { SubmitOrCancel } from '../kit/buttons.tsx';
import { Card } from '../kit/card.tsx';
import { Field, Notice, PostForm } from '../kit/fields.tsx';
import { formPage } from '../kit/form-page.tsx';
import { Layout } from '../kit/layout.tsx';
import type { OwnRequest, PageAnswer, WebDeps } from '../page.ts';
import { routes } from '../page-table.ts';
import { ownerForm, refusedOwner } from './owner-password.tsx';
import { expiredCookies } from './sign-in.tsx';

export const leaveRoutes = routes('own', {
  '/account/export': {
    get: async (deps, request) => {
      const { who, at } = request;
      const data = { accounts: deps.accounts, market: deps.portfolio.market };
      return sendRecorded(deps, request, {
        done: { action: 'account.exported' },
        send: () => ({
          file: exportAccount(data, who, at),
          name: `brickmark-account-${formatDay(at)}.json`,
          type: 'application/json; charset=utf-8',
        }),
      });
    },
  },
  '/account/delete': formPage({
    show: showDelete,
    read: ({ sent: { form, who }, fields }) => {
      const isSame = emailKey(form.text('email')) === emailKey(who.email);
      fields.check('email', isSame ? null : 'This is not the email of your account.');
      return form.secret('password');
    },
    save: async ({ deps, sent }, password) => {
      const { who, at } = sent;
      const outcome = await deleteAccount(deps, who, { password, at });
      if (outcome === 'gone') return { goTo: '/?gone=1', cookies: expiredCookies(sent) };
      if (outcome === 'only admin') return { refused: onlyAdminText, status: 409 };
      return refusedOwner(outcome);
    },
  }),
});

const deletionText =
  'Your API keys stop working at once, and you are signed out everywhere. ' +
  `After ${closedDays} days, your collections, sales and alerts are erased; until then, the ` +
  'operator of this site can restore them.';

async function showDelete(deps: WebDeps, request: OwnRequest): Promise<PageAnswer> {
  const path = '/account/delete';
  const form = (password: VNode | null) => (
    <PostForm action={path}>
      <Field
        name="email"
        label="Email"
        type="email"
        hint={`Type ${request.who.email} to confirm.`}
      />
      {password}
      <SubmitOrCancel look="danger" cancel="/account">
        Delete account
      </SubmitOrCancel>
    </PostForm>
  );
  return (
    <Layout title="Delete your account?" request={request} scripts={['passkey.js']} isNarrow>
      <Notice kind="warn">
        {deletionText} <a href="/account/export">Export your data</a> first if you may need it.
      </Notice>
      <Card>{await ownerForm(deps, request, { path, form })}</Card>
    </Layout>
  );
}
