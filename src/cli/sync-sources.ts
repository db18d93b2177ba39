/** The sources that are set, found and chosen for a command. */

import { brickmarkVersion, type Config } from '../config.ts';
import { nameHintEnd } from '../contract/nearest.ts';
import { makeSourceClient, type SourceClient } from '../sync/client.ts';
import type { Connector } from '../sync/connector.ts';
import { redact } from '../sync/secret.ts';
import { type SyncSettings, settingNames } from '../sync/settings.ts';
import { CommandError, UsageError } from './command.ts';
import { makeConnectors } from './sync-connectors.ts';
import { findSyncSettings, sourcesPath } from './sync-settings.ts';

/** Sources with what it takes to ask them. */
export interface Sources {
  readonly settings: SyncSettings;
  readonly connectors: readonly Connector[];
  readonly client: SourceClient;
  /** Text without the secrets of any source. */
  redact(text: string): string;
}

/** Everything that is turned on; null when nothing is. Throws a `ConfigError`. */
function findSources(config: Config): Sources | null {
  const settings = findSyncSettings(config);
  if (settings === null) return null;
  const { clock, baseUrl } = config;
  const connectors = makeConnectors(settings, clock);
  if (connectors.length === 0) return null;
  const { secrets } = settings;
  const userAgent = `brickmark/${brickmarkVersion}${baseUrl === null ? '' : ` (+${baseUrl})`}`;
  const client = makeSourceClient({ userAgent, clock, secrets });
  return { settings, connectors, client, redact: (text) => redact(text, secrets) };
}

/** Everything that is turned on, to be named and planned for, not to be asked: without secrets. */
export function listConnectors(config: Config): readonly Connector[] {
  const settings = findSyncSettings(config, { withoutSecrets: true });
  return settings === null ? [] : makeConnectors(settings, config.clock);
}

/** The sources that were named, or all; throws when there are none. */
export function chooseSources(config: Config, names: readonly string[]): Sources {
  const sources = findSources(config);
  if (sources === null) throw nothingOn(config);
  return { ...sources, connectors: choose(sources.connectors, config, names) };
}

/** The same, to be planned for, not to be asked: without secrets. */
export function chooseConnectors(config: Config, names: readonly string[]): readonly Connector[] {
  const connectors = listConnectors(config);
  if (connectors.length === 0) throw nothingOn(config);
  return choose(connectors, config, names);
}

function nothingOn(config: Config): CommandError {
  return new CommandError(
    `No sources configured. Create ${sourcesPath(config)}; see docs/sources for how.`,
  );
}

function choose(
  connectors: readonly Connector[],
  config: Config,
  names: readonly string[],
): readonly Connector[] {
  for (const name of names) checkName(name, connectors, config);
  return connectors.filter(({ name }) => names.length === 0 || names.includes(name));
}

function checkName(name: string, connectors: readonly Connector[], config: Config): void {
  const known = connectors.map((connector) => connector.name);
  if (known.includes(name)) return;
  if (name !== '' && name !== 'http' && Object.hasOwn(settingNames, name)) {
    throw new CommandError(
      `'${name}' is not configured. Add it to ${sourcesPath(config)}; see docs/sources for how.`,
    );
  }
  throw new UsageError(`Unknown source '${name}'${nameHintEnd(name, known)}`);
}
