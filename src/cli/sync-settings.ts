/** Finds the settings of sources, and reads them. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, ConfigError } from '../config.ts';
import type { Format } from '../ingest/format.ts';
import { formats } from '../ingest/formats.ts';
import { type FormatChoice, readSyncSettings, type SyncSettings } from '../sync/settings.ts';
import { SettingsError } from '../sync/settings-text.ts';

/**
 * What is set; null when there are no settings. Throws a `ConfigError` for what makes no sense. A
 * shell seldom has the secrets of the server: what need not ask anybody goes without them.
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

/** Where the settings are, or would be. */
export function sourcesPath(config: Pick<Config, 'dataFolder' | 'sourcesFile'>): string {
  return config.sourcesFile ?? join(config.dataFolder, 'sources.toml');
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

/** What belongs to an account comes from its owner, not from an address. */
function formatChoices(): FormatChoice[] {
  return Object.entries<Format>(formats)
    .filter(([, { settings }]) => settings?.account === undefined)
    .map(([name, { settings }]) => ({ name, mapping: settings?.mapping ?? null }));
}
