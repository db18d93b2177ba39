/** The sources configured in `sources.toml`: settings, connectors, and the choice of a command. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brickmarkVersion, type Config, ConfigError } from '../../config.ts';
import { nameHintEnd } from '../../contract/nearest.ts';
import type { Clock } from '../../domain/kernel/time.ts';
import type { Format } from '../../ingest/format.ts';
import { formats } from '../../ingest/formats.ts';
import { bricklinkConnector } from '../../sync/bricklink.ts';
import { bricksetConnector } from '../../sync/brickset.ts';
import { makeSourceClient, type SourceClient } from '../../sync/client.ts';
import type { Connector } from '../../sync/connector.ts';
import { ebayConnector } from '../../sync/ebay.ts';
import { ecbConnector } from '../../sync/ecb.ts';
import { httpConnector } from '../../sync/http.ts';
import { keepaConnector } from '../../sync/keepa.ts';
import { rebrickableConnector } from '../../sync/rebrickable.ts';
import { redact } from '../../sync/secret.ts';
import type { KeylessSource } from '../../sync/secret-reader.ts';
import {
  type FormatChoice,
  readSyncSettings,
  type SourceSettings,
  type SyncSettings,
  settingNames,
} from '../../sync/settings.ts';
import { settingsMark } from '../../sync/settings-mark.ts';
import { SettingsError } from '../../sync/settings-text.ts';
import { CommandError } from '../command.ts';
import { UsageError } from '../row.ts';

export interface Sources {
  readonly settings: SyncSettings;
  readonly connectors: readonly Connector[];
  /** Sources that are on, and cannot be called. */
  readonly keyless: readonly KeylessSource[];
  readonly client: SourceClient;
  /** Removes the secrets of all sources from a text. */
  redact(text: string): string;
}

/** All configured sources; null if there are none. Throws a `ConfigError`. */
function findSources(config: Config): Sources | null {
  const settings = findSyncSettings(config);
  if (settings === null) return null;
  const { clock, baseUrl } = config;
  const connectors = makeConnectors(settings, clock);
  const { secrets, keyless } = settings;
  if (connectors.length === 0 && keyless.length === 0) return null;
  const userAgent = `brickmark/${brickmarkVersion}${baseUrl === null ? '' : ` (+${baseUrl})`}`;
  const client = makeSourceClient({ userAgent, clock, secrets });
  return { settings, connectors, keyless, client, redact: (text) => redact(text, secrets) };
}

/** All configured sources, without secrets: for names and plans, not for calls. */
export function listConnectors(config: Config): readonly Connector[] {
  const settings = findSyncSettings(config, { withoutSecrets: true });
  return settings === null ? [] : makeConnectors(settings, config.clock);
}

/** The named sources, or all; throws if there are none. */
export function chooseSources(config: Config, names: readonly string[]): Sources {
  const sources = findSources(config);
  if (sources === null) throw nothingOn(config);
  const { connectors, keyless } = sources;
  const isChosen = choose([...connectors, ...keyless], config, names);
  return { ...sources, connectors: connectors.filter(isChosen), keyless: keyless.filter(isChosen) };
}

/** Like `chooseSources`, without secrets: for plans, not for calls. */
export function chooseConnectors(config: Config, names: readonly string[]): readonly Connector[] {
  const connectors = listConnectors(config);
  if (connectors.length === 0) throw nothingOn(config);
  return connectors.filter(choose(connectors, config, names));
}

function nothingOn(config: Config): CommandError {
  return new CommandError(
    `No sources configured. Create ${sourcesPath(config)}; see docs/sources for how.`,
  );
}

interface Named {
  readonly name: string;
}

/** Whether a source is among the named ones; without names, all are. */
function choose(
  all: readonly Named[],
  config: Config,
  names: readonly string[],
): (source: Named) => boolean {
  for (const name of names) checkName(name, all, config);
  return ({ name }) => names.length === 0 || names.includes(name);
}

function checkName(name: string, all: readonly Named[], config: Config): void {
  const known = all.map((source) => source.name);
  if (known.includes(name)) return;
  if (name !== '' && name !== 'http' && Object.hasOwn(settingNames, name)) {
    throw new CommandError(
      `'${name}' is not configured. Add it to ${sourcesPath(config)}; see docs/sources for how.`,
    );
  }
  throw new UsageError(`Unknown source '${name}'${nameHintEnd(name, known)}`);
}

/**
 * Null if there is no settings file. Throws a `ConfigError` for invalid settings. Commands that
 * make no calls read them without secrets, which a shell usually does not have.
 */
export function findSyncSettings(
  config: Pick<Config, 'dataFolder' | 'sourcesFile' | 'readVariable'>,
  { withoutSecrets = false }: { readonly withoutSecrets?: boolean } = {},
): SyncSettings | null {
  const path = sourcesPath(config);
  if (config.sourcesFile === null && !existsSync(path)) return null;
  try {
    const { readVariable } = config;
    const source = { text: readText(path), path, formats: formatChoices() };
    return readSyncSettings({ ...source, readVariable, withoutSecrets });
  } catch (error) {
    if (error instanceof SettingsError) throw new ConfigError(error.message);
    throw error;
  }
}

/** The environment variables that the settings name for secrets. */
export function listSecretVariables(config: Config): string[] {
  const names: string[] = [];
  const readVariable = (name: string) => {
    names.push(name);
    return config.readVariable(name);
  };
  try {
    findSyncSettings({ ...config, readVariable });
  } catch (error) {
    // The sync process reports it.
    if (!(error instanceof ConfigError)) throw error;
  }
  return names;
}

function sourcesPath(config: Pick<Config, 'dataFolder' | 'sourcesFile'>): string {
  return config.sourcesFile ?? join(config.dataFolder, 'sources.toml');
}

/** The settings as text, for the names in them; empty if they cannot be read. */
export function readSourcesText(config: Pick<Config, 'dataFolder' | 'sourcesFile'>): string {
  try {
    return readFileSync(sourcesPath(config), 'utf8');
  } catch {
    // Commands that use the settings say why.
    return '';
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code = '' } = error as { code?: string };
    throw new ConfigError(
      `Cannot read the source settings '${path}' (${code}). Check BRICKMARK_SOURCES ` +
        'and the permissions of the file.',
    );
  }
}

/** Formats of accounts are excluded: only the owner can import those. */
function formatChoices(): FormatChoice[] {
  return Object.entries<Format>(formats)
    .filter(([, { settings }]) => settings?.account === undefined)
    .map(([name, { settings }]) => ({ name, mapping: settings?.mapping ?? null }));
}

export function makeConnectors(settings: SyncSettings, clock: Clock): Connector[] {
  const { ecb, rebrickable, brickset, bricklink, keepa, ebay, http } = settings;
  const makeNonce = () => crypto.randomUUID();
  const connectors = [
    ecb && marked(ecb, ecbConnector(ecb)),
    rebrickable && marked(rebrickable, rebrickableConnector(rebrickable)),
    brickset && marked(brickset, bricksetConnector(brickset)),
    bricklink && marked(bricklink, bricklinkConnector(bricklink, { clock, makeNonce })),
    keepa && marked(keepa, keepaConnector(keepa, { clock })),
    ebay && marked(ebay, ebayConnector(ebay, { clock })),
    ...http.map((each) => marked(each, httpConnector(each))),
  ];
  return connectors.filter((connector) => connector !== null);
}

function marked(settings: SourceSettings, connector: Connector): Connector {
  return { ...connector, settingsMark: settingsMark(settings) };
}
