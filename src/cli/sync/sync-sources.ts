/** The sources configured in `sources.toml`: settings, connectors, and the choice of a command. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brickmarkVersion, type Config, ConfigError } from '../../config.ts';
import { nameHintEnd } from '../../contract/nearest.ts';
import type { Clock } from '../../kernel/time.ts';
import { makeSourceClient, type SourceClient } from '../../sync/client.work.ts';
import type { Connector } from '../../sync/connector.work.ts';
import { redact } from '../../sync/secret.ts';
import type { KeylessSource, SecretSource } from '../../sync/secret-reader.work.ts';
import { readSyncSettings, type SyncSettings } from '../../sync/settings.work.ts';
import { settingsMark } from '../../sync/settings-mark.work.ts';
import { SettingsError } from '../../sync/settings-text.ts';
import { sources as allSources } from '../../sync/sources.work.ts';
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

type SecretOptions = Pick<SecretSource, 'withoutSecrets'>;

/** For commands that make no calls, because a shell usually does not have the secrets. */
export const withoutSecrets: SecretOptions = { withoutSecrets: true };

/** All configured sources; null if there are none. Throws a `ConfigError`. */
function findSources(config: Config, options?: SecretOptions): Sources | null {
  const settings = findSyncSettings(config, options);
  if (settings === null) return null;
  const { clock, baseUrl } = config;
  const connectors = makeConnectors(settings, clock);
  const { secrets, keyless } = settings;
  if (connectors.length === 0 && keyless.length === 0) return null;
  const userAgent = `brickmark/${brickmarkVersion}${baseUrl === null ? '' : ` (+${baseUrl})`}`;
  const client = makeSourceClient({ userAgent, clock, secrets });
  return { settings, connectors, keyless, client, redact: (text) => redact(text, secrets) };
}

/** All configured sources without secrets, not to be called; none if the settings are invalid. */
export function findConnectors(config: Config): {
  readonly connectors: readonly Connector[];
  readonly problem: string | null;
} {
  try {
    const sources = findSources(config, withoutSecrets);
    return { connectors: sources?.connectors ?? [], problem: null };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { connectors: [], problem: error.message };
  }
}

/** The named sources, or all; throws if there are none. */
export function chooseSources(
  config: Config,
  names: readonly string[],
  options?: SecretOptions,
): Sources {
  const sources = findSources(config, options);
  if (sources === null) {
    throw new CommandError(
      `No sources configured. Create ${sourcesPath(config)}; see docs/sources for how.`,
    );
  }
  const { connectors, keyless } = sources;
  const known = [...connectors, ...keyless].map(({ name }) => name);
  for (const name of names) checkName(name, known, config);
  const isChosen = ({ name }: { readonly name: string }) =>
    names.length === 0 || names.includes(name);
  return { ...sources, connectors: connectors.filter(isChosen), keyless: keyless.filter(isChosen) };
}

function checkName(name: string, known: readonly string[], config: Config): void {
  if (known.includes(name)) return;
  if (allSources.some((source) => source.name === name && !source.isMany)) {
    throw new CommandError(
      `'${name}' is not configured. Add it to ${sourcesPath(config)}; see docs/sources for how.`,
    );
  }
  throw new UsageError(`Unknown source '${name}'${nameHintEnd(name, known)}`);
}

/** Null if there is no settings file. Throws a `ConfigError` for invalid settings. */
export function findSyncSettings(
  config: Pick<Config, 'dataFolder' | 'sourcesFile' | 'readVariable'>,
  options: SecretOptions = {},
): SyncSettings | null {
  const path = sourcesPath(config);
  if (config.sourcesFile === null && !existsSync(path)) return null;
  try {
    const { readVariable } = config;
    return readSyncSettings({ text: readText(path), path, readVariable, ...options });
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

export function makeConnectors({ sources }: SyncSettings, clock: Clock): Connector[] {
  const makeNonce = () => crypto.randomUUID();
  return sources.map(({ name, step, settings, connect }) => {
    return { name, step, settingsMark: settingsMark(settings), ...connect({ clock, makeNonce }) };
  });
}
