/** The settings that each helper process gets. None gets a secret that it does not need. */
import { resolve } from 'node:path';
import type { Config, settings } from '../../config.ts';
import { formatInstant } from '../../domain/kernel/time.ts';
import type { WatchedHelper } from './heartbeat.ts';

type Setting = keyof typeof settings;

const all: readonly WatchedHelper[] = ['pages', 'answers', 'delivery', 'sync', 'learning'];
const none: readonly WatchedHelper[] = [];

/** Which helpers read a setting. Those set for each of them are empty here. */
export const settingReaders: Readonly<Record<Setting, readonly WatchedHelper[]>> = {
  BRICKMARK_DATA: none,
  BRICKMARK_SOURCES: ['sync'],
  BRICKMARK_SECRET_FILE: none,
  BRICKMARK_DATABASE_URL: none,
  BRICKMARK_REPLICA_URL: ['pages', 'answers', 'delivery'],
  BRICKMARK_DATABASE_CONNECTIONS: all,
  BRICKMARK_BASE_URL: ['pages', 'delivery', 'sync'],
  BRICKMARK_SIGN_UP: ['pages'],
  BRICKMARK_PUBLIC_PAGES: ['pages'],
  BRICKMARK_OIDC_ISSUER: ['pages'],
  BRICKMARK_OIDC_CLIENT_ID: ['pages'],
  BRICKMARK_OIDC_CLIENT_SECRET: ['pages'],
  BRICKMARK_OIDC_NAME: ['pages'],
  BRICKMARK_SECURITY_CONTACT: ['pages'],
  BRICKMARK_REQUIRE_SIGN_IN: ['pages'],
  BRICKMARK_OPERATOR: none,
  BRICKMARK_MCP_ORIGINS: none,
  BRICKMARK_NOW: none,
  BRICKMARK_RETAILER_A_NAME: all,
  BRICKMARK_RETAILER_B_NAME: all,
  BRICKMARK_PICTURE_HOSTS: ['pages'],
  BRICKMARK_PICTURE_CACHE_MB: ['pages'],
  BRICKMARK_PHOTO_MB: ['pages'],
  BRICKMARK_TRUSTED_PROXIES: none,
  BRICKMARK_ALLOWED_NETWORKS: ['pages', 'delivery'],
  BRICKMARK_SMTP_URL: ['pages', 'delivery'],
  BRICKMARK_MAIL_FROM: ['pages', 'delivery'],
  BRICKMARK_LOG: all,
  BRICKMARK_METRICS_PORT: none,
  BRICKMARK_METRICS_HOST: none,
  BRICKMARK_DRAIN_SECONDS: none,
  BRICKMARK_BULK_COST: ['delivery'],
  BRICKMARK_PLUS_RATE: none,
  BRICKMARK_BULK_TARGET: none,
  BRICKMARK_S3_ENDPOINT: none,
  BRICKMARK_S3_REGION: none,
  BRICKMARK_S3_ACCESS_KEY_ID: none,
  BRICKMARK_S3_SECRET_ACCESS_KEY: none,
  BRICKMARK_WORKER: none,
  BRICKMARK_HELPER: none,
  BRICKMARK_RESTARTED: none,
};

/** Helpers that sign or encrypt. */
const secretReaders: readonly WatchedHelper[] = ['pages', 'delivery'];

/** System variables: paths, language, certificates, proxies, libpq, name resolution. */
const systemNames = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'LANG',
  'LANGUAGE',
  'TMPDIR',
  'TMP',
  'TEMP',
];
const systemForms = [
  /^(TZ|LC_|XDG_|BUN_|NODE_|SSL_CERT_|PG|LD_|DYLD_)/,
  // Of resolvers.
  /^(NSS_|RES_|HOSTALIASES$|LOCALDOMAIN$)/,
  /^(https?|all|no)_proxy$/i,
];

export function systemVariables(environment: Environment = process.env): Environment {
  const isSystem = (name: string) =>
    systemNames.includes(name) || systemForms.some((form) => form.test(name));
  return Object.fromEntries(Object.entries(environment).filter(([name]) => isSystem(name)));
}

/** Tells a process that requests wait for it. */
export const restarted = { BRICKMARK_RESTARTED: '1' };

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The environment of a helper: settings are passed there, as other users can see command lines.
 * `variables` are others that it reads by name, such as the secrets of sources.
 */
export function environmentOf(
  { dataFolder, databaseUrl, secretFile, clock, clockShiftMs }: Config,
  { helper, task, isRestarted = false, variables = [], environment = process.env }: HelperTask,
): Record<string, string | undefined> {
  const isRead = (name: string) =>
    variables.includes(name) ||
    (name in settingReaders && settingReaders[name as Setting].includes(helper));
  const read = Object.entries(environment).filter(([name]) => isRead(name));
  return {
    ...systemVariables(environment),
    ...Object.fromEntries(read),
    BRICKMARK_DATA: resolve(dataFolder),
    BRICKMARK_DATABASE_URL: databaseUrl ?? '',
    BRICKMARK_SECRET_FILE: (secretReaders.includes(helper) && secretFile) || '',
    BRICKMARK_HELPER: task,
    BRICKMARK_WORKER: '',
    ...(isRestarted && restarted),
    ...(clockShiftMs !== 0 && { BRICKMARK_NOW: formatInstant(clock()) }),
  };
}

export interface HelperTask {
  readonly helper: WatchedHelper;
  /** The value of BRICKMARK_HELPER. */
  readonly task: string;
  /** Whether it replaces one that ended. */
  readonly isRestarted?: boolean;
  readonly variables?: readonly string[];
  readonly environment?: Environment;
}
