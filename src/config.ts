/** All settings with their defaults; the only code that reads the environment. */
import manifest from '../package.json' with { type: 'json' };
import type { MailServer } from './accounts/people/mail.ts';
import { readNetwork } from './accounts/people/network.ts';
import { requirements, type SiteAccess, signUpModes } from './accounts/people/site-access.ts';
import type { ProviderSettings } from './accounts/sign-in/identity.ts';
import type { AllowedNetworks } from './alerts/channels/outside-address.ts';
import { plusRateDefault } from './contract/limits.ts';
import { nearest } from './contract/nearest.ts';
import { type LogLevel, logLevels } from './http/log.ts';
import { type Clock, parseInstant } from './kernel/time.ts';
import type { BulkTargetSettings } from './publish/bulk/bulk-export.ts';

export const brickmarkVersion: string = manifest.version;

/** An invalid setting; the message says which and why. */
export class ConfigError extends Error {}

export interface Config {
  /** Folder of the embedded store. */
  readonly dataFolder: string;
  /** Null: `sources.toml` in the data folder, if it exists. */
  readonly sourcesFile: string | null;
  /** Reads a variable named in `sources.toml`, such as an API key; null if it is not set. */
  readVariable(name: string): string | null;
  readonly secretFile: string | null;
  /** Null for the embedded store. */
  readonly databaseUrl: string | null;
  /** Database for reading documents, months and search; null: the main one. */
  readonly replicaUrl: string | null;
  /** Maximum number of PostgreSQL connections per process. */
  readonly connections: number;
  /** Public address without a trailing slash; null: the address the server listens on. */
  readonly baseUrl: string | null;
  /** Other origins that may call /mcp. */
  readonly mcpOrigins: readonly string[];
  readonly clock: Clock;
  /** How far the clock is ahead of real time. */
  readonly clockShiftMs: number;
  readonly retailerNames: { readonly retailer_a: string; readonly retailer_b: string };
  readonly pictureHosts: readonly string[];
  /** Size of the picture cache on disk; 0: in memory only. */
  readonly pictureBytesMax: number;
  /** The maximum size of all photos of an account; 0: none can be added. */
  readonly photoBytesMax: number;
  /** Networks whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: readonly string[];
  /** Private networks that webhooks may reach. */
  readonly allowedNetworks: AllowedNetworks;
  readonly access: SiteAccess;
  /** Where security problems are reported, for security.txt; null: there is none. */
  readonly securityContact: string | null;
  /** Null: no identity provider. */
  readonly provider: ProviderSettings | null;
  /** Null: no email is sent. */
  readonly mail: MailServer | null;
  readonly log: LogLevel;
  /** Without a port, there are no metrics. */
  readonly metrics: { readonly host: string; readonly port: number | null };
  /** How long /readyz returns 503 before the server stops accepting connections. */
  readonly drainSeconds: number;
  /** Price of a bulk file in calls; null: none are offered. */
  readonly bulkCost: number | null;
  /** Calls per second and key to the Plus API. */
  readonly plusRate: number;
  /** Where bulk files are copied to; null: nowhere. */
  readonly bulkTarget: BulkTargetSettings | null;
  /** The account that commands are run for; null: the operator on this machine. */
  readonly operator: string | null;
  /** Number of this worker of `serve --workers`; null if it is none. */
  readonly worker: number | null;
  /** The work of this helper process of a server; null if it is none. */
  readonly helper: { readonly kind: HelperKind | 'photo'; readonly task: string } | null;
  /** Whether this process replaces one that ended, so that requests wait for it. */
  readonly isRestarted: boolean;
}

/** Helper processes, with rows in `cli/processes/helper-table.ts`. */
export const helperKinds = ['pages', 'answers', 'delivery', 'upkeep'] as const;
export type HelperKind = (typeof helperKinds)[number];

/** 0 picks a free port. */
export const portBounds = { min: 0, max: 65_535 };

/** In seconds. */
export const drainBounds = { min: 0, max: 300 };

/** In calls. */
const bulkCostBounds = { min: 0, max: 1_000_000 };

/** In calls per second. */
const plusRateBounds = { min: 1, max: 100_000 };

/** At least 3: two previews of imports hold one each, and their queries need another. */
const connectionBounds = { min: 3, max: 500 };
const connectionsDefault = 8;

export const workerBounds = { min: 1, max: 256 };

/** The picture hosts of the supported catalogs. */
const pictureHostsDefault =
  'cdn.rebrickable.com, images.brickset.com, img.bricklink.com, m.media-amazon.com';

const pictureMbBounds = { min: 0, max: 1_000_000 };
const pictureMbDefault = 512;

const photoMbBounds = { min: 0, max: 100_000 };
const photoMbDefault = 200;

/** Operator settings, with their help texts. */
export const settings = {
  BRICKMARK_DATA: 'Data folder of the embedded store (default ./data; demo: ./demo-data)',
  BRICKMARK_SOURCES: 'Source settings file (default sources.toml in the data folder)',
  BRICKMARK_SECRET_FILE:
    'Secret file, outside the data folder: signs backups and links, encrypts secrets',
  BRICKMARK_DATABASE_URL: 'Use PostgreSQL instead of the embedded store',
  BRICKMARK_REPLICA_URL: 'Read replica for published data, history and search',
  BRICKMARK_DATABASE_CONNECTIONS: `Connections per process (default ${connectionsDefault})`,
  BRICKMARK_BASE_URL: 'Public address (default: the address the server listens on)',
  BRICKMARK_MCP_ORIGINS: 'Other origins allowed to use /mcp, separated by commas',
  BRICKMARK_NOW: "ISO time to start this process's clock at, for testing",
  BRICKMARK_RETAILER_A_NAME: 'Display name of retailer A (default Retailer A)',
  BRICKMARK_RETAILER_B_NAME: 'Display name of retailer B (default Retailer B)',
  BRICKMARK_PICTURE_HOSTS: 'Hosts to fetch pictures from, separated by commas, or none',
  BRICKMARK_PICTURE_CACHE_MB: `Picture cache on disk, in MB (default ${pictureMbDefault}; 0: off)`,
  BRICKMARK_PHOTO_MB: `Photos of lots per account, in MB (default ${photoMbDefault}; 0: none)`,
  BRICKMARK_TRUSTED_PROXIES: 'Networks whose X-Forwarded-For is trusted, separated by commas',
  BRICKMARK_ALLOWED_NETWORKS: 'Private networks that webhooks can reach, separated by commas',
  BRICKMARK_SIGN_UP: 'Who can create an account: open (default), invite or closed',
  BRICKMARK_PUBLIC_PAGES: 'Market and docs pages without an account: on (default) or off',
  BRICKMARK_CONTACT: 'Email or https address where users reach you, such as for another plan',
  BRICKMARK_SECURITY_CONTACT: 'Email or https address for security reports, in security.txt',
  BRICKMARK_REQUIRE_SIGN_IN: 'What sign-in needs: none (default), second-factor or oidc',
  BRICKMARK_OIDC_ISSUER: 'Identity provider to sign in with (OpenID Connect)',
  BRICKMARK_OIDC_CLIENT_ID: 'Client ID at the identity provider',
  BRICKMARK_OIDC_CLIENT_SECRET: 'Client secret at the identity provider',
  BRICKMARK_OIDC_DOMAINS: 'Domains of emails whose owners get an account with the provider',
  BRICKMARK_OIDC_NAME: 'Name of the identity provider on buttons (default single sign-on)',
  BRICKMARK_SMTP_URL: 'Mail server for alerts and password resets (default: no email)',
  BRICKMARK_MAIL_FROM: 'Sender address of emails',
  BRICKMARK_LOG: 'Request log: off (default), errors or requests',
  BRICKMARK_METRICS_PORT: 'Port for metrics (default: off)',
  BRICKMARK_METRICS_HOST: 'Address for metrics (default 127.0.0.1)',
  BRICKMARK_DRAIN_SECONDS: 'How long /readyz returns 503 before the server stops (default 0)',
  BRICKMARK_BULK_COST: 'Price of a bulk file in calls (default: no bulk files)',
  BRICKMARK_PLUS_RATE: `Calls per second and key to the Plus API (default ${plusRateDefault})`,
  BRICKMARK_BULK_TARGET: 'Folder or bucket (s3://bucket/prefix) to copy bulk files to, daily',
  BRICKMARK_S3_ENDPOINT: 'Address of the S3 server of BRICKMARK_BULK_TARGET (default: Amazon)',
  BRICKMARK_S3_REGION: 'Region of the bucket (default us-east-1)',
  BRICKMARK_S3_ACCESS_KEY_ID: 'Access key ID for the bucket',
  BRICKMARK_S3_SECRET_ACCESS_KEY: 'Secret access key for the bucket',
  BRICKMARK_OPERATOR: 'Email of the account that commands are run for; its role applies',
  BRICKMARK_WORKER: "Set by 'serve --workers' for its own processes; do not set it",
  BRICKMARK_HELPER: "Set by 'serve' for its own processes; do not set it",
  BRICKMARK_RESTARTED: "Set by 'serve' for its own processes; do not set it",
} as const;

/** Settings of the commands for key holders, with their help texts. */
export const consumerCommandSettings = {
  BRICKMARK_URL: 'Server address, such as https://brickmark.example.com',
  BRICKMARK_KEY: 'API key',
  BRICKMARK_CONFIG: "File where 'login' saves both (default ~/.config/brickmark/config.toml)",
} as const;

/** Not ours, but documented: of `deploy/compose.yaml`, and of the webhook receivers in docs. */
const otherNames = [
  'BRICKMARK_OWNER_PASSWORD',
  'BRICKMARK_API_PASSWORD',
  'BRICKMARK_MARKET_PASSWORD',
  'BRICKMARK_PUBLISH',
  'BRICKMARK_WEBHOOK_SECRET',
];

/** Set by 'serve' for its own processes, so never suggested. */
const ownNames: readonly string[] = ['BRICKMARK_WORKER', 'BRICKMARK_HELPER', 'BRICKMARK_RESTARTED'];

type Environment = Readonly<Record<string, string | undefined>>;

type SettingName = keyof typeof settings;

/** Null if it is not set. */
type ReadSetting = (name: SettingName) => string | null;

const dataFolderDefault = './data';

/** Throws a `ConfigError` for an invalid setting. */
export function readConfig(
  environment: Environment = process.env,
  systemClock: Clock = Date.now,
  folderDefault: string = dataFolderDefault,
): Config {
  const read: ReadSetting = (name) => environment[name]?.trim() || null;
  const integer = (name: SettingName, bounds: Bounds) => readInteger(name, read(name), bounds);
  const clockShiftMs = readClockShift(read('BRICKMARK_NOW'), systemClock);
  return {
    dataFolder: read('BRICKMARK_DATA') ?? folderDefault,
    sourcesFile: read('BRICKMARK_SOURCES'),
    readVariable: (name) => environment[name] ?? null,
    secretFile: read('BRICKMARK_SECRET_FILE'),
    databaseUrl: readDatabaseUrl('BRICKMARK_DATABASE_URL', read('BRICKMARK_DATABASE_URL')),
    replicaUrl: readDatabaseUrl('BRICKMARK_REPLICA_URL', read('BRICKMARK_REPLICA_URL')),
    connections: integer('BRICKMARK_DATABASE_CONNECTIONS', connectionBounds) ?? connectionsDefault,
    baseUrl: readBaseUrl(read('BRICKMARK_BASE_URL')),
    mcpOrigins: readOrigins(read('BRICKMARK_MCP_ORIGINS')),
    clock: shiftedClock(systemClock, clockShiftMs),
    clockShiftMs,
    retailerNames: {
      retailer_a: read('BRICKMARK_RETAILER_A_NAME') ?? 'Retailer A',
      retailer_b: read('BRICKMARK_RETAILER_B_NAME') ?? 'Retailer B',
    },
    pictureHosts: readHosts(read('BRICKMARK_PICTURE_HOSTS') ?? pictureHostsDefault),
    pictureBytesMax:
      (integer('BRICKMARK_PICTURE_CACHE_MB', pictureMbBounds) ?? pictureMbDefault) * 1024 * 1024,
    photoBytesMax: (integer('BRICKMARK_PHOTO_MB', photoMbBounds) ?? photoMbDefault) * 1024 * 1024,
    trustedProxies: readNetworks(read, 'BRICKMARK_TRUSTED_PROXIES').map(({ text }) => text),
    allowedNetworks: readNetworks(read, 'BRICKMARK_ALLOWED_NETWORKS').map(({ network }) => network),
    access: readAccess(read),
    securityContact: readContact(read, 'BRICKMARK_SECURITY_CONTACT'),
    provider: readProvider(read),
    mail: readMail(read('BRICKMARK_SMTP_URL'), {
      from: read('BRICKMARK_MAIL_FROM'),
      hasBaseUrl: read('BRICKMARK_BASE_URL') !== null,
    }),
    log: readWord(read, 'BRICKMARK_LOG', logLevels),
    metrics: {
      host: read('BRICKMARK_METRICS_HOST') ?? '127.0.0.1',
      port: integer('BRICKMARK_METRICS_PORT', portBounds),
    },
    drainSeconds: integer('BRICKMARK_DRAIN_SECONDS', drainBounds) ?? 0,
    bulkCost: integer('BRICKMARK_BULK_COST', bulkCostBounds),
    plusRate: integer('BRICKMARK_PLUS_RATE', plusRateBounds) ?? plusRateDefault,
    bulkTarget: readBulkTarget(read),
    operator: read('BRICKMARK_OPERATOR'),
    worker: integer('BRICKMARK_WORKER', { min: 0, max: workerBounds.max - 1 }),
    helper: readHelper(read('BRICKMARK_HELPER')),
    isRestarted: read('BRICKMARK_RESTARTED') !== null,
  };
}

/**
 * Throws for names such as BRICKMARK_DATABSE_URL, which would have no effect. Names in
 * `sources.toml` are known, even in its comments: a source that is turned off keeps its key.
 */
export function checkSettingNames(environment: Environment, sourcesText: string): void {
  const names = [...Object.keys(settings), ...Object.keys(consumerCommandSettings)];
  const known = new Set([
    ...names,
    ...otherNames,
    ...(sourcesText.match(/\bBRICKMARK_\w+/g) ?? []),
  ]);
  const unknown = Object.keys(environment).filter(
    (name) =>
      name.startsWith('BRICKMARK_') &&
      environment[name]?.trim() &&
      !known.has(name) &&
      !isInjected(name, environment) &&
      !name.startsWith('BRICKMARK_TEST_'),
  );
  if (unknown.length === 0) return;
  const candidates = names.filter((name) => !ownNames.includes(name));
  const problems = unknown.sort().map((name) => {
    const near = nearest(name, candidates);
    return `Unknown setting ${name}${near === null ? '.' : `; did you mean ${near}?`}`;
  });
  throw new ConfigError(
    `${problems.join(' ')} 'brickmark --help' lists all settings; the key of a source must be ` +
      'named in sources.toml.',
  );
}

/** Whether Kubernetes sets it in every pod, for a service named `brickmark` or `brickmark-…`. */
function isInjected(name: string, environment: Environment): boolean {
  if (/_SERVICE_(HOST|PORT(_[A-Z\d_]+)?)$/.test(name)) return true;
  if (/_PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?$/.test(name)) return true;
  // BRICKMARK_METRIC_PORT alone is a typo.
  const [, service] = /^(.+)_PORT$/.exec(name) ?? [];
  return service !== undefined && environment[`${service}_SERVICE_HOST`] !== undefined;
}

function readHelper(text: string | null): Config['helper'] {
  if (text === null) return null;
  const [word, task = ''] = text.split(' ', 2);
  const kind = [...helperKinds, 'photo' as const].find((known) => known === word);
  if (kind) return { kind, task };
  throw new ConfigError("BRICKMARK_HELPER is set by 'serve' for its own processes. Unset it.");
}

function readList(text: string): string[] {
  return text
    .split(',')
    .map((member) => member.trim())
    .filter((member) => member !== '');
}

function readHosts(text: string): string[] {
  if (text === 'none') return [];
  const hosts = readList(text.toLowerCase());
  const wrong = hosts.find((host) => URL.parse(`https://${host}/`)?.host !== host);
  if (wrong === undefined) return hosts;
  throw new ConfigError(
    `BRICKMARK_PICTURE_HOSTS: '${wrong}' is not a host such as cdn.rebrickable.com.`,
  );
}

function readOrigins(text: string | null): string[] {
  return readList(text ?? '').map((member) => {
    const origin = /^https?:/i.test(member) ? URL.parse(member)?.origin : undefined;
    if (origin && member.toLowerCase().replace(/\/$/, '') === origin) return origin;
    throw new ConfigError(
      `BRICKMARK_MCP_ORIGINS: '${member}' is not an origin such as https://agents.example.com.`,
    );
  });
}

function readNetworks(read: ReadSetting, name: SettingName) {
  return readList(read(name) ?? '').map((member) => {
    const network = readNetwork(member);
    if (network) return { text: member, network };
    throw new ConfigError(
      `${name}: '${member}' is not a network such as 10.0.0.0/8 or an IP address.`,
    );
  });
}

function readAccess(read: ReadSetting): SiteAccess {
  const requires = readWord(read, 'BRICKMARK_REQUIRE_SIGN_IN', requirements);
  if (requires === 'oidc' && read('BRICKMARK_OIDC_ISSUER') === null) {
    throw new ConfigError('BRICKMARK_REQUIRE_SIGN_IN=oidc needs BRICKMARK_OIDC_ISSUER.');
  }
  const contact = readContact(read, 'BRICKMARK_CONTACT');
  return {
    signUp: readWord(read, 'BRICKMARK_SIGN_UP', signUpModes),
    hasPublicPages: readWord(read, 'BRICKMARK_PUBLIC_PAGES', onOrOff) === 'on',
    requires,
    ...(contact !== null && { contact }),
  };
}

const onOrOff = ['on', 'off'] as const;

/** One of the words; the first is the default. */
function readWord<Word extends string>(
  read: ReadSetting,
  name: SettingName,
  words: readonly [Word, ...Word[]],
): Word {
  const text = read(name);
  const word = text === null ? words[0] : words.find((known) => known === text);
  if (word) return word;
  throw new ConfigError(`${name} '${text}' is not one of ${words.join(', ')}.`);
}

interface Bounds {
  readonly min: number;
  readonly max: number;
}

function readInteger(name: SettingName, text: string | null, { min, max }: Bounds): number | null {
  if (text === null) return null;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new ConfigError(`${name} '${text}' is not a whole number from ${min} to ${max}.`);
}

/** The error does not contain the address, which may have a password. */
export function readDatabaseUrl(name: string, text: string | null): string | null {
  if (text === null || isDatabaseUrl(text)) return text;
  throw new ConfigError(
    `${name} is not an address such as postgres://brickmark@db.example.com/brickmark.`,
  );
}

function isDatabaseUrl(text: string): boolean {
  const url = /^postgres(ql)?:\/\//.test(text) ? URL.parse(text) : null;
  return url !== null && isDecodable(url.username + url.password);
}

function isDecodable(text: string): boolean {
  try {
    return decodeURIComponent(text) !== null;
  } catch {
    // A percent sign that is not an escape.
    return false;
  }
}

/** Over http, only a provider on this machine is accepted. */
function readProvider(read: ReadSetting): ProviderSettings | null {
  const issuer = read('BRICKMARK_OIDC_ISSUER');
  const domains = readDomains(read('BRICKMARK_OIDC_DOMAINS') ?? '');
  if (issuer === null && domains.length > 0) {
    throw new ConfigError('BRICKMARK_OIDC_DOMAINS needs BRICKMARK_OIDC_ISSUER.');
  }
  if (issuer === null) return null;
  const url = URL.parse(issuer);
  const isLocal = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url?.hostname ?? '');
  if (url?.protocol !== 'https:' && !(url?.protocol === 'http:' && isLocal)) {
    throw new ConfigError(
      `BRICKMARK_OIDC_ISSUER '${issuer}' is not an address such as https://id.example.com.`,
    );
  }
  const clientId = read('BRICKMARK_OIDC_CLIENT_ID');
  const clientSecret = read('BRICKMARK_OIDC_CLIENT_SECRET');
  if (clientId === null || clientSecret === null || read('BRICKMARK_BASE_URL') === null) {
    throw new ConfigError(
      'BRICKMARK_OIDC_ISSUER needs BRICKMARK_OIDC_CLIENT_ID, BRICKMARK_OIDC_CLIENT_SECRET and ' +
        'BRICKMARK_BASE_URL.',
    );
  }
  const name = read('BRICKMARK_OIDC_NAME') ?? 'single sign-on';
  return { issuer, clientId, clientSecret, name, domains };
}

function readDomains(text: string): string[] {
  return readList(text.toLowerCase()).map((domain) => {
    if (/^[a-z\d-]+(\.[a-z\d-]+)+$/.test(domain)) return domain;
    throw new ConfigError(
      `BRICKMARK_OIDC_DOMAINS: '${domain}' is not a domain of emails such as example.com.`,
    );
  });
}

/** Names of folders in a bucket begin with a letter or a digit. */
const bucketForm = /^s3:\/\/([a-z\d][a-z\d.-]+[a-z\d])((?:\/[a-z\d][\w.-]*)*)\/?$/i;

function readBulkTarget(read: ReadSetting): BulkTargetSettings | null {
  const text = read('BRICKMARK_BULK_TARGET');
  if (text === null) return null;
  if (!/^\w+:\/\//.test(text)) return { kind: 'folder', path: text };
  const [, bucket, path = ''] = bucketForm.exec(text) ?? [];
  if (bucket === undefined) {
    throw new ConfigError(
      `BRICKMARK_BULK_TARGET '${withoutPassword(text)}' is not a folder, or a bucket such as ` +
        's3://market/brickmark.',
    );
  }
  const accessKeyId = read('BRICKMARK_S3_ACCESS_KEY_ID');
  const secretAccessKey = read('BRICKMARK_S3_SECRET_ACCESS_KEY');
  if (accessKeyId === null || secretAccessKey === null) {
    throw new ConfigError(
      'A bucket in BRICKMARK_BULK_TARGET needs BRICKMARK_S3_ACCESS_KEY_ID and ' +
        'BRICKMARK_S3_SECRET_ACCESS_KEY.',
    );
  }
  return {
    kind: 'bucket',
    bucket,
    prefix: path === '' ? '' : `${path.slice(1)}/`,
    endpoint: readEndpoint(read('BRICKMARK_S3_ENDPOINT')),
    region: read('BRICKMARK_S3_REGION'),
    accessKeyId,
    secretAccessKey,
  };
}

/** Some tools take the keys of a bucket in its address: `s3://id:secret@bucket`. */
function withoutPassword(address: string): string {
  return address.replace(/\/\/.*@/s, '//…@');
}

/** The error does not contain the address, which may have a password. */
function readEndpoint(text: string | null): string | null {
  if (text === null) return null;
  const url = /^https?:\/\//.test(text) ? URL.parse(text) : null;
  if (url && url.username === '' && url.password === '') return text.replace(/\/+$/, '');
  throw new ConfigError(
    'BRICKMARK_S3_ENDPOINT is not an address such as https://s3.example.com, without a password.',
  );
}

/** Errors do not contain the address, which may have a password. */
function readMail(
  text: string | null,
  { from, hasBaseUrl }: { readonly from: string | null; readonly hasBaseUrl: boolean },
): MailServer | null {
  if (text === null) return null;
  const url = /^smtps?:\/\/[^/]+\/?$/.test(text) ? URL.parse(text) : null;
  if (url === null || url.hostname === '' || !isDecodable(url.username + url.password)) {
    throw new ConfigError(
      'BRICKMARK_SMTP_URL is not an address such as smtp://user:password@mail.example.com:587.',
    );
  }
  if (from === null || !/^[\x21-\x3b\x3d\x3f-\x7e]+@[a-z\d.-]+$/i.test(from)) {
    throw new ConfigError('BRICKMARK_MAIL_FROM is not an address such as bricks@example.com.');
  }
  if (!hasBaseUrl) {
    throw new ConfigError('BRICKMARK_SMTP_URL needs BRICKMARK_BASE_URL, for the links in emails.');
  }
  const isSecure = url.protocol === 'smtps:';
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (isSecure ? 465 : 587),
    isSecure,
    from,
    user: url.username === '' ? null : decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
  };
}

function readBaseUrl(text: string | null): string | null {
  if (text === null) return null;
  if (!/^https?:\/\/[^\s?#/]+[^\s?#]*$/.test(text)) {
    throw new ConfigError(
      `BRICKMARK_BASE_URL '${text}' is not an address such as https://brickmark.example.com.`,
    );
  }
  return text.replace(/\/+$/, '');
}

/** As a URI, for links and security.txt. */
function readContact(
  read: ReadSetting,
  name: 'BRICKMARK_CONTACT' | 'BRICKMARK_SECURITY_CONTACT',
): string | null {
  const text = read(name);
  if (text === null || /^https:\/\/\S+$/.test(text)) return text;
  const email = text.replace(/^mailto:/, '');
  if (/^[^\s@:/]+@[^\s@:/]+$/.test(email)) return `mailto:${email}`;
  throw new ConfigError(
    `${name} '${text}' is not an email such as help@example.com or an address such as ` +
      'https://example.com/help.',
  );
}

/** The clock, for commands that read no other setting. */
export function readClock(environment: Environment, systemClock: Clock): Clock {
  const start = environment.BRICKMARK_NOW?.trim() || null;
  return shiftedClock(systemClock, readClockShift(start, systemClock));
}

function shiftedClock(systemClock: Clock, shiftMs: number): Clock {
  return shiftMs === 0 ? systemClock : () => systemClock() + shiftMs;
}

/** The shift of a clock that starts at the given time. */
function readClockShift(text: string | null, systemClock: Clock): number {
  if (text === null) return 0;
  const start = parseInstant(text);
  if (start === null) {
    throw new ConfigError(`BRICKMARK_NOW '${text}' is not a time such as 2026-11-15T12:00:00Z.`);
  }
  return start - systemClock();
}
