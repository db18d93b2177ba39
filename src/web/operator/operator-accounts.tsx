/** Accounts, for operators: plans, daily limits, password links. */
import { makeResetLink } from '../../accounts/sign-in.ts';
import type { Account } from '../../domain/account/account.ts';
import { emailKey } from '../../domain/account/email.ts';
import { type ApiKey, isActiveKey } from '../../domain/account/keys.ts';
import { plans } from '../../domain/account/quota.ts';
import { countText, dayText } from '../../domain/kernel/format.ts';
import { formatDay } from '../../domain/kernel/time.ts';
import type { WebDeps } from '../deps.ts';
import { ButtonForm } from '../kit/buttons.tsx';
import { Badge, Card } from '../kit/card.tsx';
import { actionColumn, column, countColumn, dayColumn, mainColumn } from '../kit/columns.tsx';
import { CopyBox } from '../kit/copy-box.tsx';
import { type Column, DataTable } from '../kit/data-table.tsx';
import { EmptyState } from '../kit/empty-state.tsx';
import { missingPage } from '../kit/fault.tsx';
import {
  Choice,
  Fault,
  Field,
  faultyProps,
  Notice,
  PostForm,
  statusOf,
  type Typed,
  untyped,
} from '../kit/fields.tsx';
import { Layout, operatorTabs } from '../kit/layout.tsx';
import { List } from '../kit/list.tsx';
import { Dialog } from '../kit/menu.tsx';
import { lastPagePath, pageRange } from '../kit/pager.tsx';
import { DoneToast } from '../kit/toast.tsx';
import { TypedFields } from '../kit/typed-fields.ts';
import { EndedKey, keyRevoked, keyUseColumns } from '../owner/developer/keys.tsx';
import type { OwnRequest, OwnSentRequest, PageAnswer } from '../page.ts';
import { operatorPages, withFound } from '../page-table.ts';

const allowanceMax = 1_000_000_000;

const path = '/operator/accounts/{email}';

export const operatorAccountRoutes = operatorPages({
  '/operator/accounts': { get: showAccounts },
  [path]: { get: withFound(findAccount, (_, request, found) => showAccount(request, found)) },
  [`${path}/plan`]: { post: withFound(findAccount, postPlan) },
  [`${path}/keys/{id}`]: { post: withFound(findKey, postAllowance) },
  [`${path}/keys/{id}/revoke`]: { post: withFound(findKey, postRevoke) },
  [`${path}/link`]: { post: withFound(findAccount, postLink) },
});

async function showAccounts(deps: WebDeps, request: OwnRequest): Promise<PageAnswer> {
  const term = emailKey(request.query.get('q') ?? '');
  const all = await deps.accounts.listAccounts(request.at);
  const accounts = all.filter((account) => emailKey(account.email).includes(term));
  const goTo = lastPagePath(request, accounts.length);
  if (goTo !== null) return { goTo };
  const { limit, offset } = pageRange(request);
  const page = (
    <Layout title="Accounts" request={request} tabs={operatorTabs}>
      <form action="/operator/accounts" class="filters">
        <Field name="q" label="Email contains" type="search" value={term} />
        <button class="plain" type="submit">
          Search
        </button>
      </form>
      {accounts.length === 0 ? (
        <EmptyState
          title="No accounts found"
          actions={[{ href: '/operator/accounts', text: 'Show all accounts' }]}
        >
          No email contains this text.
        </EmptyState>
      ) : (
        <List
          request={request}
          label="Accounts"
          columns={accountColumns}
          rows={accounts.slice(offset, offset + limit)}
          total={accounts.length}
        />
      )}
    </Layout>
  );
  return { page };
}

interface FoundAccount {
  readonly account: Account;
  readonly keys: readonly ApiKey[];
}

async function findAccount(
  { accounts }: WebDeps,
  { params, at }: OwnRequest,
): Promise<FoundAccount | null> {
  const account = await accounts.findAccount(params.email ?? '', at);
  return account && { account, keys: (await accounts.listKeys(account.email, at)) ?? [] };
}

/** Finds the key in a path, with its account. */
async function findKey(deps: WebDeps, request: OwnRequest) {
  const found = await findAccount(deps, request);
  const key = found?.keys.find(({ id }) => String(id) === request.params.id);
  return found && key ? { ...found, key } : null;
}

/** The page of an account; `keyId` is the key whose form was rejected. */
function showAccount(
  request: OwnRequest,
  { account, keys }: FoundAccount,
  typed = untyped,
  keyId: number | null = null,
): PageAnswer {
  const path = accountPath(account.email);
  const page = (
    <Layout title={account.email} request={request} tabs={operatorTabs}>
      <DoneToast request={request} texts={doneTexts} />
      <p class="quiet">
        {`Created ${dayText(formatDay(account.createdAt))}`}
        {account.isOperator && ' · Operator'}
      </p>
      <Card title="Plan">
        <PostForm request={request} action={`${path}/plan`} typed={typed} class="row">
          <Choice
            name="plan"
            label="Plan"
            options={[
              ['free', 'Free (no API)'],
              ['reseller', 'Reseller (with API)'],
            ]}
            value={account.plan}
          />
          <button type="submit">Change plan</button>
        </PostForm>
      </Card>
      <Card title="API keys">
        {keys.length === 0 ? (
          <EmptyState title="No API keys">This account has not created any.</EmptyState>
        ) : (
          <DataTable
            label="API keys"
            columns={keyColumns({ request, path, typed, keyId })}
            rows={keys}
          />
        )}
      </Card>
      <Card title="Password">
        <p>
          Create a link for the owner to set a new password. It works once, for 24 hours, and using
          it revokes their API keys.
        </p>
        <ButtonForm request={request} action={`${path}/link`} look="plain">
          Create link
        </ButtonForm>
      </Card>
    </Layout>
  );
  return { page, status: statusOf(typed) };
}

async function postPlan(
  { accounts }: WebDeps,
  sent: OwnSentRequest,
  found: FoundAccount,
): Promise<PageAnswer> {
  const fields = new TypedFields(sent.form, sent.at);
  const plan = fields.word('plan', plans);
  if (!fields.isGood) return showAccount(sent, found, fields.typed);
  await accounts.setPlan(found.account.email, plan);
  return { goTo: `${accountPath(found.account.email)}?did=plan` };
}

async function postAllowance(
  { accounts }: WebDeps,
  sent: OwnSentRequest,
  { key, ...found }: FoundAccount & { readonly key: ApiKey },
): Promise<PageAnswer> {
  const fields = new TypedFields(sent.form, sent.at);
  const allowance = fields.whole('allowance', { min: 1, max: allowanceMax });
  if (!fields.isGood) return showAccount(sent, found, fields.typed, key.id);
  await accounts.setAllowance(key.id, allowance);
  return { goTo: `${accountPath(found.account.email)}?did=allowance` };
}

async function postRevoke(
  { accounts }: WebDeps,
  sent: OwnSentRequest,
  { account, key }: FoundAccount & { readonly key: ApiKey },
): Promise<PageAnswer> {
  await accounts.revokeKey(key.id, sent.at);
  return { goTo: `${accountPath(account.email)}?did=revoked` };
}

/** The link is only in this answer. A new one replaces it. */
async function postLink(
  deps: WebDeps,
  sent: OwnSentRequest,
  { account }: FoundAccount,
): Promise<PageAnswer> {
  const token = await makeResetLink(deps, account.email, sent.at);
  if (token === null) return missingPage(sent);
  const page = (
    <Layout title="Password link" request={sent} tabs={operatorTabs}>
      <Notice kind="warn">
        Copy it now. Give it only to {account.email}: whoever opens it can take over the account.
      </Notice>
      <Card>
        <CopyBox id="link" text={`${sent.baseUrl}/password/${token}`} />
        <p class="quiet">It works once, for 24 hours. Earlier links no longer work.</p>
        <a class="button" href={accountPath(account.email)}>
          Done
        </a>
      </Card>
    </Layout>
  );
  return { page };
}

function accountPath(email: string): string {
  return `/operator/accounts/${encodeURIComponent(email)}`;
}

const accountColumns: readonly Column<Account>[] = [
  mainColumn('Email', ({ email, isOperator }) => (
    <>
      <a href={accountPath(email)}>{email}</a> {isOperator && <Badge>Operator</Badge>}
    </>
  )),
  column('Plan', ({ plan }) => (plan === 'reseller' ? 'Reseller' : 'Free')),
  countColumn('Active keys', ({ activeKeys }) => activeKeys),
  dayColumn('Created', ({ createdAt }) => dayText(formatDay(createdAt))),
];

const doneTexts = {
  plan: 'Plan changed.',
  allowance: 'Daily limit changed.',
  revoked: keyRevoked,
} as const;

interface KeyProps {
  readonly request: OwnRequest;
  readonly path: string;
  readonly typed: Typed;
  readonly keyId: number | null;
}

function keyColumns(props: KeyProps): Column<ApiKey>[] {
  const { request, path } = props;
  const isActive = (key: ApiKey) => isActiveKey(key, request.at);
  return [
    ...keyUseColumns(request.at),
    column('Daily limit', (key) =>
      isActive(key) ? <LimitForm {...props} shown={key} /> : countText(key.allowance),
    ),
    actionColumn((key) =>
      isActive(key) ? (
        <Dialog id={`revoke-${key.id}`} title="Revoke this key?" trigger="Revoke" look="link">
          <p>{`Programs that use ${key.name} get 401 right away. This cannot be undone.`}</p>
          <ButtonForm request={request} action={`${path}/keys/${key.id}/revoke`} look="danger">
            Revoke key
          </ButtonForm>
        </Dialog>
      ) : (
        <EndedKey shown={key} />
      ),
    ),
  ];
}

function LimitForm(props: KeyProps & { readonly shown: ApiKey }) {
  const { request, path, shown, keyId } = props;
  // The input belongs to the form of one key.
  const typed = keyId === shown.id ? props.typed : untyped;
  return (
    <PostForm request={request} action={`${path}/keys/${shown.id}`} class="row">
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
      <button class="plain" type="submit">
        Save
      </button>
    </PostForm>
  );
}
