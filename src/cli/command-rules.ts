/**
 * Which role each operator command needs, and what it adds to the audit log. Without
 * BRICKMARK_OPERATOR, commands run with all rights: the user who runs them has access to the files
 * of the store anyway.
 */
import type { AuditAction, NewAuditEntry } from '../domain/account/audit.ts';
import { hasRole, type Role } from '../domain/account/role.ts';
import type { Store } from '../store/store.ts';
import {
  type Command,
  CommandError,
  type CommandOperator,
  type Context,
  onThisMachine,
  withExistingStore,
  withStore,
} from './command.ts';
import type { Arguments } from './row.ts';

export interface CommandRule {
  /** Null: no role is needed, because the command does not use the store. */
  readonly role: Role | null;
  /** The audit entry of a successful run; commands about one account add their own. */
  readonly records?: AuditAction;
}

/** By name. A command without a rule is for admins. */
export const commandRules: Readonly<Record<string, CommandRule>> = {
  serve: { role: 'admin' },
  demo: { role: null },
  import: { role: 'operator', records: 'import' },
  'import log': { role: 'support' },
  'import undo': { role: 'operator', records: 'import.undone' },
  watch: { role: 'operator' },
  sync: { role: 'operator' },
  'sync check': { role: 'support' },
  'sync status': { role: 'support' },
  export: { role: 'operator', records: 'data.exported' },
  value: { role: 'operator' },
  'history seal': { role: 'admin', records: 'store.changed' },
  'history restate': { role: 'admin', records: 'store.changed' },
  'history list': { role: 'support' },
  explain: { role: 'support' },
  sources: { role: 'support' },
  'minifigs unsure': { role: 'support' },
  'minifigs join': { role: 'operator' },
  'minifigs part': { role: 'operator' },
  scorecard: { role: 'support' },
  backtest: { role: null },
  'account add': { role: 'operator' },
  'account invite': { role: 'operator' },
  'account plan': { role: 'operator' },
  'account role': { role: 'admin' },
  'account password': { role: 'operator' },
  'account reset-factor': { role: 'operator' },
  'account remove': { role: 'operator' },
  'account restore': { role: 'operator' },
  'account export': { role: 'operator' },
  'account list': { role: 'support' },
  'key add': { role: 'operator' },
  'key list': { role: 'operator' },
  'key usage': { role: 'operator' },
  'key allowance': { role: 'operator' },
  'key access': { role: 'operator' },
  'key rename': { role: 'operator' },
  'key roll': { role: 'operator' },
  'key revoke': { role: 'operator' },
  'notice add': { role: 'operator' },
  'notice list': { role: 'support' },
  'notice remove': { role: 'operator' },
  'share list': { role: 'operator' },
  audit: { role: 'operator' },
  backup: { role: 'admin', records: 'store.backed-up' },
  // The restored store has the audit log of the backup.
  restore: { role: 'admin' },
  move: { role: 'admin' },
  migrate: { role: 'admin' },
  roles: { role: 'admin' },
  reload: { role: 'operator' },
  upkeep: { role: 'admin' },
  health: { role: null },
  openapi: { role: null },
  completion: { role: null },
  version: { role: null },
};

const withoutRule: CommandRule = { role: 'admin' };

/** Runs a command if the operator may, and records it. */
export async function runByRule(
  command: Command,
  typed: Arguments,
  context: Context,
): Promise<void> {
  const { role, records } = commandRules[command.name] ?? withoutRule;
  const operator = role === null ? onThisMachine : await findOperator(context, command.name, role);
  await command.run(typed, { ...context, operator });
  if (records && typed.flags['dry-run'] !== true) {
    await recordCommand(records, { command, typed, context: { ...context, operator } });
  }
}

/** Throws a `CommandError` if the account of BRICKMARK_OPERATOR may not run the command. */
async function findOperator(
  context: Context,
  name: string,
  needed: Role,
): Promise<CommandOperator> {
  const { operator: email, clock } = context.config;
  if (email === null) return onThisMachine;
  const account = await withExistingStore(context, ({ accounts }) =>
    accounts.findAccount(email, clock()),
  );
  if (!account?.role) {
    throw new CommandError(
      `BRICKMARK_OPERATOR is '${email}', which is no account with a role. ` +
        "Unset it, or run 'brickmark account list' to see roles.",
    );
  }
  if (!hasRole(account.role, needed)) {
    throw new CommandError(
      `'${name}' needs the role ${needed}, and ${email} has ${account.role}. Ask an admin.`,
    );
  }
  return { role: account.role, by: { kind: 'machine', accountId: account.id } };
}

/** The command has run, so a failure is only a warning. */
async function recordCommand(
  action: AuditAction,
  ran: { readonly command: Command; readonly typed: Arguments; readonly context: Context },
): Promise<void> {
  const { command, typed, context } = ran;
  const record = async (store: Store) => {
    const { account } = typed.flags;
    const accountId = typeof account === 'string' ? await findId(store, context, account) : null;
    const words = action === 'store.changed' ? command.name : plainWords(command, typed.words);
    await recordDone(store, context, { action, accountId, detail: words });
  };
  await withStore(context, record).catch((error: Error) => {
    context.say(`Done, but not in the audit log: ${error.message}`);
  });
}

/** Adds what a command did to the audit log. */
export function recordDone(
  { accounts }: Pick<Store, 'accounts'>,
  { config, operator }: Pick<Context, 'config' | 'operator'>,
  done: Omit<NewAuditEntry, 'at' | 'by' | 'network'>,
): Promise<void> {
  return accounts.recordAudit({ at: config.clock(), by: operator.by, ...done });
}

async function findId({ accounts }: Store, context: Context, email: string) {
  return (await accounts.findAccount(email, context.config.clock()))?.id ?? null;
}

/** Choices and numbers, without the names of files. */
function plainWords({ operands }: Command, words: readonly string[]): string {
  const choices = Object.values(operands).flatMap((operand) => operand.choices ?? []);
  return words.filter((word) => choices.includes(word) || /^\d{1,15}$/.test(word)).join(' ');
}
