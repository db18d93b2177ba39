/** `key …`: API keys. A key is shown once, when it is made. */

import { createKey, keyNameProblem } from '../accounts/keys.ts';
import { allowanceDefault } from '../contract/limits.ts';
import { noAccount } from '../domain/account/email.ts';
import { leftToday } from '../domain/account/key-places.ts';
import type { ApiKey } from '../domain/account/key-store.ts';
import { isActiveKey } from '../domain/account/keys.ts';
import { dayText, momentText, nounText } from '../domain/kernel/format.ts';
import { formatDay, formatInstant, parseInstant } from '../domain/kernel/time.ts';
import {
  type Arguments,
  type Command,
  CommandError,
  flagInteger,
  flagText,
  readInteger,
  takeWords,
  UsageError,
} from './command.ts';
import { table } from './table.ts';
import { withExistingStore } from './with-store.ts';

const allowances = { min: 1, max: 1_000_000_000 };
const keyIds = { min: 1, max: Number.MAX_SAFE_INTEGER };

/** All commands about keys. */
export const keyCommands: readonly Command[] = [
  {
    name: 'key add',
    operands: 'EMAIL',
    summary: 'Create an API key; it is shown only once',
    flags: {
      name: { help: 'Name of the key', value: 'TEXT' },
      expires: { help: 'When the key expires', value: 'ISO' },
      allowance: { help: `Calls per UTC day (default ${allowanceDefault})`, value: 'N' },
    },
    run: async (args, context) => {
      const [email = ''] = takeWords(args, ['EMAIL']);
      const at = context.config.clock();
      const options = {
        email,
        name: readName(args),
        allowance: flagInteger(args, 'allowance', allowances) ?? allowanceDefault,
        expiresAt: readExpiry(args, at),
        at,
      };
      await withExistingStore(context, async ({ accounts }) => {
        const made = await createKey(accounts, options, context.randomBytes);
        if ('refusal' in made) throw new CommandError(made.refusal);
        const account = await accounts.findAccount(email, at);
        if (account?.plan === 'free') {
          context.say(`API calls need the Reseller plan: brickmark account plan ${email} reseller`);
        }
        context.result(
          { key_id: made.id, key: made.key },
          `Key ${made.id}: ${made.key}\nSave it now. You won't be able to see it again.`,
        );
      });
    },
  },
  {
    name: 'key list',
    operands: 'EMAIL',
    summary: "List an account's API keys",
    flags: {},
    run: async (args, context) => {
      const [email = ''] = takeWords(args, ['EMAIL']);
      const at = context.config.clock();
      await withExistingStore(context, async ({ accounts }) => {
        const keys = await accounts.listKeys(email, at);
        if (!keys)
          throw new CommandError(
            `There is ${noAccount(email)}. Run 'brickmark account list' to see all accounts.`,
          );
        const text =
          keys.length > 0
            ? keyTable(keys, at)
            : `${email} has no keys. Create one with 'brickmark key add ${email}'.`;
        context.result({ keys: keys.map((key) => keyJson(key, at)) }, text);
      });
    },
  },
  {
    name: 'key allowance',
    operands: 'KEY_ID N',
    summary: "Change a key's daily allowance",
    flags: {},
    run: async (args, context) => {
      const [id = '', calls = ''] = takeWords(args, ['KEY_ID', 'N']);
      const keyId = readInteger(id, 'KEY_ID', keyIds);
      const allowance = readInteger(calls, 'N', allowances);
      await withExistingStore(context, async ({ accounts }) => {
        if (!(await accounts.setAllowance(keyId, allowance))) throw noKey(keyId);
        context.result(
          { key_id: keyId, allowance },
          `Key ${keyId} now has ${nounText(allowance, 'call')} per day.`,
        );
      });
    },
  },
  {
    name: 'key revoke',
    operands: 'KEY_ID',
    summary: 'Revoke a key immediately',
    flags: {},
    run: async (args, context) => {
      const [id = ''] = takeWords(args, ['KEY_ID']);
      const keyId = readInteger(id, 'KEY_ID', keyIds);
      await withExistingStore(context, async ({ accounts }) => {
        if (!(await accounts.revokeKey(keyId, context.config.clock()))) throw noKey(keyId);
        context.result({ key_id: keyId, revoked: true }, `Key ${keyId} revoked.`);
      });
    },
  },
];

function readName(args: Arguments): string {
  const name = flagText(args, 'name')?.trim() || 'API key';
  const problem = keyNameProblem(name);
  if (problem) throw new UsageError(problem);
  return name;
}

function readExpiry(args: Arguments, at: number): number | null {
  const text = flagText(args, 'expires');
  if (text === null) return null;
  const expiresAt = parseInstant(text);
  if (expiresAt === null) {
    throw new UsageError(`--expires '${text}' is not a time such as 2027-01-31T00:00:00Z.`);
  }
  if (expiresAt <= at) throw new UsageError(`--expires '${text}' is in the past.`);
  return expiresAt;
}

function stateOf(key: ApiKey, at: number): string {
  if (key.revokedAt !== null) return 'revoked';
  return isActiveKey(key, at) ? 'active' : 'expired';
}

function keyJson(key: ApiKey, at: number) {
  return {
    key_id: key.id,
    name: key.name,
    prefix: key.prefix,
    state: stateOf(key, at),
    allowance: key.allowance,
    used_today: key.usedToday,
    left_today: isActiveKey(key, at) ? leftToday(key) : 0,
    created_at: formatInstant(key.createdAt),
    expires_at: key.expiresAt === null ? null : formatInstant(key.expiresAt),
    last_used_at: key.lastUsedAt === null ? null : formatInstant(key.lastUsedAt),
  };
}

function keyTable(keys: readonly ApiKey[], at: number): string {
  const rows = keys.map((key) => [
    key.id,
    `${key.prefix}…`,
    key.name,
    stateOf(key, at),
    key.allowance,
    key.usedToday,
    isActiveKey(key, at) ? leftToday(key) : '-',
    dayText(formatDay(key.createdAt)),
    key.expiresAt === null ? 'never' : momentText(key.expiresAt),
  ]);
  const heading = [
    'ID',
    'KEY',
    'NAME',
    'STATUS',
    'ALLOWANCE',
    'USED TODAY',
    'LEFT TODAY',
    'CREATED',
    'EXPIRES',
  ];
  return table(heading, rows);
}

function noKey(keyId: number): CommandError {
  return new CommandError(
    `No key with ID ${keyId}. Run 'brickmark key list EMAIL' to see an account's keys.`,
  );
}
