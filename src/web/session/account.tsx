/** The account itself: its password, and where it is signed in. */
import { changePassword } from '../../accounts/sign-in.ts';
import { passwordProblem } from '../../domain/account/password.ts';
import type { Session } from '../../domain/account/session-store.ts';
import { momentText } from '../../domain/kernel/format.ts';
import type { WebDeps } from '../deps.ts';
import { Field, Notice, nameFault, PostForm, type Typed, untyped } from '../kit/fields.tsx';
import { Layout } from '../kit/layout.tsx';
import { TableHead } from '../kit/table-head.tsx';
import type { OwnRequest, OwnSentRequest, PageAnswer, PageRoute } from '../page.ts';
import { agentName } from './agent.ts';
import { sessionCookies } from './sign-in.tsx';

/** The pages about the account. */
export function accountRoutes(deps: WebDeps): readonly PageRoute[] {
  return [
    { access: 'own', path: '/account', get: (request) => showAccount(deps, request) },
    {
      access: 'own',
      path: '/account/password',
      post: (sent) => postPassword(deps, sent),
    },
    {
      access: 'own',
      path: '/account/sessions/{id}/end',
      post: async ({ who, params }) => {
        const id = Number(params.id);
        if (Number.isSafeInteger(id)) await deps.accounts.endSession(who.accountId, id);
        return { goTo: '/account?ended=1' };
      },
    },
    {
      access: 'own',
      path: '/account/sessions/end-others',
      post: async ({ who }) => {
        await deps.accounts.endOtherSessions(who.accountId, who.sessionId);
        return { goTo: '/account?ended=1' };
      },
    },
  ];
}

async function showAccount(
  deps: WebDeps,
  request: OwnRequest,
  outcome: { readonly typed?: Typed; readonly message?: string; readonly status?: number } = {},
): Promise<PageAnswer> {
  const sessions = await deps.accounts.listSessions(request.who.accountId, request.at);
  const page = (
    <AccountPage
      request={request}
      sessions={sessions}
      typed={outcome.typed ?? untyped}
      message={outcome.message ?? null}
    />
  );
  return { page, status: outcome.status ?? 200 };
}

async function postPassword(deps: WebDeps, sent: OwnSentRequest): Promise<PageAnswer> {
  const [old, next] = [sent.form.secret('old_password'), sent.form.secret('new_password')];
  const faults = nameFault('new_password', passwordProblem(next, sent.who.email));
  if (Object.keys(faults).length > 0) {
    return showAccount(deps, sent, { typed: { values: {}, faults }, status: 400 });
  }
  const outcome = await changePassword(deps, sent.who, { old, new: next, visitor: sent });
  if (typeof outcome === 'object') {
    return { goTo: '/account?changed=1', cookies: sessionCookies(deps, outcome.token) };
  }
  if (outcome === 'wrong') {
    const typed = { values: {}, faults: { old_password: 'This is not your password.' } };
    return showAccount(deps, sent, { typed, status: 400 });
  }
  const message = 'That was tried too often; wait a quarter of an hour and try again.';
  return showAccount(deps, sent, { message, status: 429 });
}

interface AccountPageProps {
  readonly request: OwnRequest;
  readonly sessions: readonly Session[];
  readonly typed: Typed;
  readonly message: string | null;
}

function AccountPage({ request, sessions, typed, message }: AccountPageProps) {
  const { who, query } = request;
  return (
    <Layout title="Account" request={request}>
      {query.has('changed') && <Notice>Your password is changed.</Notice>}
      {query.has('ended') && <Notice>Ended.</Notice>}
      {message && <Notice kind="bad">{message}</Notice>}
      <section class="card">
        <dl class="facts">
          <dt>E-mail</dt>
          <dd>{who.email}</dd>
          <dt>Plan</dt>
          <dd>
            {who.plan === 'reseller'
              ? 'Reseller: the API answers calls with your keys.'
              : 'Free. Whoever runs this site can put you on Reseller, which the API needs.'}
          </dd>
        </dl>
      </section>
      <section class="card">
        <h2>Buying and selling</h2>
        <p>Your margin, sales tax, cashback and fee rates decide what you may pay for a set.</p>
        <p class="row flush">
          <a class="button plain" href="/account/buying">
            Buying settings
          </a>
        </p>
      </section>
      <section class="card">
        <h2>Change the password</h2>
        <PostForm request={request} action="/account/password">
          <Field
            name="old_password"
            label="Your password"
            type="password"
            typed={typed}
            autocomplete="current-password"
          />
          <Field
            name="new_password"
            label="The new one"
            type="password"
            typed={typed}
            hint="At least 10 characters. Everywhere else you are signed out."
            autocomplete="new-password"
          />
          <button type="submit">Change it</button>
        </PostForm>
      </section>
      <Sessions request={request} sessions={sessions} />
      <YourData />
    </Layout>
  );
}

function YourData() {
  return (
    <section class="card">
      <h2>Your data</h2>
      <p>
        Everything that is kept about you as one file: the account, buying settings, collections,
        lots, sales, keys without their secrets, and what they spent.
      </p>
      <p class="row flush">
        <a class="button plain" href="/account/export" download>
          Export everything (JSON)
        </a>
        <a class="button plain" href="/account/delete">
          Delete the account…
        </a>
      </p>
    </section>
  );
}

/** A name that people know; what the browser said is there for those who doubt it. */
function Agent({ agent }: { readonly agent: string }) {
  const name = agentName(agent);
  if (agent === '' || agent === name) return <span>{name}</span>;
  return (
    <details>
      <summary>{name}</summary>
      {agent}
    </details>
  );
}

function Sessions({ request, sessions }: Pick<AccountPageProps, 'request' | 'sessions'>) {
  return (
    <section class="card">
      <h2>Where you are signed in</h2>
      <div class="scroll">
        <table class="cards">
          <TableHead columns={['Browser', 'Since', 'Last seen']} action="End" />
          <tbody>
            {sessions.map((session) => (
              <tr key={session.id}>
                <td data-name="Browser">
                  <Agent agent={session.agent} />
                </td>
                <td data-name="Since">{momentText(session.createdAt)}</td>
                <td data-name="Last seen">{momentText(session.lastSeenAt)}</td>
                <td>
                  {session.id === request.who.sessionId ? (
                    <span class="badge">this one</span>
                  ) : (
                    <PostForm
                      request={request}
                      action={`/account/sessions/${session.id}/end`}
                      class="row"
                    >
                      <button class="plain" type="submit">
                        End
                      </button>
                    </PostForm>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {sessions.length > 1 && (
        <PostForm request={request} action="/account/sessions/end-others">
          <button class="plain" type="submit">
            End all others
          </button>
        </PostForm>
      )}
    </section>
  );
}
