/** How accounts are shown to operators. */
import type { Account, ApiKey } from '../../domain/account/account-store.ts';
import { leftToday } from '../../domain/account/key-places.ts';
import { isActiveKey } from '../../domain/account/keys.ts';
import { formatDay } from '../../domain/kernel/time.ts';
import { Copied } from '../copied.tsx';
import { Choice, Fault, faultyProps, Notice, PostForm, type Typed, untyped } from '../fields.tsx';
import { Layout } from '../layout.tsx';
import type { OwnRequest } from '../page-request.ts';
import { countText, instantText } from '../show.ts';

/** Accounts that are shown; more are found by their e-mail. */
const accountsShown = 200;

/** Where an account's page is. */
export function accountPath(email: string): string {
  return `/operator/accounts/${encodeURIComponent(email)}`;
}

/** The accounts. */
export function AccountsPage(props: {
  readonly request: OwnRequest;
  readonly wanted: string;
  readonly accounts: readonly Account[];
}) {
  const { request, wanted, accounts } = props;
  const more = accounts.length - accountsShown;
  return (
    <Layout title="Accounts" request={request}>
      <section class="card">
        <form action="/operator/accounts" class="row">
          <div class="field">
            <label for="field-q">E-mail contains</label>
            <input id="field-q" name="q" type="search" value={wanted} autocomplete="off" />
          </div>
          <button class="plain" type="submit">
            Find
          </button>
        </form>
      </section>
      <section class="card">
        <div class="scroll">
          <table class="cards">
            <thead>
              <tr>
                <th scope="col">E-mail</th>
                <th scope="col">Plan</th>
                <th scope="col" class="number">
                  Active keys
                </th>
                <th scope="col">Since</th>
              </tr>
            </thead>
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
export function AccountPage(props: {
  readonly request: OwnRequest;
  readonly account: Account;
  readonly keys: readonly ApiKey[];
  readonly typed?: Typed | undefined;
}) {
  const { request, account, keys, typed = untyped } = props;
  const done = doneTexts[request.query.get('done') ?? ''];
  const path = accountPath(account.email);
  return (
    <Layout title={account.email} request={request} scripts={['submit.js']}>
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
        <h2>Keys</h2>
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
          {shown.lastUsedAt ? instantText(shown.lastUsedAt) : 'never'}
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
export function LinkPage(props: {
  readonly request: OwnRequest;
  readonly account: Account;
  readonly link: string;
}) {
  const { request, account, link } = props;
  return (
    <Layout title="A link for a new password" request={request} scripts={['copy.js']}>
      <Notice kind="warn">
        Give it to {account.email} alone, by a way that you trust. It is shown this once.
      </Notice>
      <section class="card">
        <Copied id="link" text={link} />
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
