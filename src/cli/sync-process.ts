/**
 * A process beside `serve` or `upkeep` that asks sources: an import must not hold up answers. What
 * is wrong with the settings of sources is said, and keeps nobody from serving.
 */
import { ConfigError } from '../config.ts';
import { thisProgram } from './child-process.ts';
import type { Context, Flag } from './command.ts';
import { environmentOf } from './helper-process.ts';
import { KeptProcess } from './kept-process.ts';
import { lowerPriority } from './process-streams.ts';
import { listConnectors } from './sync-sources.ts';

/** Nobody is waiting for what is fetched. */
const priority = 10;

/** How long it may take to end; what it leaves is taken up by the next one. */
const endMs = 8_000;

/** The flag of commands that ask sources beside what they do. */
export const noSyncFlag: Flag = { help: 'Do not sync from the sources in sources.toml' };

/** Starts the process where sources are turned on; the result ends it. */
export function startSyncProcess(context: Context): () => Promise<void> {
  const { config, say } = context;
  if (!hasSources(context)) return async () => {};
  const process = new KeptProcess({
    name: 'The sync process',
    command: [...thisProgram(), 'sync'],
    environment: () => environmentOf(config, 'sync'),
    say,
    endMs,
    onStart: (pid) => lowerPriority(pid, priority),
  });
  process.keep();
  return () => process.stop();
}

function hasSources({ config, say }: Context): boolean {
  try {
    return listConnectors(config).length > 0;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    say(`Sync is off: ${error.message}`);
    return false;
  }
}
