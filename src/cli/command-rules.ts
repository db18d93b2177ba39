/**
 * Which role each operator command needs, and what it adds to the audit log. Without
 * BRICKMARK_OPERATOR, commands run with all rights: the user who runs them has access to the files
 * of the store anyway.
 */
import type { AuditAction, NewAuditEntry } from '../accounts/audit/audit.ts';
import { hasRole, type Role } from '../accounts/people/role.ts';
import type { Store } from '../store/store.ts';
import {
  type Command,
  CommandError,
  type CommandOperator,
  type Context,
  onThisMachine,
  type StoreContext,
  withExistingStore,
} from './command.ts';
import type { Arguments } from './row.ts';

/** Why a command adds no entry to the audit log when it has run. */
export const unrecordedReasons = {
  reads: 'It changes nothing.',
  itself: 'It adds its own entries, because only it knows what it has changed.',
  imports: 'It can run until it is stopped. The import log has what it imports, by source.',
  serves: 'It runs until it is stopped. What people do through it is recorded when they do it.',
  elsewhere: 'It uses no store, or only that of the demo.',
} as const;

/** A rule has either `records` or the reason why not. */
export type CommandRule = {
  /** Null: no role is needed, because the command does not use the store. */
  readonly role: Role | null;
} & (
  | {
      /** The audit entry of a successful run. */
      readonly records: AuditAction;
      /** Without this flag, the command changes nothing. */
      readonly ifFlag?: string;
    }
  | { readonly unrecorded: keyof typeof unrecordedReasons }
);

/** By name. A command without a rule is for admins. */
export const commandRules: Readonly<Record<string, CommandRule>> = {
  serve: { role: 'admin', unrecorded: 'serves' },
  demo: { role: null, unrecorded: 'elsewhere' },
  import: { role: 'operator', records: 'import' },
  'import log': { role: 'support', unrecorded: 'reads' },
  'import undo': { role: 'operator', records: 'import.undone' },
  watch: { role: 'operator', unrecorded: 'imports' },
  sync: { role: 'operator', unrecorded: 'imports' },
  'sync check': { role: 'support', unrecorded: 'reads' },
  'sync status': { role: 'support', unrecorded: 'reads' },
  export: { role: 'operator', records: 'data.exported' },
  value: { role: 'operator', records: 'store.changed' },
  'history seal': { role: 'admin', records: 'store.changed' },
  'history restate': { role: 'admin', records: 'store.changed' },
  'history list': { role: 'support', unrecorded: 'reads' },
  explain: { role: 'support', unrecorded: 'reads' },
  sources: { role: 'support', unrecorded: 'reads' },
  'minifigs unsure': { role: 'support', unrecorded: 'reads' },
  'minifigs join': { role: 'operator', records: 'store.changed' },
  'minifigs part': { role: 'operator', records: 'store.changed' },
  scorecard: { role: 'support', unrecorded: 'reads' },
  backtest: { role: null, unrecorded: 'elsewhere' },
  'account add': { role: 'operator', unrecorded: 'itself' },
  'account invite': { role: 'operator', unrecorded: 'itself' },
  'account plan': { role: 'operator', unrecorded: 'itself' },
  'account role': { role: 'admin', unrecorded: 'itself' },
  'account password': { role: 'operator', unrecorded: 'itself' },
  'account reset-factor': { role: 'operator', unrecorded: 'itself' },
  'account remove': { role: 'operator', unrecorded: 'itself' },
  'account restore': { role: 'operator', unrecorded: 'itself' },
  'account export': { role: 'operator', unrecorded: 'itself' },
  'account list': { role: 'support', unrecorded: 'reads' },
  'key add': { role: 'operator', unrecorded: 'itself' },
  'key list': { role: 'operator', unrecorded: 'reads' },
  'key usage': { role: 'operator', unrecorded: 'reads' },
  'key allowance': { role: 'operator', unrecorded: 'itself' },
  'key access': { role: 'operator', unrecorded: 'itself' },
  'key rename': { role: 'operator', unrecorded: 'itself' },
  'key roll': { role: 'operator', unrecorded: 'itself' },
  'key revoke': { role: 'operator', unrecorded: 'itself' },
  'notice add': { role: 'operator', unrecorded: 'itself' },
  'notice list': { role: 'support', unrecorded: 'reads' },
  'notice remove': { role: 'operator', unrecorded: 'itself' },
  'share list': { role: 'operator', unrecorded: 'reads' },
  audit: { role: 'operator', unrecorded: 'itself' },
  backup: { role: 'admin', records: 'store.backed-up' },
  restore: { role: 'admin', unrecorded: 'itself' },
  move: { role: 'admin', unrecorded: 'itself' },
  migrate: { role: 'admin', unrecorded: 'itself' },
  roles: { role: 'admin', records: 'store.changed', ifFlag: 'apply' },
  reload: { role: 'operator', records: 'server.reloaded' },
  upkeep: { role: 'admin', unrecorded: 'imports' },
  health: { role: null, unrecorded: 'elsewhere' },
  openapi: { role: null, unrecorded: 'elsewhere' },
  completion: { role: null, unrecorded: 'elsewhere' },
  version: { role: null, unrecorded: 'elsewhere' },
};

const withoutRule: CommandRule = { role: 'admin', unrecorded: 'itself' };

/** Runs a command if the operator may, and records it. */
export async function runByRule(
  command: Command,
  typed: Arguments,
  context: Context,
): Promise<void> {
  const rule = commandRules[command.name] ?? withoutRule;
  const { role } = rule;
  const operator = role === null ? onThisMachine : await findOperator(context, command.name, role);
  await command.run(typed, { ...context, operator });
  if (isRecorded(rule, typed))
    await recordCommand(rule.records, { command, typed, context: { ...context, operator } });
}

type RecordedRule = Extract<CommandRule, { readonly records: AuditAction }>;

function isRecorded(rule: CommandRule, { flags }: Arguments): rule is RecordedRule {
  if (!('records' in rule) || flags['dry-run'] === true) return false;
  return rule.ifFlag === undefined || flags[rule.ifFlag] === true;
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
    await recordDone({ ...context, store }, { action, accountId, detail: words });
  };
  // Otherwise `backup` would migrate the store after it has copied it.
  await withExistingStore(context, record, { onlyReads: true }).catch((error: Error) => {
    context.say(`Done, but not in the audit log: ${error.message}`);
  });
}

/** Adds what a command did to the audit log. */
export function recordDone(
  { store, config, operator }: Pick<StoreContext, 'store' | 'config' | 'operator'>,
  done: Omit<NewAuditEntry, 'at' | 'by' | 'network'>,
): Promise<void> {
  return store.accounts.recordAudit({ at: config.clock(), by: operator.by, ...done });
}

async function findId({ accounts }: Store, context: Context, email: string) {
  return (await accounts.findAccount(email, context.config.clock()))?.id ?? null;
}

/** Choices and numbers, without the names of files. */
function plainWords({ operands }: Command, words: readonly string[]): string {
  const choices = Object.values(operands).flatMap((operand) => operand.choices ?? []);
  return words.filter((word) => choices.includes(word) || /^\d{1,15}$/.test(word)).join(' ');
}
