/** `account …`: accounts, their passwords and roles, and how they are removed. */

import { plans } from '../accounts/keys/quota.ts';
import {
  type Account,
  type ClosedAccount,
  closedDays,
  closedMs,
} from '../accounts/people/account.ts';
import { emailProblem, noAccount } from '../accounts/people/email.ts';
import {
  invitationMs,
  invitationPath,
  makeInvitation,
} from '../accounts/people/invitations.work.ts';
import { hasRole, onlyAdminText, roles } from '../accounts/people/role.ts';
import { passwordProblem } from '../accounts/sign-in/password.ts';
import { hashPassword, passwordCost } from '../accounts/sign-in/password-hash.ts';
import { makeResetLink, resetLinkMs } from '../accounts/sign-in/sign-in.work.ts';
import { dayText, momentText } from '../kernel/format.ts';
import { formatDay, formatInstant } from '../kernel/time.ts';
import { exportAccount } from '../portfolio/export/export-account.work.ts';
import type { Store } from '../store/store.ts';
import { CommandError, type Context, command, type StoreContext, withStore } from './command.ts';
import { recordDone } from './command-rules.ts';
import { confirm } from './confirm.ts';
import { readHidden } from './hidden-input.ts';
import { UsageError } from './row.ts';
import { tableOf } from './table.ts';

/** An account that exists; commands check that themselves. */
const existingEmail = { label: 'EMAIL' };

const roleWords = [...roles, 'none'] as const;

const planFlag = (help: string) =>
  ({ help, value: 'PLAN', choices: plans, default: 'free' }) as const;

export const accountCommands = [
  command({
    name: 'account add',
    operands: { email: { label: 'EMAIL', read: readEmail } },
    summary: 'Create an account',
    flags: {
      plan: planFlag('free (default) or reseller; API calls need reseller'),
      operator: { help: 'Give it the role of an admin, with access to the operator pages' },
      'password-stdin': { help: 'Read the password from standard input' },
    },
    run: async ({ email, plan, operator: isOperator, passwordStdin }, context) => {
      if (isOperator && !hasRole(context.operator.role, 'admin')) throw notAllowed();
      const passwordHash = passwordStdin ? await readPasswordHash(context, email) : null;
      await withStore(context, async (store) => {
        const at = context.config.clock();
        const facts = { email, plan, isOperator, passwordHash, at };
        const account = await store.accounts.addAccount(facts);
        if (!account) throw await takenEmail(store.accounts, email, at);
        const detail = isOperator ? `${plan}, admin` : plan;
        const done = { action: 'account.added', accountId: account.id, detail } as const;
        await recordDone({ ...context, store }, done);
        const { access, provider } = context.config;
        const isProvided = access.requires === 'oidc' && !isOperator;
        const next = isProvided
          ? ` Its owner signs in with ${provider?.name}.`
          : ` Set a password with: brickmark account password ${email}`;
        const hint = passwordHash === null ? next : '';
        context.result(
          { account_id: account.id, email: account.email, plan: account.plan },
          `Account ${account.id} (${account.email}) is on the ${account.plan} plan.${hint}`,
        );
      });
    },
  }),
  command({
    name: 'account invite',
    summary: 'Print a link with which one person can create an account',
    flags: { plan: planFlag('Plan of the account: free (default) or reseller') },
    needs: 'existing store',
    run: async ({ plan }, context) => {
      const { config, store, randomBytes } = context;
      if (config.access.signUp === 'closed') {
        throw new CommandError(
          "Invitations are off, because BRICKMARK_SIGN_UP is closed. Set it to 'invite'.",
        );
      }
      const at = config.clock();
      const deps = { accounts: store.accounts, randomBytes };
      await recordDone(context, { action: 'invitation.added', detail: plan });
      const link = siteLink(context, invitationPath(await makeInvitation(deps, { plan, at })));
      const until = at + invitationMs;
      context.result(
        { link, plan, expires_at: formatInstant(until) },
        `${link}\nThe link works once, until ${momentText(until)}.`,
      );
    },
  }),
  command({
    name: 'account plan',
    operands: { email: existingEmail, plan: { label: 'PLAN', choices: plans } },
    summary: 'Change the plan of an account: free or reseller',
    needs: 'existing store',
    run: async ({ email, plan }, context) => {
      const { id: accountId } = await findAccount(context, email);
      await change(context, accountId, (store) => store.setPlan(email, plan));
      await recordDone(context, { action: 'plan.changed', accountId, detail: plan });
      context.result({ email, plan }, `${email} is now on the ${plan} plan.`);
    },
  }),
  command({
    name: 'account role',
    operands: { email: existingEmail, role: { label: 'ROLE', choices: roleWords } },
    summary: 'Give an account a role on the operator pages: admin, operator, support or none',
    needs: 'existing store',
    run: async ({ email, role }, context) => {
      const { id: accountId } = await findAccount(context, email);
      const set = await change(context, accountId, (store) =>
        store.setRole(email, role === 'none' ? null : role),
      );
      if (set !== true) throw unchanged(email, set);
      await recordDone(context, { action: 'role.changed', accountId, detail: role });
      const now = role === 'none' ? 'has no role now' : `now has the role ${role}`;
      context.result({ email, role: role === 'none' ? null : role }, `${email} ${now}.`);
    },
  }),
  command({
    name: 'account password',
    operands: { email: existingEmail },
    summary: 'Set a password, typed or from standard input',
    flags: { link: { help: 'Print a link for the owner to set a new password' } },
    needs: 'existing store',
    run: async ({ email, link }, context) => {
      const { id: accountId } = await findAccount(context, email);
      if (link) return printResetLink({ email, accountId }, context);
      const hash = await readPasswordHash(context, email);
      const set = await change(context, accountId, (store) => store.setPassword(email, hash));
      if (!set) throw unknownAccount(email);
      await recordDone(context, { action: 'password.changed', accountId });
      context.result(
        { email },
        `Password of ${email} changed. All its sessions and password links are revoked.`,
      );
    },
  }),
  command({
    name: 'account reset-factor',
    operands: { email: existingEmail },
    summary: 'Remove authenticator app, passkeys and provider link that an owner lost',
    needs: 'existing store',
    run: async ({ email }, context) => {
      const { id: accountId } = await findAccount(context, email);
      const reset = await change(context, accountId, (store) => store.resetFactors(email));
      if (!reset) throw unknownAccount(email);
      await recordDone(context, { action: 'factor.reset', accountId });
      context.result(
        { email, reset: true },
        `${email} can sign in with the password alone. All its sessions have ended.`,
      );
    },
  }),
  command({
    name: 'account remove',
    operands: { email: existingEmail },
    summary: `Close an account at once, and erase it after ${closedDays} days`,
    flags: {
      yes: { help: 'Do not ask; without a terminal, --now needs it' },
      now: { help: 'Erase it at once; it cannot be restored' },
    },
    needs: 'existing store',
    run: async ({ email, yes, now: isNow }, context) => {
      const { id } = await findRemovable(context, email, isNow);
      const canAsk = context.stdin.isTTY === true;
      if (isNow && !yes && !canAsk) {
        throw new UsageError(
          '--now erases what cannot be restored: without a terminal, add --yes.',
        );
      }
      if (!yes && canAsk) await askToRemove(context, email, isNow);
      await (isNow ? eraseAccount : close)(context, email, id);
    },
  }),
  command({
    name: 'account restore',
    operands: { email: existingEmail },
    summary: `Restore an account that was removed in the last ${closedDays} days`,
    needs: 'existing store',
    run: async ({ email }, context) => {
      const { accounts } = context.store;
      const closed = await accounts.findClosed(email, context.config.clock());
      const accountId =
        closed && (await change(context, closed.id, (store) => store.restoreAccount(email)));
      if (!closed || accountId === null) {
        throw new CommandError(
          `'${email}' was not removed in the last ${closedDays} days. ` +
            "Run 'brickmark account list --removed' to see removed accounts.",
        );
      }
      await recordDone(context, { action: 'account.restored', accountId });
      context.result(
        { account_id: accountId, email: closed.email, restored: true },
        `${closed.email} is restored, without its password and keys; its alerts and webhooks are ` +
          `off. Next: brickmark account password ${closed.email} --link`,
      );
    },
  }),
  command({
    name: 'account export',
    operands: { email: existingEmail },
    summary: 'Print everything that is stored about an account, as JSON',
    needs: 'existing store',
    run: async ({ email }, context) => {
      const { id: accountId, email: ownEmail } = await findOrClosed(context, email);
      await recordDone(context, { action: 'account.exported', accountId });
      const who = { accountId, email: ownEmail };
      for await (const text of exportAccount(context.store, who, context.config.clock())) {
        if (!(await context.write(text))) return;
      }
    },
  }),
  command({
    name: 'account list',
    summary: 'List accounts',
    flags: { removed: { help: 'List removed accounts that can be restored' } },
    needs: 'store to read',
    run: async ({ removed: isRemoved }, { store, config, result }) => {
      if (isRemoved) return listClosed({ store, config, result });
      const list = await store.accounts.listAccounts(config.clock());
      const json = list.map((account) => ({
        account_id: account.id,
        email: account.email,
        plan: account.plan,
        operator: account.role !== null,
        role: account.role,
        active_keys: account.activeKeys,
        created_at: formatInstant(account.createdAt),
      }));
      const text = tableOf(list, {
        ID: ({ id }) => id,
        EMAIL: ({ email }) => email,
        PLAN: ({ plan }) => plan,
        ROLE: ({ role }) => role ?? '',
        KEYS: ({ activeKeys }) => activeKeys,
        CREATED: ({ createdAt }) => dayText(formatDay(createdAt)),
      });
      const hint = "No accounts yet. Create one with 'brickmark account add EMAIL'.";
      result({ accounts: json }, list.length > 0 ? text : hint);
    },
  }),
];

/** Why an email cannot be used for a new account. */
async function takenEmail(
  accounts: Store['accounts'],
  email: string,
  at: number,
): Promise<CommandError> {
  if (!(await accounts.findClosed(email, at))) {
    return new CommandError(`An account with the email '${email}' already exists.`);
  }
  return new CommandError(
    `The account '${email}' was removed less than ${closedDays} days ago. Restore it with ` +
      `'brickmark account restore ${email}', or erase it with ` +
      `'brickmark account remove ${email} --now'.`,
  );
}

/** Throws if there is nothing to remove. */
async function findRemovable(
  context: StoreContext,
  email: string,
  isNow: boolean,
): Promise<Account> {
  const closed = await context.store.accounts.findClosed(email, context.config.clock());
  if (!closed) return findAccount(context, email);
  if (isNow) return closed;
  throw new CommandError(
    `'${email}' is removed already, and is erased on ${erasedText(closed)}. ` +
      `To erase it at once: brickmark account remove ${email} --now`,
  );
}

async function askToRemove(context: Context, email: string, isNow: boolean): Promise<void> {
  const question = isNow
    ? `Erase ${email} and all its data now? It cannot be restored.`
    : `Remove ${email}? Its keys and sessions end now; it can be restored for ${closedDays} days.`;
  if (!(await confirm(context, question))) {
    throw new CommandError('Canceled; nothing was changed.');
  }
}

async function close(context: StoreContext, email: string, id: number): Promise<void> {
  const at = context.config.clock();
  const accountId = await change(context, id, (store) =>
    store.closeAccount(email, context.operator.by, at),
  );
  if (typeof accountId !== 'number') throw unchanged(email, accountId);
  const until = at + closedMs;
  context.result(
    { email, removed: true, restorable_until: formatInstant(until) },
    `${email} is removed. Until ${momentText(until)}, 'brickmark account restore ${email}' ` +
      'brings it back; then all its data is erased.',
  );
}

async function eraseAccount(context: StoreContext, email: string, accountId: number) {
  const removed = await change(context, accountId, (store) => store.removeAccount(email));
  if (removed !== true) throw unchanged(email, removed);
  await recordDone(context, { action: 'account.erased', accountId });
  context.result(
    { email, removed: true, restorable_until: null },
    `${email} and all its data are erased.`,
  );
}

async function listClosed({
  store,
  config,
  result,
}: Pick<StoreContext, 'store' | 'config' | 'result'>): Promise<void> {
  const list = await store.accounts.listClosed(config.clock());
  const json = list.map((account) => ({
    account_id: account.id,
    email: account.email,
    removed_at: formatInstant(account.closedAt),
    restorable_until: formatInstant(account.closedAt + closedMs),
  }));
  const text = tableOf(list, {
    ID: ({ id }) => id,
    EMAIL: ({ email }) => email,
    REMOVED: ({ closedAt }) => momentText(closedAt),
    'ERASED ON': erasedText,
  });
  result({ accounts: json }, list.length > 0 ? text : 'No removed accounts.');
}

function erasedText({ closedAt }: ClosedAccount): string {
  return momentText(closedAt + closedMs);
}

/** Throws a `CommandError` if there is no such account. */
export async function findAccount(
  { store, config }: Pick<StoreContext, 'store' | 'config'>,
  email: string,
): Promise<Account> {
  const account = await store.accounts.findAccount(email, config.clock());
  if (!account) throw unknownAccount(email);
  return account;
}

/** Also an account that was removed, and can be restored. */
async function findOrClosed(context: StoreContext, email: string) {
  const closed = await context.store.accounts.findClosed(email, context.config.clock());
  return closed ?? findAccount(context, email);
}

/** Changes an account with one method of the store, if the operator may. */
export async function change<T>(
  { store, operator: { role } }: StoreContext,
  accountId: number,
  work: Parameters<typeof store.accounts.changeAs<T>>[1],
): Promise<T> {
  const done = await store.accounts.changeAs({ role, accountId }, work);
  if (done === 'not allowed') throw notAllowed();
  return done;
}

function notAllowed(): CommandError {
  return new CommandError('Only an admin can change an account that has a role.');
}

function readEmail(email: string): string {
  const problem = emailProblem(email);
  if (problem) throw new UsageError(problem);
  return email;
}

/** Anybody with the link can set the password. */
async function printResetLink(
  { email, accountId }: { readonly email: string; readonly accountId: number },
  context: StoreContext,
): Promise<void> {
  const at = context.config.clock();
  const { randomBytes } = context;
  const token = await change(context, accountId, (accounts) =>
    makeResetLink({ accounts, randomBytes }, email, at),
  );
  if (token === null) throw unknownAccount(email);
  await recordDone(context, { action: 'password.link', accountId });
  const link = siteLink(context, `/password/${token}`);
  const until = at + resetLinkMs;
  context.result(
    { email, link, expires_at: formatInstant(until) },
    `${link}\nThe link works once, until ${momentText(until)}. Earlier links no longer work.`,
  );
}

/** The public address of a path, or the path if that address is not known. */
function siteLink({ config: { baseUrl }, say }: Context, path: string): string {
  if (baseUrl === null) say("Add your site's address in front, or set BRICKMARK_BASE_URL.");
  return `${baseUrl ?? ''}${path}`;
}

async function readPasswordHash(context: Context, email: string): Promise<string> {
  const password = await readHidden(context, 'Password: ');
  const problem = passwordProblem(password, email);
  if (problem) throw new UsageError(problem);
  return hashPassword(password, passwordCost);
}

/** Why an account was not changed: it is the only admin, or is gone by now. */
function unchanged(email: string, outcome: 'only admin' | false | null): CommandError {
  return outcome === 'only admin' ? new CommandError(onlyAdminText) : unknownAccount(email);
}

export function unknownAccount(email: string): CommandError {
  return new CommandError(
    `There is ${noAccount(email)}. Run 'brickmark account list' to see all accounts.`,
  );
}
