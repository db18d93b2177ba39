/** Accounts, for operators: plans, daily limits, invitations, password links, roles, messages. */

import { byAccount } from '../../accounts/audit/audit.ts';
import { type ApiKey, allowances, isActiveKey } from '../../accounts/keys/keys.ts';
import { plans } from '../../accounts/keys/quota.ts';
import {
  type Account,
  type ClosedAccount,
  closedDays,
  closedMs,
} from '../../accounts/people/account.ts';
import { emailKey } from '../../accounts/people/email.ts';
import type { Invitation } from '../../accounts/people/invitation.ts';
import { invitationPath, makeInvitation } from '../../accounts/people/invitations.work.ts';
import { hasRole, mayChange, onlyAdminText, type Role, roles } from '../../accounts/people/role.ts';
import { makeResetLink } from '../../accounts/sign-in/sign-in.work.ts';
import { formatDay } from '../../kernel/time.ts';
import type { AccountStore } from '../../store/store.ts';
import { recordAudit } from '../audit.ts';
import { idOf, withQuery } from '../kit/address.ts';
import {
  ButtonForm,
  ButtonLink,
  CopyBox,
  DangerLink,
  PlainButton,
  PlainLink,
} from '../kit/buttons.tsx';
import { Badge, Card, EmptyState } from '../kit/card.tsx';
import { actionColumn, column, countColumn, dayColumn, mainColumn } from '../kit/columns.tsx';
import { deletionPage } from '../kit/confirm-delete.tsx';
import { type Column, DataTable } from '../kit/data-table.tsx';
import { missingPage } from '../kit/fault.tsx';
import { Choice, Fault, Field, faultyProps, Notice, PostForm, useTyped } from '../kit/fields.tsx';
import { applyForm, foundSentForm, sentForm } from '../kit/form-page.tsx';
import { countText, dayText, momentText } from '../kit/format.ts';
import { Layout, operatorTabs } from '../kit/layout.tsx';
import { List, lastPagePath, pageRange } from '../kit/list.tsx';
import { Dialog } from '../kit/menu.tsx';
import { EndedKey, keyRevoked, keyUseColumns } from '../owner/developer/keys.tsx';
import type { OwnRequest, OwnSentRequest, PageAnswer, WebDeps } from '../page.ts';
import { page, routes } from '../page-table.ts';
import {
  accountPath,
  accountsPath,
  findMessages,
  Messages,
  postMail,
  postResend,
} from './operator-messages.tsx';

const path = `${accountsPath}/{account}`;

export const operatorAccountRoutes = [
  ...routes('support', {
    [accountsPath]: {
      get: showAccounts,
      // The address of the page must not have what was typed.
      post: (deps, sent) => showAccounts(deps, sent, emailKey(sent.form.text('q'))),
    },
    [path]: page({ find: findAccount, get: showAccount }),
    [`${path}/mail`]: page({ find: findAccount, post: postMail }),
    [`${path}/messages/{message}/resend`]: page({ find: findAccount, post: postResend }),
  }),
  ...routes('operator', {
    '/operator/invitations': sentForm({
      show: showAccounts,
      read: ({ fields }) => fields.word('plan', plans),
      save: async ({ deps, sent }, plan) => {
        if (sent.access.signUp === 'closed') return { goTo: accountsPath };
        const { randomBytes } = deps;
        const token = await applyForm(deps, sent, (accounts) =>
          makeInvitation({ accounts, randomBytes }, { plan, at: sent.at }),
        );
        if (token === 'sent before') return token;
        const done = { action: 'invitation.added', accountId: null, detail: plan } as const;
        await recordAudit(deps, sent, done);
        return showInvitation(sent, token);
      },
      sentBefore: 'This invitation was already created. Create another one if you need it.',
    }),
    '/operator/invitations/{id}/revoke': {
      post: async (deps, sent) => {
        const id = idOf(sent.params.id);
        if (id !== null && (await deps.accounts.removeInvitation(id))) {
          await recordAudit(deps, sent, { action: 'invitation.revoked', accountId: null });
        }
        return { goTo: `${accountsPath}?did=uninvited` };
      },
    },
    [`${path}/plan`]: foundSentForm({
      find: findChangeable,
      show: showAccount,
      read: ({ fields }) => fields.word('plan', plans),
      save: async ({ deps, sent, found: { account } }, plan) => {
        const accountId = account.id;
        const set = await change(deps, sent, account, (store) =>
          store.setPlan(account.email, plan),
        );
        if (set !== true) return missingPage(sent);
        await recordAudit(deps, sent, { action: 'plan.changed', accountId, detail: plan });
        return { goTo: `${accountPath(account)}?did=plan` };
      },
    }),
    [`${path}/link`]: page({ find: findChangeable, post: postLink }),
    [`${path}/remove`]: deletionPage({
      find: findChangeable,
      noun: 'account',
      describe: ({ account }) => ({
        name: account.email,
        outcome:
          'Its sessions, keys and links end at once, and its webhooks and alerts are turned ' +
          `off. You can restore it for ${closedDays} days; then all its data is erased.`,
        cancel: accountPath(account),
      }),
      remove: async (store, sent, { account }) => {
        const by = byAccount(sent.who.accountId);
        const outcome = await change(store, sent, account, (store) =>
          store.closeAccount(account.email, by, sent.at),
        );
        if (outcome === 'only admin') return { refused: onlyAdminText, status: 409 };
        return outcome === 'not allowed' ? { goTo: accountPath(account) } : null;
      },
      goTo: '/operator/accounts?did=closed',
    }),
    '/operator/closed/{account}/restore': page({ find: findClosed, post: postRestore }),
    [`${path}/keys/{id}`]: foundSentForm({
      find: findKey,
      show: showAccount,
      read: ({ fields }) => fields.whole('allowance', allowances),
      save: async ({ deps, sent, found: { account, key } }, allowance) => {
        const accountId = account.id;
        const set = await change(deps, sent, account, (store) =>
          store.setAllowance(accountId, key.id, allowance),
        );
        if (set !== true) return missingPage(sent);
        const detail = `key ${key.id}, ${allowance} calls`;
        await recordAudit(deps, sent, { action: 'key.allowance', accountId, detail });
        return { goTo: `${accountPath(account)}?did=allowance` };
      },
    }),
    [`${path}/keys/{id}/revoke`]: page({
      find: findKey,
      post: async (deps, sent, { account, key }) => {
        const isRevoked = await change(deps, sent, account, (store) =>
          store.revokeKey(account.id, key.id, sent.at),
        );
        if (isRevoked !== true) return missingPage(sent);
        const done = { accountId: account.id, detail: `key ${key.id}` };
        await recordAudit(deps, sent, { action: 'key.revoked', ...done });
        return { goTo: `${accountPath(account)}?did=revoked` };
      },
    }),
  }),
  ...routes('admin', {
    [`${path}/role`]: foundSentForm({
      find: findAccount,
      show: showAccount,
      read: ({ fields }) => fields.word('role', roleWords),
      save: async ({ deps, sent, found: { account } }, word) => {
        const role = word === 'none' ? null : word;
        if ((await deps.accounts.setRole(account.email, role)) === 'only admin') {
          return { refused: onlyAdminText, field: 'role' };
        }
        const accountId = account.id;
        await recordAudit(deps, sent, { action: 'role.changed', accountId, detail: word });
        return { goTo: `${accountPath(account)}?did=role` };
      },
    }),
  }),
];

const roleWords = ['none', ...roles] as const;

const roleNames: Readonly<Record<Role, string>> = {
  admin: 'Admin',
  operator: 'Operator',
  support: 'Support',
};

async function showAccounts(
  deps: WebDeps,
  request: OwnRequest,
  term?: string,
): Promise<PageAnswer> {
  const all = await deps.accounts.listAccounts(request.at);
  const closed = await deps.accounts.listClosed(request.at);
  const accounts = all.filter((account) => emailKey(account.email).includes(term ?? ''));
  const goTo = lastPagePath(request, accounts.length);
  if (goTo !== null) return { goTo };
  const { limit, offset } = pageRange(request);
  const invitations = await deps.accounts.listInvitations(request.at);
  return (
    <Layout title="Accounts" request={request} done={doneTexts} tabs={operatorTabs(request)}>
      <PostForm action={accountsPath} class="filters">
        <Field name="q" label="Email contains" type="search" value={term ?? ''} />
        <PlainButton>Search</PlainButton>
      </PostForm>
      {accounts.length === 0 ? (
        <EmptyState
          title="No accounts found"
          actions={[['/operator/accounts', 'Show all accounts']]}
        >
          No email contains this text.
        </EmptyState>
      ) : (
        <List
          request={request}
          label="Accounts"
          columns={accountColumns}
          rows={accounts.slice(offset, offset + limit)}
          // Results of a search have one page, because its term is in no address.
          total={term === undefined ? accounts.length : Math.min(accounts.length, limit)}
        />
      )}
      {hasRole(request.who.role, 'operator') && (
        <Invitations request={request} invitations={invitations} />
      )}
      {closed.length > 0 && (
        <Card title="Deleted accounts">
          <DataTable label="Deleted accounts" columns={closedColumns(request)} rows={closed} />
        </Card>
      )}
    </Layout>
  );
}

function Invitations(props: {
  readonly request: OwnRequest;
  readonly invitations: readonly Invitation[];
}) {
  const { request, invitations } = props;
  if (request.access.signUp === 'closed') {
    return (
      <Card title="Invitations">
        <p class="flush">
          Invitations are off, because BRICKMARK_SIGN_UP is closed. Set it to invite to use them.
        </p>
      </Card>
    );
  }
  return (
    <Card title="Invitations">
      {invitations.length > 0 && (
        <DataTable
          label="Invitations"
          columns={invitationColumns}
          rows={invitations.slice(0, invitationsShown)}
        />
      )}
      <PostForm action="/operator/invitations" class="row invitations">
        <Choice name="plan" label="Plan" options={planOptions} value="free" />
        <button type="submit">Create invitation</button>
      </PostForm>
    </Card>
  );
}

/** The latest ones; the others expire within a week. */
const invitationsShown = 50;

const invitationColumns: readonly Column<Invitation>[] = [
  mainColumn('Created', ({ createdAt }) => momentText(createdAt)),
  column('Plan', ({ plan }) => planTexts[plan]),
  dayColumn('Expires', ({ expiresAt }) => momentText(expiresAt)),
  actionColumn(({ id }) => (
    <ButtonForm action={`/operator/invitations/${id}/revoke`} look="link">
      Revoke
    </ButtonForm>
  )),
];

/** The link is only in this answer. */
function showInvitation(sent: OwnSentRequest, token: string): PageAnswer {
  return (
    <Layout title="Invitation" request={sent} tabs={operatorTabs(sent)}>
      <Notice kind="warn">Copy it now. Whoever opens it first can create the account.</Notice>
      <Card>
        <CopyBox id="link" text={`${sent.baseUrl}${invitationPath(token)}`} />
        <p class="quiet">It works once, for 7 days.</p>
        <ButtonLink href={accountsPath}>Done</ButtonLink>
      </Card>
    </Layout>
  );
}

export interface FoundAccount {
  readonly account: Account;
  readonly keys: readonly ApiKey[];
}

async function findClosed({ accounts }: WebDeps, { params, at, who }: OwnRequest) {
  const id = idOf(params.account);
  const closed = (await accounts.listClosed(at)).find((account) => account.id === id);
  return closed && mayChange(who.role, closed) ? closed : null;
}

async function postRestore(deps: WebDeps, sent: OwnSentRequest, closed: ClosedAccount) {
  const { id, email } = closed;
  const restored = await change(deps, sent, closed, (store) => store.restoreAccount(email));
  if (restored !== id) return missingPage(sent);
  await recordAudit(deps, sent, { action: 'account.restored', accountId: id });
  return { goTo: `${accountPath(closed)}?did=restored` };
}

/** Changes an account that may have got a role since it was found. */
function change<T>(
  { accounts }: { readonly accounts: Pick<AccountStore, 'changeAs'> },
  { who: { role } }: OwnSentRequest,
  { id: accountId }: Account,
  work: Parameters<typeof accounts.changeAs<T>>[1],
) {
  return accounts.changeAs({ role, accountId }, work);
}

async function findChangeable(deps: WebDeps, request: OwnRequest): Promise<FoundAccount | null> {
  const found = await findAccount(deps, request);
  return found && mayChange(request.who.role, found.account) ? found : null;
}

async function findAccount({ accounts }: WebDeps, { params, at }: OwnRequest) {
  const account = await accounts.findAccountById(idOf(params.account) ?? 0, at);
  return account && { account, keys: (await accounts.listKeys(account.email, at)) ?? [] };
}

async function findKey(deps: WebDeps, request: OwnRequest) {
  const found = await findChangeable(deps, request);
  const key = found?.keys.find(({ id }) => String(id) === request.params.id);
  return found && key ? { ...found, key } : null;
}

async function showAccount(deps: WebDeps, request: OwnRequest, { account, keys }: FoundAccount) {
  const path = accountPath(account);
  const messages = await findMessages(deps, account);
  const { role } = request.who;
  const isChangeable = mayChange(role, account);
  const props = { account, path };
  return (
    <Layout
      title={account.email}
      request={request}
      done={doneTexts}
      tabs={operatorTabs(request)}
      actions={
        hasRole(role, 'operator') && (
          <PlainLink href={withQuery('/operator/audit', { account: account.id })}>
            Audit log
          </PlainLink>
        )
      }
    >
      <p class="quiet">
        {[
          `Account ${account.id}`,
          `Created ${dayText(formatDay(account.createdAt))}`,
          ...(account.role ? [roleNames[account.role]] : []),
          ...(isChangeable ? [] : [planNames[account.plan]]),
        ].join(' · ')}
      </p>
      {hasRole(role, 'operator') && !isChangeable && (
        <Notice>Only an admin can change an account that has a role.</Notice>
      )}
      {isChangeable && <PlanCard {...props} />}
      {isChangeable && (
        <Card title="API keys">
          {keys.length === 0 ? (
            <EmptyState title="No API keys">This account has not created any.</EmptyState>
          ) : (
            <DataTable label="API keys" columns={keyColumns(path, request.at)} rows={keys} />
          )}
        </Card>
      )}
      <Messages path={path} messages={messages} />
      <PasswordCard {...props} isChangeable={isChangeable} canMail={deps.sendMail !== undefined} />
      {hasRole(role, 'admin') && <RoleCard {...props} />}
      {isChangeable && (
        <Card title="Delete account">
          <DangerLink href={`${path}/remove`}>Delete account…</DangerLink>
        </Card>
      )}
    </Layout>
  );
}

interface AccountProps {
  readonly account: Account;
  readonly path: string;
}

const planNames = { free: 'Free (no API)', reseller: 'Reseller (with API)' } as const;
const planOptions = plans.map((plan) => [plan, planNames[plan]] as const);

function PlanCard({ account, path }: AccountProps) {
  return (
    <Card title="Plan">
      <PostForm action={`${path}/plan`} class="row">
        <Choice name="plan" label="Plan" options={planOptions} value={account.plan} />
        <button type="submit">Change plan</button>
      </PostForm>
    </Card>
  );
}

function PasswordCard(
  props: AccountProps & { readonly isChangeable: boolean; readonly canMail: boolean },
) {
  const { path, isChangeable, canMail } = props;
  if (!isChangeable && !canMail) return null;
  return (
    <Card title="Password">
      <p>
        A link lets the owner set a new password. It works once, for 24 hours, and using it revokes
        their API keys.
      </p>
      <div class="row">
        {canMail && (
          <ButtonForm action={`${path}/mail`} look="plain">
            Email the owner a link
          </ButtonForm>
        )}
        {isChangeable && (
          <ButtonForm action={`${path}/link`} look="plain">
            Create link
          </ButtonForm>
        )}
      </div>
    </Card>
  );
}

function RoleCard({ account, path }: AccountProps) {
  return (
    <Card title="Role">
      <p>
        Support reads these pages and sends messages again, without keys and private data. Operators
        also manage plans, keys and accounts. Admins also give roles.
      </p>
      <PostForm action={`${path}/role`} class="row">
        <Choice
          name="role"
          label="Role"
          options={[['none', 'None'], ...roles.map((role) => [role, roleNames[role]] as const)]}
          value={account.role ?? 'none'}
        />
        <button type="submit">Change role</button>
      </PostForm>
    </Card>
  );
}

/** The link is only in this answer. A new one replaces it. */
async function postLink(deps: WebDeps, sent: OwnSentRequest, { account }: FoundAccount) {
  const { randomBytes } = deps;
  const token = await change(deps, sent, account, (accounts) =>
    makeResetLink({ accounts, randomBytes }, account.email, sent.at),
  );
  if (token === null || token === 'not allowed') return missingPage(sent);
  await recordAudit(deps, sent, { action: 'password.link', accountId: account.id });
  return (
    <Layout title="Password link" request={sent} tabs={operatorTabs(sent)}>
      <Notice kind="warn">
        Copy it now. Give it only to {account.email}: whoever opens it can take over the account.
      </Notice>
      <Card>
        <CopyBox id="link" text={`${sent.baseUrl}/password/${token}`} />
        <p class="quiet">It works once, for 24 hours. Earlier links no longer work.</p>
        <ButtonLink href={accountPath(account)}>Done</ButtonLink>
      </Card>
    </Layout>
  );
}

const planTexts = { free: 'Free', reseller: 'Reseller' } as const;

const accountColumns: readonly Column<Account>[] = [
  mainColumn('Email', ({ id, email, role }) => (
    <>
      <a href={accountPath({ id })}>{email}</a> {role && <Badge>{roleNames[role]}</Badge>}
    </>
  )),
  column('Plan', ({ plan }) => planTexts[plan]),
  countColumn('Active keys', ({ activeKeys }) => activeKeys),
  dayColumn('Created', ({ createdAt }) => dayText(formatDay(createdAt))),
];

function closedColumns(request: OwnRequest): Column<ClosedAccount>[] {
  return [
    mainColumn('Email', ({ email }) => email),
    dayColumn('Deleted', ({ closedAt }) => momentText(closedAt)),
    dayColumn('Erased on', ({ closedAt }) => momentText(closedAt + closedMs)),
    actionColumn((closed) =>
      mayChange(request.who.role, closed) ? (
        <ButtonForm action={`/operator/closed/${closed.id}/restore`} look="link" of={closed.email}>
          Restore
        </ButtonForm>
      ) : null,
    ),
  ];
}

const doneTexts = {
  closed: 'Account deleted.',
  restored:
    'Account restored, without its password and keys. Its webhooks and alerts are off. Send the ' +
    'owner a password link.',
  plan: 'Plan changed.',
  role: 'Role changed.',
  resent: 'Sending it again.',
  mailed: 'Link sent to the owner.',
  allowance: 'Daily limit changed.',
  revoked: keyRevoked,
  uninvited: 'Invitation revoked.',
} as const;

function keyColumns(path: string, at: number): Column<ApiKey>[] {
  const isActive = (key: ApiKey) => isActiveKey(key, at);
  return [
    ...keyUseColumns(at),
    column('Daily limit', (key) =>
      isActive(key) ? (
        <PostForm action={`${path}/keys/${key.id}`} class="row">
          <LimitField shown={key} />
          <PlainButton>Save</PlainButton>
        </PostForm>
      ) : (
        countText(key.allowance)
      ),
    ),
    actionColumn((key) =>
      isActive(key) ? (
        <Dialog id={`revoke-${key.id}`} title="Revoke this key?" trigger="Revoke" look="link">
          <p>{`Programs that use ${key.name} get 401 right away. This cannot be undone.`}</p>
          <ButtonForm action={`${path}/keys/${key.id}/revoke`} look="danger">
            Revoke key
          </ButtonForm>
        </Dialog>
      ) : (
        <EndedKey shown={key} />
      ),
    ),
  ];
}

function LimitField({ shown }: { readonly shown: ApiKey }) {
  const typed = useTyped();
  return (
    <div class="field">
      <input
        name="allowance"
        inputmode="numeric"
        size={9}
        autocomplete="off"
        aria-label={`Daily limit of ${shown.name}`}
        value={typed.values.allowance ?? String(shown.allowance)}
        {...faultyProps(typed, 'allowance')}
      />
      <Fault typed={typed} name="allowance" />
    </div>
  );
}
