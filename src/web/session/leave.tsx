/** Exporting and deleting an account. */

import type { ComponentChildren } from 'preact';
import { exportAccount } from '../../accounts/export-account.ts';
import { deleteAccount } from '../../accounts/sign-in.ts';
import { closedDays } from '../../domain/account/account.ts';
import { emailKey } from '../../domain/account/email.ts';
import { onlyAdminText } from '../../domain/account/role.ts';
import { formatDay } from '../../domain/kernel/time.ts';
import { sendRecorded } from '../audit.ts';
import { Field, Notice } from '../kit/fields.tsx';
import { FormPage, formPage } from '../kit/form-page.tsx';
import type { OwnRequest } from '../page.ts';
import { ownPages } from '../page-table.ts';
import { ownerPassword } from './owner-password.tsx';
import { expiredCookies, triedTooOften } from './sign-in.tsx';

export const leaveRoutes = ownPages({
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
    show: async (deps, request: OwnRequest) => (
      <DeletePage request={request}>{await ownerPassword(deps, request)}</DeletePage>
    ),
    read: ({ sent: { form, who }, fields }) => {
      const isSame = emailKey(form.text('email')) === emailKey(who.email);
      fields.check('email', isSame ? null : 'This is not the email of your account.');
      return form.secret('password');
    },
    save: async ({ deps, sent }, password) => {
      const { who, at } = sent;
      const outcome = await deleteAccount(deps, who, { password, at });
      if (outcome === 'gone') return { goTo: '/?gone=1', cookies: expiredCookies(deps, sent) };
      if (outcome === 'only admin') return { refused: onlyAdminText, status: 409 };
      return outcome === 'wrong'
        ? { refused: 'Incorrect password.', field: 'password' }
        : { refused: triedTooOften, field: 'password', status: 429 };
    },
  }),
});

const deletionText =
  'Your API keys stop working at once, and you are signed out everywhere. ' +
  `After ${closedDays} days, your collections, sales and alerts are erased; until then, the ` +
  'operator of this site can restore them.';

/** The child is the field of the password. */
function DeletePage(props: { readonly request: OwnRequest; readonly children: ComponentChildren }) {
  const { request, children } = props;
  return (
    <FormPage
      request={request}
      title="Delete your account?"
      above={
        <Notice kind="warn">
          {deletionText} <a href="/account/export">Export your data</a> first if you may need it.
        </Notice>
      }
      button="Delete account"
      look="danger"
      cancel="/account"
    >
      <Field
        name="email"
        label="Email"
        type="email"
        hint={`Type ${request.who.email} to confirm.`}
      />
      {children}
    </FormPage>
  );
}
