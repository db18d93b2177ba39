/** `migrate`, `upkeep` and `roles`: the schema, publishing without serving, database roles. */
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { applyRoles, type RolePasswords, roleNames, rolesSql } from '../store/postgres/roles.ts';
import type { SchemaChange } from '../store/sql/schema-version.ts';
import type { Store } from '../store/store.ts';
import { CommandError, type Context, command, withServedStore, withStore } from './command.ts';
import { recordDone } from './command-rules.ts';
import { checkReload, reloadOnRequest } from './reload.ts';
import { UsageError } from './row.ts';
import { metricsAddress, metricsPortFlag, noSyncFlag } from './serve.ts';

export const databaseCommands = [
  command({
    name: 'migrate',
    summary: 'Update the store schema; so do the server and commands that write',
    run: async (_, context) => {
      const changes: SchemaChange[] = [];
      const onMigrated = (change: SchemaChange) => changes.push(change);
      await withStore(context, (store) => recordMigration(store, context, changes), { onMigrated });
      const lines = changes.map(schemaText);
      const text = [...lines, 'The schema is up to date.'].join('\n');
      context.result({ status: 'ok', migrated: changes }, text);
    },
  }),
  command({
    name: 'upkeep',
    summary: 'Keep published data current without serving; for servers whose role cannot publish',
    flags: { 'metrics-port': metricsPortFlag, 'no-sync': noSyncFlag },
    run: async ({ metricsPort, noSync }, context) => {
      await withServedStore(context, async (store) => {
        if (!(await store.mayPublish())) {
          throw new CommandError(
            "This database role cannot publish. Use one created by 'brickmark roles'.",
          );
        }
        const address = metricsAddress(metricsPort, context);
        const upkeep = context.startUpkeep(store, address);
        // Before the message: its reader may send the signal at once.
        const shutdown = context.untilShutdown();
        if (!noSync) context.helpers.startSync();
        reloadOnRequest('upkeep', context, async () => {
          const keyless = checkReload(context.config, { hasSync: !noSync });
          await upkeep.reload();
          await context.helpers.reload();
          return keyless;
        });
        context.say('Keeping published data current. Press Ctrl-C to stop.');
        if (upkeep.metricsUrl) context.say(`Metrics are at ${upkeep.metricsUrl}.`);
        await shutdown;
        await Promise.all([upkeep.stop(), context.helpers.stop()]);
      });
    },
  }),
  command({
    name: 'roles',
    summary: 'Print or run the SQL for least-privilege PostgreSQL roles',
    flags: {
      prefix: {
        help: 'Prefix of the role names',
        value: 'NAME',
        read: readPrefix,
        default: 'brickmark',
      },
      apply: { help: 'Run the SQL instead of printing it' },
      'password-file': {
        help: 'With --apply: file of passwords, one ROLE=PASSWORD per line (api, market, reader)',
        value: 'FILE',
      },
    },
    check: ({ apply, passwordFile }, { config }) => {
      if (!apply && passwordFile !== null) throw new UsageError('--password-file needs --apply.');
      if (apply && config.databaseUrl === null) {
        throw new UsageError('--apply needs a database: --database, or BRICKMARK_DATABASE_URL.');
      }
    },
    run: async ({ prefix, apply, passwordFile }, context) => {
      const { databaseUrl } = context.config;
      if (apply && databaseUrl !== null) {
        return setUpRoles({ databaseUrl, prefix, passwordFile }, context);
      }
      const sql = rolesSql(prefix);
      context.result({ sql }, sql);
    },
  }),
];

async function recordMigration(
  store: Store,
  context: Context,
  changes: readonly SchemaChange[],
): Promise<void> {
  if (changes.length === 0) return;
  const steps = changes.map(({ from, to }) => `schema ${from} to ${to}`);
  const detail = [...new Set(steps)].join(', ');
  await recordDone({ ...context, store }, { action: 'store.migrated', detail });
}

/** The result of `migrate`, and what other commands print when they have updated the schema. */
export function schemaText({ store, from, to }: SchemaChange): string {
  const name = store === 'database' ? 'the database' : store;
  return from === 0
    ? `Created the schema of ${name}: ${to}.`
    : `Updated the schema of ${name} from ${from} to ${to}.`;
}

function readPrefix(text: string): string {
  if (/^[a-z][a-z0-9_]{0,40}$/.test(text)) return text;
  throw new UsageError('--prefix must be at most 41 lowercase letters, digits and underscores.');
}

async function setUpRoles(
  options: {
    readonly databaseUrl: string;
    readonly prefix: string;
    readonly passwordFile: string | null;
  },
  context: Context,
): Promise<void> {
  const { databaseUrl, prefix, passwordFile } = options;
  const passwords = passwordFile === null ? {} : await readRolePasswords(passwordFile, context);
  await applyRoles(databaseUrl, { prefix, passwords });
  const names = roleNames.map((name) => `${prefix}_${name}`);
  const given = roleNames.filter((name) => Object.hasOwn(passwords, name));
  context.result(
    { roles: names, passwords: given },
    `Roles ${names.join(', ')} set up. ` +
      (given.length === 0
        ? 'Their passwords are unchanged.'
        : `Passwords set for ${given.join(', ')}.`),
  );
}

/** Printable ASCII only: programs normalize other characters differently. */
const passwordLine = new RegExp(`^(${roleNames.join('|')})=([\\x20-\\x7e]{1,200})$`);

/**
 * Reads passwords from a file or, for `-`, from standard input, so that neither `ps` nor the shell
 * history contains them. Error messages do not show the line.
 */
async function readRolePasswords(path: string, context: Context): Promise<RolePasswords> {
  const passwords: Record<string, string> = {};
  const content = path === '-' ? await text(context.stdin) : readFileText(path);
  for (const [index, written] of content.split(/\r?\n/).entries()) {
    if (written === '') continue;
    const [, name = '', password = ''] = passwordLine.exec(written) ?? [];
    if (password === '' || Object.hasOwn(passwords, name)) {
      throw new CommandError(
        `Line ${index + 1} of the password file is invalid. Write ROLE=PASSWORD once for each of ` +
          `${roleNames.join(', ')}, with a password of 1 to 200 ASCII characters.`,
      );
    }
    passwords[name] = password;
  }
  return passwords;
}

function readFileText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw new CommandError(`Cannot read '${path}'. Check --password-file.`);
  }
}
