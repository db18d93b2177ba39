/** Reads and validates `sources.toml`. */
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { dayMs, minuteMs } from '../domain/kernel/time.ts';
import { isSafe } from './client.ts';
import { Secret } from './secret.ts';
import {
  type KeylessSource,
  SecretError,
  SecretReader,
  type SecretSource,
  unreadSecret,
  whereToWrite,
} from './secret-reader.ts';
import { type SettingsError, type SettingsTable, SettingsText } from './settings-text.ts';

export interface SourceSettings {
  /** Ends with a slash if paths are appended to it. */
  readonly url: URL;
}

type Settings<Name extends FixedSource> = ReturnType<(typeof readers)[Name]>;

export type EcbSettings = Settings<'ecb'>;
export type RebrickableSettings = Settings<'rebrickable'>;
export type BricksetSettings = Settings<'brickset'>;
export type BricklinkSettings = Settings<'bricklink'>;
export type KeepaSettings = Settings<'keepa'>;
export type EbaySettings = Settings<'ebay'>;

export interface HttpSettings extends SourceSettings {
  readonly name: string;
  /** The name of an import format. */
  readonly format: string;
  /** The mapping file; null if the format needs none. */
  readonly mapping: string | null;
  readonly everyMs: number;
  readonly headers: Readonly<Record<string, Secret | string>>;
  /** Whether its URL or a header is a secret. */
  readonly hasSecret: boolean;
}

type FixedSettings = { readonly [Name in FixedSource]: Settings<Name> | null };

/** All sources; null if not enabled or keyless. */
export interface SyncSettings extends FixedSettings {
  readonly http: readonly HttpSettings[];
  readonly keyless: readonly KeylessSource[];
  /** Responses are stored for this long, up to this total size. */
  readonly keepDays: number;
  readonly keepMb: number;
  /** Values that must never be shown or logged. */
  readonly secrets: readonly Secret[];
  readonly warnings: readonly string[];
}

export interface FormatChoice {
  readonly name: string;
  /** Whether it needs a mapping file. */
  readonly mapping: 'required' | 'optional' | null;
}

export interface SettingsSource extends SecretSource {
  readonly text: string;
  readonly formats: readonly FormatChoice[];
}

/** All setting names by table; a secret `key` is set as `key_env` or `key_file`. */
export const settingNames = {
  '': { plain: ['keep_days', 'keep_mb'], secret: [] },
  ecb: { plain: ['enabled', 'url'], secret: [] },
  rebrickable: { plain: ['enabled', 'url', 'every'], secret: [] },
  brickset: { plain: ['enabled', 'url', 'every', 'calls_per_day'], secret: ['key'] },
  bricklink: {
    plain: ['enabled', 'url', 'every', 'calls_per_day', 'currency', 'region'],
    secret: ['consumer_key', 'consumer_secret', 'token', 'token_secret'],
  },
  keepa: { plain: ['enabled', 'url', 'every'], secret: ['key'] },
  ebay: {
    plain: ['enabled', 'url', 'every', 'calls_per_day', 'marketplace'],
    secret: ['client_id', 'client_secret'],
  },
  http: {
    plain: ['enabled', 'name', 'url', 'format', 'mapping', 'every', 'headers'],
    secret: ['url', 'headers'],
  },
} as const;

/** Default URLs. */
const urls = {
  ecb: 'https://www.ecb.europa.eu/stats/eurofxref/',
  rebrickable: 'https://cdn.rebrickable.com/media/downloads/',
  brickset: 'https://brickset.com/api/v3.asmx/',
  bricklink: 'https://api.bricklink.com/api/store/v1/',
  keepa: 'https://api.keepa.com/',
  ebay: 'https://api.ebay.com/',
} as const;

/** Sources with their own table. */
type FixedSource = keyof typeof urls;

const keepDaysBounds = { min: 1, max: 365, fallback: 7 };
const keepMbBounds = { min: 1, max: 1_000_000, fallback: 2000 };
const everyBounds = { min: minuteMs, max: 31 * dayMs, fallback: '24h' };

/** Sales arrive slowly, while shops change prices at any time. */
const salesBounds = { ...everyBounds, fallback: '20h' };
const offersBounds = { ...everyBounds, fallback: '2h' };
const callsMax = 1_000_000;

/** BrickLink's regions; countries are two letters. */
const regions = [
  'africa',
  'asia',
  'eu',
  'europe',
  'middle_east',
  'north_america',
  'oceania',
  'south_america',
];

/** Throws a `SettingsError` without secrets. */
export function readSyncSettings(source: SettingsSource): SyncSettings {
  const text = new SettingsText(source.text, source.path);
  const top = text.top(settingNames[''].plain, tableNames);
  const secrets = new SecretReader(source);
  const find = <Name extends FixedSource>(name: Name): Settings<Name> | null => {
    const table = text.find(name);
    const read = readers[name] as ReadSource<Settings<Name>>;
    return table === null ? null : readSource(name, table, secrets, read);
  };
  return {
    ecb: find('ecb'),
    rebrickable: find('rebrickable'),
    brickset: find('brickset'),
    bricklink: find('bricklink'),
    keepa: find('keepa'),
    ebay: find('ebay'),
    http: readHttps(text, source, secrets),
    keepDays: top.whole('keep_days', keepDaysBounds),
    keepMb: top.whole('keep_mb', keepMbBounds),
    secrets: secrets.all,
    keyless: secrets.keyless,
    warnings: secrets.warnings,
  };
}

const tableNames = Object.keys(settingNames).filter((name) => name !== '');

/** Reads the settings of a source; `secret` reads a secret from its variable or file. */
type ReadSource<T> = (table: SettingsTable, secret: (name: string) => Secret) => T;

/** Null if the source is keyless or disabled; then only the names of settings are validated. */
function readSource<T>(
  name: Exclude<keyof typeof settingNames, ''>,
  table: SettingsTable,
  secrets: SecretReader,
  read: ReadSource<T>,
): T | null {
  const { plain, secret }: { plain: readonly string[]; secret: readonly string[] } =
    settingNames[name];
  const written = secret.find((word) => table.has(word) && !plain.includes(word));
  if (written !== undefined) throw writtenSecret(table, written);
  table.requireKnown([...plain, ...secret.flatMap((word) => [`${word}_env`, `${word}_file`])]);
  if (!table.flag('enabled', true)) return null;
  try {
    return read(table, (word) => secrets.required(table, word));
  } catch (error) {
    if (!(error instanceof SecretError)) throw error;
    secrets.keyless.push({ name: table.text('name') ?? name, problem: error.message });
    return null;
  }
}

/** For sources about items, `every` is the minimum interval between questions about one. */
const readers = {
  ecb: (table) => ({ url: readFolder(table, urls.ecb) }),
  rebrickable: (table) => ({
    url: readFolder(table, urls.rebrickable),
    everyMs: table.duration('every', everyBounds),
  }),
  brickset: (table, secret) => ({
    url: readFolder(table, urls.brickset),
    everyMs: table.duration('every', everyBounds),
    callsPerDay: readCalls(table, 100),
    key: secret('key'),
  }),
  bricklink: (table, secret) => ({
    url: readFolder(table, urls.bricklink),
    everyMs: table.duration('every', salesBounds),
    callsPerDay: readCalls(table, 5000),
    currency: readCurrency(table),
    region: readRegion(table),
    consumerKey: secret('consumer_key'),
    consumerSecret: secret('consumer_secret'),
    token: secret('token'),
    tokenSecret: secret('token_secret'),
  }),
  keepa: (table, secret) => ({
    url: readFolder(table, urls.keepa),
    everyMs: table.duration('every', offersBounds),
    key: secret('key'),
  }),
  ebay: (table, secret) => ({
    url: readFolder(table, urls.ebay),
    everyMs: table.duration('every', salesBounds),
    callsPerDay: readCalls(table, 5000),
    marketplace: readMarketplace(table),
    clientId: secret('client_id'),
    clientSecret: secret('client_secret'),
  }),
} as const satisfies Readonly<Record<FixedSource, ReadSource<SourceSettings>>>;

function readCalls(table: SettingsTable, fallback: number): number {
  return table.whole('calls_per_day', { min: 1, max: callsMax, fallback });
}

/** Of the prices that are asked for. */
function readCurrency(table: SettingsTable): string {
  const currency = table.text('currency') ?? 'USD';
  if (/^[A-Z]{3}$/.test(currency)) return currency;
  throw table.error('currency', `'currency' must be a code such as "USD".`);
}

/** Only sales in this region or country; null: everywhere. */
function readRegion(table: SettingsTable): string | null {
  const isCountry = /^[A-Z]{2}$/.test(table.text('region') ?? '');
  return isCountry ? table.text('region') : table.choice('region', regions);
}

function readMarketplace(table: SettingsTable): string {
  const marketplace = table.text('marketplace') ?? 'EBAY_US';
  if (/^EBAY_[A-Z]{2}$/.test(marketplace)) return marketplace;
  throw table.error('marketplace', `'marketplace' must be a code such as "EBAY_US".`);
}

/** A base URL, to which paths are appended. */
function readFolder(table: SettingsTable, fallback: string): URL {
  const url = readUrl(table, 'url', table.text('url') ?? fallback);
  if (url.search !== '') throw table.error('url', `'url' cannot contain a query.`);
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return url;
}

/** Errors do not quote the URL, because it may contain a secret. */
function readUrl(table: SettingsTable, setting: string, text: string): URL {
  const url = URL.parse(text);
  if (url === null || url.hostname === '') {
    throw table.error(setting, `'${setting}' must be an address such as "https://example.com/".`);
  }
  if (!isSafe(url)) {
    throw table.error(setting, `'${setting}' must begin with https://, or be on this machine.`);
  }
  if (url.username !== '' || url.password !== '') {
    throw table.error(
      setting,
      `'${setting}' cannot contain a password. Send it in a header, with 'headers_env'.`,
    );
  }
  url.hash = '';
  return url;
}

function readHttps(
  text: SettingsText,
  source: SettingsSource,
  secrets: SecretReader,
): HttpSettings[] {
  const names = new Set<string>(tableNames);
  return text.list('http').flatMap((table) => {
    const read = () => {
      const name = readName(table);
      if (names.has(name)) throw table.error('name', `the name '${name}' is already taken.`);
      names.add(name);
      return { name, ...readHttp(table, source, secrets) };
    };
    return readSource('http', table, secrets, read) ?? [];
  });
}

function readHttp(
  table: SettingsTable,
  { path, formats }: SettingsSource,
  secrets: SecretReader,
): Omit<HttpSettings, 'name'> {
  const names = formats.map(({ name }) => name);
  const format = table.choice('format', names);
  if (format === null) throw table.error('', `'format' is missing.`);
  const needed = formats.find(({ name }) => name === format)?.mapping ?? null;
  const mapping = readMapping(table, { mapping: needed, format, path });
  const everyMs = table.duration('every', everyBounds);
  const headers = readHeaders(table, secrets);
  const isUrlSecret = !table.has('url');
  return {
    format,
    mapping,
    everyMs,
    url: readHttpUrl(table, secrets),
    headers,
    hasSecret: isUrlSecret || Object.values(headers).some((value) => value instanceof Secret),
  };
}

/** Also the name of a folder. */
function readName(table: SettingsTable): string {
  const name = table.requiredText('name');
  if (/^[a-z\d][a-z\d-]{0,39}$/.test(name)) return name;
  throw table.error('name', `'name' must be up to 40 of a to z, 0 to 9 and -.`);
}

/** Relative to the settings. */
function readMapping(
  table: SettingsTable,
  known: {
    readonly mapping: FormatChoice['mapping'];
    readonly format: string;
    readonly path: string;
  },
): string | null {
  const text = table.text('mapping');
  if (text === null && known.mapping !== 'required') return null;
  if (text === null) {
    throw table.error('', `the format '${known.format}' needs a 'mapping' that names its columns.`);
  }
  if (known.mapping === null) {
    throw table.error('mapping', `the format '${known.format}' does not use a 'mapping'.`);
  }
  const file = resolve(dirname(known.path), text);
  if (existsSync(file)) return file;
  throw table.error('mapping', `there is no file '${file}'.`);
}

/** Names of parameters and headers that probably hold secrets. */
const secretWords = /auth|key|token|secret|pass|pwd|cookie|credential|session|signature/i;

/** Short names, which are only matched as whole words. */
const shortSecretWords = /(^|[^a-z])(sig|sid|pw)([^a-z]|$)/i;

function isSecretName(name: string): boolean {
  return secretWords.test(name) || shortSecretWords.test(name);
}

/** Shorter path segments are usually words. */
const segmentLengthMin = 8;

/** Authorization schemes, which are not secrets. */
const schemes = ['basic', 'bearer', 'digest', 'token'];

/** A placeholder if the secret URL was not read. */
const unreadUrl = new URL('https://secret.invalid/');

/** A URL with a key is a secret; only its host may be shown. */
function readHttpUrl(table: SettingsTable, secrets: SecretReader): URL {
  const secret = secrets.find(table, 'url');
  const text = table.text('url');
  if ((text === null) === (secret === null)) {
    throw table.error('', `one of 'url', 'url_env' and 'url_file' must be set.`);
  }
  if (secret === unreadSecret) return unreadUrl;
  if (secret !== null) {
    const url = readSecretUrl(table, secret);
    secrets.all.push(...partsOfUrl(url).map((part) => new Secret(part)));
    return url;
  }
  const url = readUrl(table, 'url', text ?? '');
  if ([...url.searchParams.keys()].some(isSecretName)) {
    throw writtenSecret(table, 'url');
  }
  return url;
}

function readSecretUrl(table: SettingsTable, secret: Secret): URL {
  try {
    return readUrl(table, table.has('url_env') ? 'url_env' : 'url_file', secret.reveal());
  } catch (error) {
    throw new SecretError((error as Error).message);
  }
}

/** Parts of a URL that a source may quote, encoded and decoded. */
function partsOfUrl({ href, pathname, search, searchParams }: URL): string[] {
  const segments = pathname.split('/').filter(({ length }) => length >= segmentLengthMin);
  const sent = search.split(/[?&]/).map((pair) => pair.slice(pair.indexOf('=') + 1));
  return [href, pathname, search, ...segments, ...sent, ...searchParams.values()];
}

/** Parts of a header that a source may quote, such as the token after `Bearer`. */
function partsOfHeader(secret: Secret): string[] {
  const parts = secret.reveal().split(/[\s;,=]+/);
  return parts.filter((part) => !schemes.includes(part.toLowerCase()));
}

/** Headers with secrets are named in `headers_env` or `headers_file`. */
function readHeaders(table: SettingsTable, secrets: SecretReader): Record<string, Secret | string> {
  const plain = table.texts('headers');
  if (plain.some(([name]) => isSecretName(name))) throw writtenSecret(table, 'headers');
  const variables = table.texts('headers_env').map(([name, variable]): [string, Secret] => {
    return [name, secrets.fromVariable(table, 'headers_env', variable)];
  });
  const files = table.texts('headers_file').map(([name, file]): [string, Secret] => {
    return [name, secrets.fromFile(table, 'headers_file', file)];
  });
  for (const [, secret] of [...variables, ...files]) {
    secrets.all.push(...partsOfHeader(secret).map((part) => new Secret(part)));
  }
  const all = [...plain, ...variables, ...files];
  const isWrong = all.some(
    ([name, value]) =>
      !/^[\w-]{1,64}$/.test(name) || (typeof value === 'string' && !/^[\x20-\x7e]*$/.test(value)),
  );
  if (isWrong) {
    throw table.error(
      'headers',
      `'headers' must be ASCII text by name, such as { Accept = "text/csv" }.`,
    );
  }
  return Object.fromEntries(all);
}

/** A secret in the settings, which is not quoted. */
function writtenSecret(table: SettingsTable, name: string): SettingsError {
  return table.error(name, `a secret does not belong in this file: ${whereToWrite(name)}.`);
}
