/** Accounts as operators see and change them: plans, allowances, links for a new password. */

import { makeResetLink } from '../../accounts/sign-in.ts';
import type { Account } from '../../domain/account/account-registry.ts';
import { emailKey } from '../../domain/account/email.ts';
import { leftToday } from '../../domain/account/key-places.ts';
import type { ApiKey } from '../../domain/account/key-store.ts';
import { isActiveKey } from '../../domain/account/keys.ts';
import { plans } from '../../domain/account/quota.ts';
import { countText, momentText } from '../../domain/kernel/format.ts';
import { formatDay } from '../../domain/kernel/time.ts';
import type { WebDeps } from '../deps.ts';
import { CopyBox } from '../kit/copy-box.tsx';
import { missingPage } from '../kit/fault.tsx';
import {
  Choice,
  Fault,
  faultyProps,
  Notice,
  PostForm,
  type Typed,
  untyped,
} from '../kit/fields.tsx';
import { Layout } from '../kit/layout.tsx';
import { TableHead } from '../kit/table-head.tsx';
import type { OwnRequest, OwnSentRequest, PageAnswer, PageRoute } from '../page.ts';

const allowanceMax = 1_000_000_000;

/** The pages about accounts. */
export function operatorAccountRoutes(deps: WebDeps): readonly PageRoute[] {
  const path = '/operator/accounts/{email}';
  return [
    {
      access: 'operator',
      path: '/operator/accounts',
      get: (request) => showAccounts(deps, request),
    },
    {
      access: 'operator',
      path,
      get: (request) => withAccount(deps, request, (found) => showAccount(request, found)),
    },
    {
      access: 'operator',
      path: `${path}/plan`,
      post: (sent) => withAccount(deps, sent, (found) => postPlan(deps, sent, found)),
    },
    {
      access: 'operator',
      path: `${path}/keys/{id}`,
      post: (sent) => withAccount(deps, sent, (found) => postAllowance(deps, sent, found)),
    },
    {
      access: 'operator',
      path: `${path}/keys/{id}/revoke`,
      post: (sent) => withAccount(deps, sent, (found) => postRevoke(deps, sent, found)),
    },
    {
      access: 'operator',
      path: `${path}/link`,
      post: (sent) => withAccount(deps, sent, (found) => postLink(deps, sent, found)),
    },
  ];
}

async function showAccounts({ accounts }: WebDeps, request: OwnRequest): Promise<PageAnswer> {
  const term = emailKey(request.query.get('q') ?? '');
  const all = await accounts.listAccounts(request.at);
  const found = all.filter((account) => emailKey(account.email).includes(term));
  return { page: <AccountsPage request={request} term={term} accounts={found} /> };
}

/** An account with its keys. */
interface FoundAccount {
  readonly account: Account;
  readonly keys: readonly ApiKey[];
}

async function withAccount(
  { accounts }: WebDeps,
  request: OwnRequest,
  answer: (found: FoundAccount) => PageAnswer | Promise<PageAnswer>,
): Promise<PageAnswer> {
  const account = await accounts.findAccount(request.params.email ?? '', request.at);
  if (!account) return missingPage(request);
  return answer({ account, keys: (await accounts.listKeys(account.email, request.at)) ?? [] });
}

function showAccount(
  request: OwnRequest,
  found: FoundAccount,
  { typed, status = 200 }: { readonly typed?: Typed; readonly status?: number } = {},
): PageAnswer {
  return { page: <AccountPage request={request} {...found} typed={typed} />, status };
}

async function postPlan(
  { accounts }: WebDeps,
  sent: OwnSentRequest,
  found: FoundAccount,
): Promise<PageAnswer> {
  const plan = plans.find((known) => known === sent.form.text('plan'));
  if (!plan) {
    const faults = { plan: `The plan is ${plans.join(' or ')}.` };
    return showAccount(sent, found, { typed: { values: {}, faults }, status: 400 });
  }
  await accounts.setPlan(found.account.email, plan);
  return { goTo: `${accountPath(found.account.email)}?done=plan` };
}

async function postAllowance(
  { accounts }: WebDeps,
  sent: OwnSentRequest,
  found: FoundAccount,
): Promise<PageAnswer> {
  const key = found.keys.find(({ id }) => String(id) === sent.params.id);
  if (!key) return missingPage(sent);
  const text = sent.form.text('allowance').replaceAll(',', '');
  const allowance = /^\d{1,10}$/.test(text) ? Number(text) : 0;
  if (allowance < 1 || allowance > allowanceMax) {
    const name = `allowance-${key.id}`;
    const faults = { [name]: 'A whole number from 1 to 1,000,000,000.' };
    const typed = { values: { [name]: sent.form.text('allowance') }, faults };
    return showAccount(sent, found, { typed, status: 400 });
  }
  await accounts.setAllowance(key.id, allowance);
  return { goTo: `${accountPath(found.account.email)}?done=allowance` };
}

async function postRevoke(
  { accounts }: WebDeps,
  sent: OwnSentRequest,
  found: FoundAccount,
): Promise<PageAnswer> {
  const key = found.keys.find(({ id }) => String(id) === sent.params.id);
  if (!key) return missingPage(sent);
  await accounts.revokeKey(key.id, sent.at);
  return { goTo: `${accountPath(found.account.email)}?done=revoked` };
}

/** The link is in the answer alone. Asked for again, the new one is the one that works. */
async function postLink(
  deps: WebDeps,
  sent: OwnSentRequest,
  { account }: FoundAccount,
): Promise<PageAnswer> {
  const token = await makeResetLink(deps, account.email, sent.at);
  if (token === null) return missingPage(sent);
  const link = `${sent.baseUrl}/password/${token}`;
  return { page: <LinkPage request={sent} account={account} link={link} /> };
}

/** Accounts that are shown; more are found by their e-mail. */
const accountsShown = 200;

/** Where an account's page is. */
function accountPath(email: string): string {
  return `/operator/accounts/${encodeURIComponent(email)}`;
}

/** The accounts. */
function AccountsPage(props: {
  readonly request: OwnRequest;
  readonly term: string;
  readonly accounts: readonly Account[];
}) {
  const { request, term, accounts } = props;
  const more = accounts.length - accountsShown;
  return (
    <Layout title="Accounts" request={request}>
      <section class="card">
        <form action="/operator/accounts" class="row">
          <div class="field">
            <label for="field-q">E-mail contains</label>
            <input id="field-q" name="q" type="search" value={term} autocomplete="off" />
          </div>
          <button class="plain" type="submit">
            Find
          </button>
        </form>
      </section>
      <section class="card">
        <div class="scroll">
          <table class="cards">
            <TableHead
              columns={['E-mail', 'Plan', 'Active keys', 'Since']}
              numbers={['Active keys']}
            />
            <tbody>
              {accounts.slice(0, accountsShown).map((account) => (
                <tr key={account.id}>
                  <td data-name="E-mail">
                    <a href={accountPath(account.email)}>{account.email}</a>{' '}
                    {account.isOperator && <span class="badge">operator</span>}
                  </td>
                  <td data-name="Plan">{planName(account)}</td>
                  <td data-name="Active keys" class="number">
                    {countText(account.activeKeys)}
                  </td>
                  <td data-name="Since">{formatDay(account.createdAt)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        {accounts.length === 0 && <p class="flush">No account has that in its e-mail.</p>}
        {more > 0 && <p class="flush">{`${countText(more)} more; look for their e-mail.`}</p>}
      </section>
    </Layout>
  );
}

function planName({ plan }: Account): string {
  return plan === 'reseller' ? 'Reseller' : 'Free';
}

const doneTexts: Readonly<Record<string, string>> = {
  plan: 'The plan is set. It counts from the next call on.',
  allowance: 'The allowance is set. It counts from the next call on.',
  revoked: 'The key is revoked. Calls with it answer 401 from now on.',
};

/** One account. */
function AccountPage(props: {
  readonly request: OwnRequest;
  readonly account: Account;
  readonly keys: readonly ApiKey[];
  readonly typed?: Typed | undefined;
}) {
  const { request, account, keys, typed = untyped } = props;
  const done = doneTexts[request.query.get('done') ?? ''];
  const path = accountPath(account.email);
  return (
    <Layout title={account.email} request={request}>
      {done && <Notice>{done}</Notice>}
      <section class="card">
        <dl class="facts">
          <dt>Since</dt>
          <dd>{formatDay(account.createdAt)}</dd>
          <dt>Role</dt>
          <dd>{account.isOperator ? 'operator' : 'account holder'}</dd>
        </dl>
      </section>
      <section class="card">
        <h2>Plan</h2>
        <PostForm request={request} action={`${path}/plan`} class="row">
          <Choice
            name="plan"
            label="Plan"
            options={[
              ['free', 'Free: no API'],
              ['reseller', 'Reseller: the API'],
            ]}
            typed={typed}
            value={account.plan}
          />
          <button type="submit">Set the plan</button>
        </PostForm>
      </section>
      <section class="card">
        <h2>API keys</h2>
        {keys.length === 0 ? (
          <p class="flush">The account has no keys.</p>
        ) : (
          keys.map((key) => (
            <KeyCard key={key.id} request={request} path={path} typed={typed} shown={key} />
          ))
        )}
      </section>
      <section class="card">
        <h2>Password</h2>
        <p>
          A link lets its owner set a new password, once, within 24 hours. Using it revokes the
          keys. Hand it to nobody else.
        </p>
        <PostForm request={request} action={`${path}/link`} class="row">
          <button class="plain" type="submit">
            Make a link
          </button>
        </PostForm>
      </section>
      <p>
        <a href="/operator/accounts">All accounts</a>
      </p>
    </Layout>
  );
}

interface KeyProps {
  readonly request: OwnRequest;
  readonly path: string;
  readonly shown: ApiKey;
  readonly typed: Typed;
}

function KeyCard(props: KeyProps) {
  const { request, shown } = props;
  const isActive = isActiveKey(shown, request.at);
  const state = shown.revokedAt === null ? 'expired' : 'revoked';
  return (
    <div class="part">
      <p class="flush">
        {shown.name} <code>{`${shown.prefix}…`}</code>{' '}
        {!isActive && <span class="badge">{state}</span>}
        <span class="quiet">
          {` · ${countText(shown.usedToday)} used today`}
          {isActive && `, ${countText(leftToday(shown))} of ${countText(shown.allowance)} left`}
          {' · last use '}
          {shown.lastUsedAt ? momentText(shown.lastUsedAt) : 'never'}
        </span>
      </p>
      {isActive && <KeyForms {...props} />}
    </div>
  );
}

function KeyForms({ request, path, shown, typed }: KeyProps) {
  const name = `allowance-${shown.id}`;
  const fault = typed.faults[name];
  return (
    <>
      <PostForm request={request} action={`${path}/keys/${shown.id}`} class="row">
        <div class="field">
          <label for={`field-${name}`}>Calls a day</label>
          <input
            id={`field-${name}`}
            name="allowance"
            inputmode="numeric"
            autocomplete="off"
            value={typed.values[name] ?? String(shown.allowance)}
            {...faultyProps(typed, name)}
            aria-describedby={fault ? `field-${name}-fault` : undefined}
          />
          <Fault typed={typed} name={name} />
        </div>
        <button class="plain" type="submit">
          Set the allowance
        </button>
      </PostForm>
      <details>
        <summary>{`Revoke ${shown.name}…`}</summary>
        <PostForm request={request} action={`${path}/keys/${shown.id}/revoke`} class="row">
          <button class="danger" type="submit">
            Revoke it for good
          </button>
        </PostForm>
      </details>
    </>
  );
}

/** A link just made: the only page that ever shows it. */
function LinkPage(props: {
  readonly request: OwnRequest;
  readonly account: Account;
  readonly link: string;
}) {
  const { request, account, link } = props;
  return (
    <Layout title="A link for a new password" request={request}>
      <Notice kind="warn">
        Give it to {account.email} alone, by a way that you trust. It is shown this once.
      </Notice>
      <section class="card">
        <CopyBox id="link" text={link} />
        <p class="quiet">It works once, within 24 hours. Earlier links do not work any more.</p>
        <p class="flush">
          <a class="button plain" href={accountPath(account.email)}>
            I have copied it
          </a>
        </p>
      </section>
    </Layout>
  );
}
