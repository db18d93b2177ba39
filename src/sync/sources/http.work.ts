/** Fetches a file in any import format from a URL. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import {
  type FormatName,
  type ImportFormat,
  importFormats,
  isFormatName,
} from '../../ingest/runner/import-formats.ts';
import { nounText } from '../../kernel/format.ts';
import { asObject, type JsonValue } from '../../kernel/json.ts';
import { noValidators, type SourceClient, type SourceRequest } from '../client.work.ts';
import { type Answer, type Connection, stepOf } from '../connector.work.ts';
import { fetchFile, validatorsIn } from '../responses.work.ts';
import { Secret } from '../secret.ts';
import {
  SecretError,
  type SecretReader,
  unreadSecret,
  writtenSecret,
} from '../secret-reader.work.ts';
import type { SettingsTable } from '../settings-text.ts';
import {
  every,
  readUrl,
  type SettingsContext,
  type Source,
  type SourceSettings,
} from '../source.work.ts';

/** Price lists may be large. */
const bytesMax = 256 * 1024 * 1024;
const timeoutMs = 5 * 60_000;

/** File extensions that importers depend on. */
const knownEnd = /\.(csv|tsv|txt|json|ndjson|xml)$/i;

export const httpSource: Source = {
  name: 'http',
  isMany: true,
  data: 'Feeds',
  names: {
    plain: ['enabled', 'name', 'url', 'format', 'mapping', 'every', 'headers'],
    secret: ['url', 'headers'],
  },
  read: (table, context) => {
    const settings = readSettings(table, context);
    const { name, format } = settings;
    const step = stepOf(importFormats[format].data);
    return { name, step, settings, connect: () => connectHttp(settings) };
  },
};

export interface HttpSettings extends SourceSettings {
  readonly name: string;
  readonly format: FormatName;
  /** The mapping file; null if the format needs none. */
  readonly mapping: string | null;
  readonly everyMs: number;
  readonly headers: Readonly<Record<string, Secret | string>>;
  readonly hasSecret: boolean;
}

function readSettings(table: SettingsTable, context: SettingsContext): HttpSettings {
  const { path, secrets, namesTaken } = context;
  const name = readName(table, namesTaken);
  const format = table.choice('format', marketFormats);
  if (format === null) throw table.error('', `'format' is missing.`);
  const mapping = readMapping(table, format, path);
  const everyMs = every('24h').read(table, secrets);
  const headers = readHeaders(table, secrets);
  const isUrlSecret = !table.has('url');
  return {
    name,
    format,
    mapping,
    everyMs,
    url: readHttpUrl(table, secrets),
    headers,
    hasSecret: isUrlSecret || Object.values(headers).some((value) => value instanceof Secret),
  };
}

/** Only owners can import the formats of accounts. */
const marketFormats = Object.keys(importFormats)
  .filter(isFormatName)
  .filter((name) => importFormats[name].data !== null);

/** Also the name of a folder. */
function readName(table: SettingsTable, taken: Set<string>): string {
  const name = table.requiredText('name');
  if (!/^[a-z\d][a-z\d-]{0,39}$/.test(name)) {
    throw table.error('name', `'name' must be up to 40 of a to z, 0 to 9 and -.`);
  }
  if (taken.has(name)) throw table.error('name', `the name '${name}' is already taken.`);
  taken.add(name);
  return name;
}

/** Relative to the settings. */
function readMapping(table: SettingsTable, format: FormatName, path: string): string | null {
  const text = table.text('mapping');
  const { needsMapping = false }: ImportFormat = importFormats[format];
  if (text === null) {
    if (!needsMapping) return null;
    throw table.error('', `the format '${format}' needs a 'mapping' that names its columns.`);
  }
  if (!needsMapping) {
    throw table.error('mapping', `the format '${format}' does not use a 'mapping'.`);
  }
  const file = resolve(dirname(path), text);
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

export function connectHttp(settings: HttpSettings): Connection {
  const { url, everyMs } = settings;
  return {
    budget: null,
    check: async (client) => {
      const fetched = await fetchFile(client, requestOf(settings));
      const size = nounText(fetched?.bytes.length ?? 0, 'byte');
      return `Connected to ${url.host}. The file has ${size}.`;
    },
    plan: async ({ cursor, at }) => ({
      calls: [
        {
          subject: url.host,
          reason: cursor === null ? 'nothing has been fetched yet' : 'it may have changed',
          cost: 1,
          questions: [],
          ask: (client) => ask(client, settings, cursor),
        },
      ],
      nextAt: at + everyMs,
    }),
  };
}

async function ask(
  client: SourceClient,
  settings: HttpSettings,
  cursor: JsonValue,
): Promise<Answer> {
  const { name, format, mapping } = settings;
  const meaning = meaningOf(settings);
  const kept = asObject(cursor) ?? {};
  const unlessSame = kept.meaning === meaning ? validatorsIn(kept.validators) : noValidators;
  const fetched = await fetchFile(client, { ...requestOf(settings), unlessSame });
  if (fetched === null) return { files: [] };
  const { bytes, validators } = fetched;
  const file = { name: `${name}${endOf(settings.url, bytes)}`, bytes, format };
  return {
    files: [mapping === null ? file : { ...file, mapping }],
    cursor: { meaning, validators },
  };
}

function requestOf({ url, headers, hasSecret }: HttpSettings): SourceRequest {
  const sent = Object.entries(headers).map(([name, value]) => {
    return [name, typeof value === 'string' ? value : value.reveal()];
  });
  const limits = { bytesMax, timeoutMs };
  return { url, headers: Object.fromEntries(sent), hidesErrors: hasSecret, ...limits };
}

/** If it changes, the file is imported again. Hashed because the URL may contain a key. */
function meaningOf({ url, format, mapping }: HttpSettings): string {
  const columns = mapping === null ? '' : readFileSync(mapping, 'utf8');
  const hash = createHash('sha256').update(JSON.stringify([url.href, format, columns]));
  return hash.digest('hex').slice(0, 16);
}

/** The file extension: compression by content, the type by URL or else by content. */
function endOf({ pathname }: URL, bytes: Uint8Array): string {
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return `${plainEnd(pathname, '.csv')}.gz`;
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) return '.zip';
  const [first = ''] = new TextDecoder()
    .decode(bytes.subarray(0, 64))
    .replace(/^\ufeff/, '')
    .trim();
  const guess = { '{': '.json', '[': '.json', '<': '.xml' }[first] ?? '.csv';
  return plainEnd(pathname, guess);
}

function plainEnd(pathname: string, guess: string): string {
  return knownEnd.exec(pathname.replace(/\.gz$/i, ''))?.[0].toLowerCase() ?? guess;
}
