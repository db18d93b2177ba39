/** What operators of PostgreSQL need besides: the schema, the upkeep alone, and the roles. */
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { applyRoles, type RolePasswords, roleNames, rolesSql } from '../store/postgres/roles.ts';
import {
  type Arguments,
  type Command,
  CommandError,
  type Context,
  flagText,
  takeWords,
  UsageError,
} from './command.ts';
import { metricsAddress } from './serve.ts';
import { noSyncFlag, startSyncProcess } from './sync-process.ts';
import { withStore } from './with-store.ts';

/** All of these commands. */
export const databaseCommands: readonly Command[] = [
  {
    name: 'migrate',
    operands: '',
    summary: 'Update the store schema; other commands do this when their role allows it',
    flags: {},
    run: async (args, context) => {
      takeWords(args, []);
      await withStore(context, async () => {});
      context.result({ status: 'ok' }, 'The schema is up to date.');
    },
  },
  {
    name: 'upkeep',
    operands: '',
    summary: 'Keep published data current without serving; for servers whose role cannot publish',
    flags: {
      'metrics-port': { help: 'Port for metrics (default: off)', value: 'PORT' },
      'no-sync': noSyncFlag,
    },
    run: async (args, context) => {
      takeWords(args, []);
      await withStore(
        context,
        async (store) => {
          if (!(await store.mayPublish())) {
            throw new CommandError(
              "This database role cannot publish. Use one created by 'brickmark roles'.",
            );
          }
          const { metricsUrl, stop } = context.startUpkeep(store, metricsAddress(args, context));
          // Whoever reads the sentence may ask at once.
          const shutdown = context.untilShutdown();
          context.say('Keeping published data current. Press Ctrl-C to stop.');
          if (metricsUrl) context.say(`Metrics are at ${metricsUrl}.`);
          const stopSync = args.flags['no-sync'] ? null : startSyncProcess(context);
          await shutdown;
          await Promise.all([stop(), stopSync?.()]);
        },
        { isServing: true },
      );
    },
  },
  {
    name: 'roles',
    operands: '',
    summary: 'Print or run the SQL for least-privilege PostgreSQL roles',
    flags: {
      prefix: { help: 'Prefix of the role names (default brickmark)', value: 'NAME' },
      apply: { help: 'Run the SQL instead of printing it' },
      'password-file': {
        help: 'With --apply: file of passwords, one ROLE=PASSWORD per line (api, market, reader)',
        value: 'FILE',
      },
    },
    run: runRoles,
  },
];

async function runRoles(args: Arguments, context: Context): Promise<void> {
  takeWords(args, []);
  const prefix = flagText(args, 'prefix') ?? 'brickmark';
  if (!/^[a-z][a-z0-9_]{0,40}$/.test(prefix)) {
    throw new UsageError('--prefix must be at most 41 lowercase letters, digits and underscores.');
  }
  const passwordFile = flagText(args, 'password-file');
  if (args.flags.apply !== true) {
    if (passwordFile !== null) throw new UsageError('--password-file needs --apply.');
    const sql = rolesSql(prefix);
    context.result({ sql }, sql);
    return;
  }
  const { databaseUrl } = context.config;
  if (databaseUrl === null) {
    throw new UsageError('--apply needs a database: --database, or BRICKMARK_DATABASE_URL.');
  }
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

/** Printable ASCII: beyond it, programs do not agree on what the same password is. */
const passwordLine = new RegExp(`^(${roleNames.join('|')})=([\\x20-\\x7e]{1,200})$`);

/**
 * The passwords in a file (`-`: standard input), where neither `ps` nor a shell's history has them.
 * No message shows what a line holds.
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
