/** `key …`: API keys. A key is shown only once, when it is created. */

import { createKey, keyNameProblem, rollKey } from '../accounts/keys/api-keys.work.ts';
import { endpointCsv } from '../accounts/keys/endpoint-usage.ts';
import { endpointRecords } from '../accounts/keys/endpoint-uses.work.ts';
import { leftToday } from '../accounts/keys/key-places.ts';
import { type ApiKey, allowances, isActiveKey, oldSecretMs } from '../accounts/keys/keys.ts';
import { allScopes, parseScope, scopeBits, scopeNames, scopes } from '../accounts/keys/scopes.ts';
import { readNetworks } from '../accounts/people/network.ts';
import { allowanceDefault } from '../contract/limits.ts';
import { dayText, momentText, nounText } from '../kernel/format.ts';
import { formatDay, formatInstant, formatInstantOrNull } from '../kernel/time.ts';
import { change, findAccount, unknownAccount } from './accounts.ts';
import { CommandError, command, type StoreContext } from './command.ts';
import { recordDone } from './command-rules.ts';
import { type ReadOptions, readInstant, UsageError } from './row.ts';
import { checkFormat, tableOf, tableOrCsv } from './table.ts';

const keyId = { label: 'KEY_ID', integer: { min: 1, max: Number.MAX_SAFE_INTEGER } } as const;

export const keyCommands = [
  command({
    name: 'key add',
    operands: { email: { label: 'EMAIL' } },
    summary: 'Create an API key; it is shown only once',
    flags: {
      name: { help: 'Name of the key', value: 'TEXT', read: readName },
      scopes: {
        help: `What it may be used for: ${scopes.join(',')} (default: all)`,
        value: 'LIST',
        read: readScopes,
      },
      networks: {
        help: 'The only networks it may be used from (default: all)',
        value: 'LIST',
        read: readNetworkList,
      },
      test: { help: 'Create a test key: fixed data at no cost' },
      expires: { help: 'When the key expires', value: 'ISO', read: readExpiry },
      allowance: {
        help: 'Calls per UTC day',
        value: 'N',
        integer: allowances,
        default: allowanceDefault,
      },
    },
    needs: 'existing store',
    run: async ({ email, name, scopes, networks, test, expires, allowance }, context) => {
      const at = context.config.clock();
      const account = await findAccount(context, email);
      const options = {
        email,
        name: name ?? nameDefault,
        scopes: scopes ?? allScopes,
        networks: networks || null,
        isTest: test,
        isLimited: (scopes ?? allScopes) !== allScopes || Boolean(networks) || expires !== null,
        allowance,
        expiresAt: expires,
        at,
      };
      const created = await change(context, account.id, (store) =>
        createKey(store, options, context.randomBytes),
      );
      if ('refusal' in created) throw new CommandError(created.refusal);
      const done = { accountId: account.id, detail: `key ${created.id}` };
      await recordDone(context, { action: 'key.added', ...done });
      if (account.plan === 'free') {
        context.say(`API calls need the Reseller plan: brickmark account plan ${email} reseller`);
      }
      context.result(
        { key_id: created.id, key: created.key },
        `Key ${created.id}: ${created.key}\nSave it now. You won't be able to see it again.`,
      );
    },
  }),
  command({
    name: 'key list',
    operands: { email: { label: 'EMAIL' } },
    summary: "List an account's API keys",
    needs: 'store to read',
    run: async ({ email }, { store, config, result }) => {
      const at = config.clock();
      const keys = await store.accounts.listKeys(email, at);
      if (!keys) throw unknownAccount(email);
      const text =
        keys.length > 0
          ? keyTable(keys, at)
          : `${email} has no keys. Create one with 'brickmark key add ${email}'.`;
      result({ keys: keys.map((key) => keyJson(key, at)) }, text);
    },
  }),
  command({
    name: 'key usage',
    operands: { email: { label: 'EMAIL' } },
    summary: "List calls of an account's API keys by day and endpoint; approximate",
    flags: { format: tableOrCsv },
    needs: 'store to read',
    check: checkFormat,
    run: async ({ email, format }, context) => {
      const { accounts } = context.store;
      const who = { accountId: (await findAccount(context, email)).id, email };
      const usage = await endpointRecords(accounts, who, context.config.clock());
      if (format === 'csv') await context.write(endpointCsv(usage));
      else context.result({ usage }, usageTable(usage));
    },
  }),
  command({
    name: 'key allowance',
    operands: { id: keyId, allowance: { label: 'N', integer: allowances } },
    summary: "Change a key's daily allowance",
    needs: 'existing store',
    run: async ({ id, allowance }, context) => {
      const { accountId } = await findKeyOwner(context, id);
      await change(context, accountId, (store) => store.setAllowance(accountId, id, allowance));
      const detail = `key ${id}, ${allowance} calls`;
      await recordDone(context, { action: 'key.allowance', accountId, detail });
      context.result(
        { key_id: id, allowance },
        `Key ${id} now has ${nounText(allowance, 'call')} per day.`,
      );
    },
  }),
  command({
    name: 'key rename',
    operands: { id: keyId, name: { label: 'NAME', read: readName } },
    summary: 'Rename a key',
    needs: 'existing store',
    run: async ({ id, name }, context) => {
      const { accountId } = await findKeyOwner(context, id);
      await change(context, accountId, (store) => store.renameKey(accountId, id, name));
      const done = { accountId, detail: `key ${id}` };
      await recordDone(context, { action: 'key.renamed', ...done });
      context.result({ key_id: id, name }, `Key ${id} is now called ${name}.`);
    },
  }),
  command({
    name: 'key access',
    operands: { id: keyId },
    summary: 'Change what a key may be used for, and from where; its owner then cannot',
    flags: {
      scopes: {
        help: `What it may be used for: ${scopes.join(',')}, or all (default: as before)`,
        value: 'LIST',
        read: readScopes,
      },
      networks: {
        help: 'The only networks it may be used from, or all (default: as before)',
        value: 'LIST',
        read: readNetworkList,
      },
    },
    needs: 'existing store',
    run: async ({ id, ...changed }, context) => {
      if (changed.scopes === null && changed.networks === null) {
        throw new UsageError('Name --scopes, --networks or both.');
      }
      const { accounts } = context.store;
      const { accountId, email } = await findKeyOwner(context, id);
      const keys = (await accounts.listKeys(email, context.config.clock())) ?? [];
      const key = keys.find((each) => each.id === id);
      if (!key) throw unknownKey(id);
      const access = {
        scopes: changed.scopes ?? key.scopes,
        networks: changed.networks === null ? key.networks : changed.networks || null,
      };
      await change(context, accountId, (store) =>
        store.setKeyAccess(accountId, id, { ...access, isLimited: true }),
      );
      const done = { accountId, detail: `key ${id}` };
      await recordDone(context, { action: 'key.access', ...done });
      const names = scopeNames(access.scopes);
      const networks = access.networks?.split(' ') ?? null;
      const from = networks?.join(', ') ?? 'everywhere';
      context.result(
        { key_id: id, scopes: names, networks },
        `Key ${id} may be used for ${names.join(', ')}, from ${from}.`,
      );
    },
  }),
  command({
    name: 'key roll',
    operands: { id: keyId },
    summary: 'Give a key a new secret; the old one works for 24 hours more',
    flags: {
      expires: {
        help: 'When the key expires (default: as before)',
        value: 'ISO',
        read: readExpiry,
      },
    },
    needs: 'existing store',
    run: async ({ id, expires }, context) => {
      const { accounts } = context.store;
      const at = context.config.clock();
      const { accountId, email } = await findKeyOwner(context, id);
      const key = (await accounts.listKeys(email, at))?.find((each) => each.id === id);
      const expiresAt = expires ?? key?.expiresAt ?? null;
      const terms = { expiresAt, at };
      const { randomBytes } = context;
      const secret = await change(context, accountId, async (store) =>
        key ? rollKey(store, accountId, key, terms, randomBytes) : null,
      );
      if (secret === null) {
        throw new CommandError(
          `Key ${id} is not active, or was rolled just now. It was not rolled.`,
        );
      }
      const done = { accountId, detail: `key ${id}` };
      await recordDone(context, { action: 'key.rolled', ...done });
      const until = formatInstant(at + oldSecretMs);
      context.result(
        { key_id: id, key: secret, old_secret_until: until },
        `Key ${id}: ${secret}\nSave it now. You won't be able to see it again. ` +
          `The old secret works until ${momentText(at + oldSecretMs)}.`,
      );
    },
  }),
  command({
    name: 'key revoke',
    operands: { id: keyId },
    summary: 'Revoke a key immediately',
    needs: 'existing store',
    run: async ({ id }, context) => {
      const { accountId } = await findKeyOwner(context, id);
      const at = context.config.clock();
      await change(context, accountId, (store) => store.revokeKey(accountId, id, at));
      const done = { accountId, detail: `key ${id}` };
      await recordDone(context, { action: 'key.revoked', ...done });
      context.result({ key_id: id, revoked: true }, `Key ${id} revoked.`);
    },
  }),
];

async function findKeyOwner(context: StoreContext, id: number) {
  const owner = await context.store.accounts.findKeyOwner(id);
  if (!owner) throw unknownKey(id);
  return owner;
}

const nameDefault = 'API key';

function readName(text: string): string {
  const name = text.trim() || nameDefault;
  const problem = keyNameProblem(name);
  if (problem) throw new UsageError(problem);
  return name;
}

/** The bits of a comma-separated list. */
function readScopes(text: string): number {
  if (text === 'all') return allScopes;
  const names = text.split(',').map((part) => {
    const scope = parseScope(part.trim());
    if (scope) return scope;
    throw new UsageError(
      `--scopes: '${part.trim()}' is not a scope. Use ${scopes.join(', ')}, separated by commas.`,
    );
  });
  return scopeBits(names);
}

/** Empty for `all`. Empty input is an error: an unset variable would mean all networks. */
function readNetworkList(text: string): string {
  if (text === 'all') return '';
  const read = readNetworks(text);
  const problem = 'problem' in read ? read.problem : 'Name at least one network, or leave it out.';
  if ('problem' in read || read.networks === null) throw new UsageError(`--networks: ${problem}`);
  return read.networks;
}

function readExpiry(text: string, options: ReadOptions): number {
  const expiresAt = readInstant(text, options);
  if (expiresAt <= options.now) throw new UsageError(`--expires '${text}' is in the past.`);
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
    scopes: scopeNames(key.scopes),
    networks: key.networks?.split(' ') ?? null,
    is_test: key.isTest,
    is_limited: key.isLimited,
    old_secret_until: key.old && key.old.until > at ? formatInstant(key.old.until) : null,
    allowance: key.allowance,
    used_today: key.usedToday,
    left_today: isActiveKey(key, at) ? leftToday(key) : 0,
    created_at: formatInstant(key.createdAt),
    expires_at: formatInstantOrNull(key.expiresAt),
    last_used_at: formatInstantOrNull(key.lastUsedAt),
  };
}

function keyTable(keys: readonly ApiKey[], at: number): string {
  return tableOf(keys, {
    ID: ({ id }) => id,
    KEY: ({ prefix }) => `${prefix}…`,
    NAME: ({ name }) => name,
    STATUS: (key) => (key.isTest ? `${stateOf(key, at)}, test` : stateOf(key, at)),
    SCOPES: ({ scopes }) => (scopes === allScopes ? 'all' : scopeNames(scopes).join(',')),
    ALLOWANCE: ({ allowance }) => allowance,
    'USED TODAY': ({ usedToday }) => usedToday,
    'LEFT TODAY': (key) => (isActiveKey(key, at) ? leftToday(key) : '-'),
    'LAST USED': ({ lastUsedAt }) => (lastUsedAt === null ? 'never' : momentText(lastUsedAt)),
    CREATED: ({ createdAt }) => dayText(formatDay(createdAt)),
    EXPIRES: ({ expiresAt }) => (expiresAt === null ? 'never' : momentText(expiresAt)),
  });
}

function usageTable(usage: Awaited<ReturnType<typeof endpointRecords>>): string {
  if (usage.length === 0) return 'No calls yet.';
  return tableOf(usage, {
    DAY: ({ date }) => dayText(date),
    KEY: ({ key_prefix }) => (key_prefix === null ? '-' : `${key_prefix}…`),
    NAME: ({ key_name }) => key_name ?? '-',
    ENDPOINT: ({ endpoint }) => endpoint,
    CALLS: ({ calls }) => calls,
    COST: ({ cost }) => cost,
    ERRORS: ({ errors }) => errors,
  });
}

function unknownKey(keyId: number): CommandError {
  return new CommandError(
    `No key with ID ${keyId}. Run 'brickmark key list EMAIL' to see an account's keys.`,
  );
}
