/** Reads and validates `sources.toml`. */
import type { Secret } from './secret.ts';
import {
  type KeylessSource,
  SecretError,
  SecretReader,
  type SecretSource,
  writtenSecret,
} from './secret-reader.work.ts';
import { type SettingsTable, SettingsText } from './settings-text.ts';
import type { ConfiguredSource, SettingsContext, Source } from './source.work.ts';
import { sources } from './sources.work.ts';

export interface SyncSettings {
  /** Enabled sources that can be called, in order of `sources`. */
  readonly sources: readonly ConfiguredSource[];
  readonly keyless: readonly KeylessSource[];
  /** Responses are stored for this long, up to this total size. */
  readonly keepDays: number;
  readonly keepMb: number;
  /** Values that must never be shown or logged. */
  readonly secrets: readonly Secret[];
  readonly warnings: readonly string[];
}

export interface SettingsSource extends SecretSource {
  readonly text: string;
}

const keepDaysBounds = { min: 1, max: 365, fallback: 7 };
const keepMbBounds = { min: 1, max: 1_000_000, fallback: 2000 };

/** Throws a `SettingsError` without secrets. */
export function readSyncSettings({ text, ...source }: SettingsSource): SyncSettings {
  const parsed = new SettingsText(text, source.path);
  const names = sources.map(({ name }) => name);
  const top = parsed.top(['keep_days', 'keep_mb'], names);
  const secrets = new SecretReader(source);
  const context = { path: source.path, secrets, namesTaken: new Set(names) };
  return {
    sources: sources.flatMap((each) =>
      parsed.list(each).flatMap((table) => readSource(each, table, context) ?? []),
    ),
    keepDays: top.whole('keep_days', keepDaysBounds),
    keepMb: top.whole('keep_mb', keepMbBounds),
    secrets: secrets.all,
    keyless: secrets.keyless,
    warnings: secrets.warnings,
  };
}

/** Null if the source is keyless or disabled; then only the names of settings are validated. */
function readSource(
  source: Source,
  table: SettingsTable,
  context: SettingsContext,
): ConfiguredSource | null {
  const { plain, secret } = source.names;
  const written = secret.find((word) => table.has(word) && !plain.includes(word));
  if (written !== undefined) throw writtenSecret(table, written);
  table.requireKnown([...plain, ...secret.flatMap((word) => [`${word}_env`, `${word}_file`])]);
  if (!table.flag('enabled', true)) return null;
  try {
    return source.read(table, context);
  } catch (error) {
    if (!(error instanceof SecretError)) throw error;
    const name = table.text('name') ?? source.name;
    context.secrets.keyless.push({ name, problem: error.message });
    return null;
  }
}
