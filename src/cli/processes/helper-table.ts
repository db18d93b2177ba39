/** All helper processes of a server: what each does, when, and what it gets. */
import { resolve } from 'node:path';
import type { Config, HelperKind, settings } from '../../config.ts';
import { formatInstant, minuteMs, secondMs } from '../../kernel/time.ts';

type Setting = keyof typeof settings;

interface HelperRow {
  readonly work: string;
  /** When it runs. All end with the server, and are restarted if they end before. */
  readonly runs: string;
  /** The role on PostgreSQL of the process that starts it, and so its own. */
  readonly role: 'api' | 'market';
  /** How long its event loop may be blocked: by its longest work, on a busy machine too. */
  readonly blockedMs: number;
  /** A nice value: API calls have priority. */
  readonly niceness: number;
  /** Maximum delay before it is restarted. */
  readonly restartMsMax: number;
  /** Whether it signs or encrypts. */
  readonly hasSecretFile: boolean;
  /** The settings that it reads, except those that every helper gets. */
  readonly settings: readonly Setting[];
}

const common: readonly Setting[] = [
  'BRICKMARK_DATABASE_CONNECTIONS',
  'BRICKMARK_RETAILER_A_NAME',
  'BRICKMARK_RETAILER_B_NAME',
  'BRICKMARK_LOG',
];

export const helperTable: Readonly<Record<HelperKind, HelperRow>> = {
  pages: {
    work: 'pages of the web app',
    runs: 'always',
    role: 'api',
    blockedMs: 2 * minuteMs,
    niceness: 10,
    restartMsMax: 2 * secondMs,
    hasSecretFile: true,
    settings: [
      'BRICKMARK_REPLICA_URL',
      'BRICKMARK_BASE_URL',
      'BRICKMARK_SIGN_UP',
      'BRICKMARK_PUBLIC_PAGES',
      'BRICKMARK_OIDC_ISSUER',
      'BRICKMARK_OIDC_CLIENT_ID',
      'BRICKMARK_OIDC_CLIENT_SECRET',
      'BRICKMARK_OIDC_NAME',
      'BRICKMARK_OIDC_DOMAINS',
      'BRICKMARK_CONTACT',
      'BRICKMARK_SECURITY_CONTACT',
      'BRICKMARK_REQUIRE_SIGN_IN',
      'BRICKMARK_PICTURE_HOSTS',
      'BRICKMARK_PICTURE_CACHE_MB',
      'BRICKMARK_PHOTO_MB',
      'BRICKMARK_ALLOWED_NETWORKS',
      'BRICKMARK_SMTP_URL',
      'BRICKMARK_MAIL_FROM',
    ],
  },
  answers: {
    work: 'API calls of accounts with many lots and sales',
    runs: 'from the first such call on',
    role: 'api',
    blockedMs: 2 * minuteMs,
    niceness: 0,
    restartMsMax: 2 * secondMs,
    hasSecretFile: false,
    settings: ['BRICKMARK_REPLICA_URL'],
  },
  delivery: {
    work: 'webhooks and alerts',
    runs: 'once an account has any',
    role: 'api',
    blockedMs: 2 * minuteMs,
    niceness: 5,
    restartMsMax: 2 * secondMs,
    hasSecretFile: true,
    settings: [
      'BRICKMARK_REPLICA_URL',
      'BRICKMARK_BASE_URL',
      'BRICKMARK_ALLOWED_NETWORKS',
      'BRICKMARK_SMTP_URL',
      'BRICKMARK_MAIL_FROM',
      'BRICKMARK_BULK_COST',
    ],
  },
  upkeep: {
    work: 'sync, learning and bulk files',
    runs: 'while sources are configured, something is learned, or bulk files are made',
    role: 'market',
    // It imports and values, which takes minutes for large files.
    blockedMs: 30 * minuteMs,
    niceness: 10,
    restartMsMax: 30 * secondMs,
    hasSecretFile: false,
    // Also the variables that the settings of sources name.
    settings: ['BRICKMARK_SOURCES', 'BRICKMARK_BASE_URL'],
  },
};

/** System variables: paths, language, certificates, proxies, libpq, name resolution. */
const systemForms = [
  /^(PATH|HOME|USER|LOGNAME|LANG|LANGUAGE|TMPDIR|TMP|TEMP)$/,
  /^(TZ|LC_|XDG_|BUN_|NODE_|SSL_CERT_|PG|LD_|DYLD_)/,
  // Of resolvers.
  /^(NSS_|RES_|HOSTALIASES$|LOCALDOMAIN$)/,
  /^(https?|all|no)_proxy$/i,
];

export function systemVariables(environment: Environment = process.env): Environment {
  const isSystem = (name: string) => systemForms.some((form) => form.test(name));
  return Object.fromEntries(Object.entries(environment).filter(([name]) => isSystem(name)));
}

export type Environment = Readonly<Record<string, string | undefined>>;

interface HelperTask {
  readonly kind: HelperKind;
  /** Its arguments, in BRICKMARK_HELPER. */
  readonly task: string;
  /** Other variables that it reads, such as the secrets of sources. */
  readonly variables?: readonly string[];
  readonly environment?: Environment;
}

/** Settings are passed in the environment, as other users can see command lines. */
export function environmentOf(
  { dataFolder, databaseUrl, secretFile, clock, clockShiftMs }: Config,
  { kind, task, variables = [], environment = process.env }: HelperTask,
): Environment {
  const { settings, hasSecretFile } = helperTable[kind];
  const read: readonly string[] = [...common, ...settings, ...variables];
  return {
    ...systemVariables(environment),
    ...Object.fromEntries(Object.entries(environment).filter(([name]) => read.includes(name))),
    BRICKMARK_DATA: resolve(dataFolder),
    BRICKMARK_DATABASE_URL: databaseUrl ?? '',
    BRICKMARK_SECRET_FILE: (hasSecretFile && secretFile) || '',
    BRICKMARK_HELPER: `${kind} ${task}`.trim(),
    BRICKMARK_WORKER: '',
    ...(clockShiftMs !== 0 && { BRICKMARK_NOW: formatInstant(clock()) }),
  };
}
