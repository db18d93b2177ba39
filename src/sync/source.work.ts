/** A source: its settings in `sources.toml`, and how it is called with them. */

import type { DataKind } from '../ingest/runner/import-formats.ts';
import { dayMs, minuteMs } from '../kernel/time.ts';
import { isSafe } from './client.work.ts';
import { type Connection, type ConnectionDeps, type SyncStep, stepOf } from './connector.work.ts';
import type { Secret } from './secret.ts';
import type { SecretReader } from './secret-reader.work.ts';
import type { SettingsTable } from './settings-text.ts';

/** A row of `sources`. */
export interface Source {
  /** Its table in `sources.toml`, and its page in `docs/sources`. */
  readonly name: string;
  /** Whether there may be several, as `[[name]]`, which have names of their own. */
  readonly isMany: boolean;
  /** The data that it provides, for the status page. */
  readonly data: DataKind;
  /** The names of its settings; a secret `key` is set as `key_env` or `key_file`. */
  readonly names: { readonly plain: readonly string[]; readonly secret: readonly string[] };
  read(table: SettingsTable, context: SettingsContext): ConfiguredSource;
}

/** Input for reading the settings of a source. */
export interface SettingsContext {
  /** The path of the settings; other paths are relative to it. */
  readonly path: string;
  readonly secrets: SecretReader;
  readonly namesTaken: Set<string>;
}

export interface ConfiguredSource {
  readonly name: string;
  readonly step: SyncStep;
  readonly settings: SourceSettings;
  connect(deps: ConnectionDeps): Connection;
}

export interface SourceSettings {
  readonly url: URL;
  /** Whether its URL or a header is a secret. */
  readonly hasSecret?: boolean;
}

/** A setting: its name in `sources.toml`, and how it is read. */
interface Setting<Value> {
  readonly name: string;
  readonly isSecret?: true;
  read(table: SettingsTable, secrets: SecretReader): Value;
}

type SettingRows = { readonly url: Setting<URL> } & Readonly<Record<string, Setting<unknown>>>;

export type SettingsOf<Rows extends SettingRows> = {
  readonly [Name in keyof Rows]: ReturnType<Rows[Name]['read']>;
};

interface SourceDefinition<Rows extends SettingRows> extends Pick<Source, 'name' | 'data'> {
  /** Besides `enabled`. */
  readonly settings: Rows;
  connect(settings: SettingsOf<Rows>, deps: ConnectionDeps): Connection;
}

/** A source with a table of its own. */
export function defineSource<Rows extends SettingRows>(definition: SourceDefinition<Rows>) {
  const { name, data, settings: rows, connect } = definition;
  const all: readonly Setting<unknown>[] = Object.values(rows);
  const source: Source = {
    name,
    data,
    isMany: false,
    names: {
      plain: ['enabled', ...all.flatMap((row) => (row.isSecret ? [] : row.name))],
      secret: all.flatMap((row) => (row.isSecret ? row.name : [])),
    },
    read: (table, { secrets }) => {
      const values = Object.entries(rows).map(([key, row]) => [key, row.read(table, secrets)]);
      // The type of an object made of entries does not have their names.
      const settings = Object.fromEntries(values) as SettingsOf<Rows>;
      return { name, step: stepOf(data), settings, connect: (deps) => connect(settings, deps) };
    },
  };
  return { ...source, connect };
}

/** A base URL, to which paths are appended. */
export function baseUrl(fallback: string): Setting<URL> {
  const read = (table: SettingsTable) => {
    const url = readUrl(table, 'url', table.text('url') ?? fallback);
    if (url.search !== '') throw table.error('url', `'url' cannot contain a query.`);
    if (!url.pathname.endsWith('/')) url.pathname += '/';
    return url;
  };
  return { name: 'url', read };
}

/** For sources about items, the minimum interval between questions about one. */
export function every(fallback: string): Setting<number> {
  const bounds = { min: minuteMs, max: 31 * dayMs, fallback };
  return { name: 'every', read: (table) => table.duration('every', bounds) };
}

export function callsPerDay(fallback: number): Setting<number> {
  const bounds = { min: 1, max: 1_000_000, fallback };
  return { name: 'calls_per_day', read: (table) => table.whole('calls_per_day', bounds) };
}

export function secret(name: string): Setting<Secret> {
  return { name, isSecret: true, read: (table, secrets) => secrets.required(table, name) };
}

/** Errors do not quote the URL, because it may contain a secret. */
export function readUrl(table: SettingsTable, setting: string, text: string): URL {
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
