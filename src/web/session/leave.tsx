/** Taking everything along, and leaving. */

import { exportAccount } from '../../accounts/export-account.ts';
import { deleteAccount } from '../../accounts/sign-in.ts';
import { emailKey } from '../../domain/account/email.ts';
import { formatDay } from '../../domain/kernel/time.ts';
import type { WebDeps } from '../deps.ts';
import { Field, Notice, PostForm, type Typed, untyped } from '../kit/fields.tsx';
import { Layout } from '../kit/layout.tsx';
import type { OwnRequest, OwnSentRequest, PageAnswer, PageRoute } from '../page.ts';
import { goneCookies } from './sign-in.tsx';

/** The export of an account, and its end. */
export function leaveRoutes(deps: WebDeps): readonly PageRoute[] {
  return [
    {
      access: 'own',
      path: '/account/export',
      get: async ({ who, at }) => ({
        file: exportAccount({ accounts: deps.accounts, market: deps.portfolio.market }, who, at),
        name: `brickmark-account-${formatDay(at)}.json`,
        type: 'application/json; charset=utf-8',
      }),
    },
    {
      access: 'own',
      path: '/account/delete',
      get: async (request) => ({ page: <DeletePage request={request} /> }),
      post: (sent) => postDelete(deps, sent),
    },
  ];
}

async function postDelete(deps: WebDeps, sent: OwnSentRequest): Promise<PageAnswer> {
  const { form, who, at } = sent;
  const refuse = (fault: Record<string, string>, status = 400): PageAnswer => {
    const typed = { values: form.typed, faults: fault };
    return { page: <DeletePage request={sent} typed={typed} />, status };
  };
  if (emailKey(form.text('email')) !== emailKey(who.email)) {
    return refuse({ email: 'This is not the e-mail of your account.' });
  }
  const outcome = await deleteAccount(deps, who, { password: form.secret('password'), at });
  if (outcome === 'wrong') return refuse({ password: 'This is not your password.' });
  if (outcome === 'gone') return { goTo: '/?gone=1', cookies: goneCookies(deps) };
  return refuse({ password: 'That was tried too often; wait a quarter of an hour.' }, 429);
}

function DeletePage(props: { readonly request: OwnRequest; readonly typed?: Typed }) {
  const { request, typed = untyped } = props;
  return (
    <Layout title="Delete the account" request={request} isNarrow>
      <Notice kind="warn">
        Collections, lots, sales, keys and what they spent are removed at once, and nobody can bring
        them back. <a href="/account/export">Export everything</a> before, if you may need it.
      </Notice>
      <section class="card">
        <PostForm request={request} action="/account/delete">
          <Field
            name="email"
            label="Your e-mail, to be sure"
            type="email"
            typed={typed}
            hint={`Type ${request.who.email}`}
          />
          <Field
            name="password"
            label="Your password"
            type="password"
            typed={typed}
            autocomplete="current-password"
          />
          <button class="danger" type="submit">
            Delete the account for good
          </button>
          <a class="button plain" href="/account">
            Keep it
          </a>
        </PostForm>
      </section>
    </Layout>
  );
}
