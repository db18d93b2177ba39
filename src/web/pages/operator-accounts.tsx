/** Accounts as operators see and change them: plans, allowances, links for a new password. */
import { makeResetLink } from '../../accounts/sign-in.ts';
import type { Account, ApiKey } from '../../domain/account/account-store.ts';
import { emailKey } from '../../domain/account/email.ts';
import { plans } from '../../domain/account/quota.ts';
import type { WebDeps } from '../deps.ts';
import type { Typed } from '../fields.tsx';
import type { OwnRequest, SentRequest } from '../page-request.ts';
import type { PageAnswer } from '../respond.ts';
import type { PageRoute } from '../routes.ts';
import { missingPage } from './missing.tsx';
import { AccountPage, AccountsPage, accountPath, LinkPage } from './operator-accounts-view.tsx';

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
  const wanted = emailKey(request.query.get('q') ?? '');
  const all = await accounts.listAccounts(request.at);
  const found = all.filter((account) => emailKey(account.email).includes(wanted));
  return { page: <AccountsPage request={request} wanted={wanted} accounts={found} /> };
}

/** An account with its keys. */
export interface FoundAccount {
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
  sent: OwnRequest<SentRequest>,
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
  sent: OwnRequest<SentRequest>,
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
  sent: OwnRequest<SentRequest>,
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
  sent: OwnRequest<SentRequest>,
  { account }: FoundAccount,
): Promise<PageAnswer> {
  const token = await makeResetLink(deps, account.email, sent.at);
  if (token === null) return missingPage(sent);
  const link = `${sent.baseUrl}/password/${token}`;
  return { page: <LinkPage request={sent} account={account} link={link} /> };
}
