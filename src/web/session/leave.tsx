/** Exporting and deleting an account. */

import { exportAccount } from '../../accounts/export-account.ts';
import { deleteAccount } from '../../accounts/sign-in.ts';
import { emailKey } from '../../domain/account/email.ts';
import { formatDay } from '../../domain/kernel/time.ts';
import type { WebDeps } from '../deps.ts';
import { SubmitOrCancel } from '../kit/buttons.tsx';
import { Card } from '../kit/card.tsx';
import { Field, Notice, PostForm, type Typed, untyped } from '../kit/fields.tsx';
import { Layout } from '../kit/layout.tsx';
import { TypedFields } from '../kit/typed-fields.ts';
import type { OwnRequest, OwnSentRequest, PageAnswer } from '../page.ts';
import { ownPages } from '../page-table.ts';
import { PasswordField } from './password-field.tsx';
import { expiredCookies, triedTooOften } from './sign-in.tsx';

export const leaveRoutes = ownPages({
  '/account/export': {
    get: async (deps, { who, at }) => ({
      file: exportAccount({ accounts: deps.accounts, market: deps.portfolio.market }, who, at),
      name: `brickmark-account-${formatDay(at)}.json`,
      type: 'application/json; charset=utf-8',
    }),
  },
  '/account/delete': {
    get: (_, request) => ({ page: <DeletePage request={request} /> }),
    post: postDelete,
  },
});

async function postDelete(deps: WebDeps, sent: OwnSentRequest): Promise<PageAnswer> {
  const { form, who, at } = sent;
  const fields = new TypedFields(form, at);
  const refuse = (status = 400): PageAnswer => ({
    page: <DeletePage request={sent} typed={fields.typed} />,
    status,
  });
  if (emailKey(form.text('email')) !== emailKey(who.email)) {
    fields.fail('email', 'This is not the email of your account.');
    return refuse();
  }
  const outcome = await deleteAccount(deps, who, { password: form.secret('password'), at });
  if (outcome === 'gone') return { goTo: '/?gone=1', cookies: expiredCookies(deps) };
  fields.fail('password', outcome === 'wrong' ? 'Incorrect password.' : triedTooOften);
  return refuse(outcome === 'wrong' ? 400 : 429);
}

function DeletePage(props: { readonly request: OwnRequest; readonly typed?: Typed }) {
  const { request, typed = untyped } = props;
  return (
    <Layout title="Delete your account?" request={request} isNarrow>
      <Notice kind="warn">
        This permanently deletes your collections, sales, alerts and API keys.{' '}
        <a href="/account/export">Export your data</a> first if you may need it.
      </Notice>
      <Card>
        <PostForm request={request} action="/account/delete" typed={typed}>
          <Field
            name="email"
            label="Email"
            type="email"
            hint={`Type ${request.who.email} to confirm.`}
          />
          <PasswordField label="Password" />
          <SubmitOrCancel look="danger" cancel="/account">
            Delete account
          </SubmitOrCancel>
        </PostForm>
      </Card>
    </Layout>
  );
}
