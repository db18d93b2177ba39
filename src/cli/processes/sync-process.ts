/**
 * The helper process of `serve` and `upkeep` that syncs, so that imports do not delay responses.
 * Invalid source settings are reported, and do not prevent serving.
 */
import type { Context } from '../command.ts';
import { findConnectors, listSecretVariables } from '../sync/sync-sources.ts';
import { thisProgram } from './child-process.ts';
import { environmentOf } from './helper-settings.ts';
import { KeptProcess, type ReloadableProcess } from './kept-process.ts';
import { lowerPriority } from './this-process.ts';

/** A nice value: sync is never urgent. */
const priority = 10;

/** After this, it is killed; the next process continues. */
const endMs = 8_000;

export const noSyncFlag = { help: 'Do not sync from the sources in sources.toml' } as const;

/** Not started without configured sources. */
export function startSyncProcess(context: Context): ReloadableProcess {
  let process = hasSources(context) ? keepSyncProcess(context) : null;
  let reloading = Promise.resolve();
  let isStopped = false;
  const restart = async () => {
    await process?.stop();
    process = !isStopped && hasSources(context) ? keepSyncProcess(context) : null;
  };
  return {
    reload: () => {
      reloading = reloading.then(restart);
      return reloading;
    },
    stop: async () => {
      isStopped = true;
      await reloading;
      await process?.stop();
    },
  };
}

function keepSyncProcess(context: Context): KeptProcess<unknown> {
  const { config, say } = context;
  const process = new KeptProcess({
    name: 'The sync process',
    command: [...thisProgram(), 'sync'],
    environment: () =>
      environmentOf(config, {
        helper: 'sync',
        task: 'sync',
        variables: listSecretVariables(config),
      }),
    say,
    endMs,
    onStart: (pid) => lowerPriority(pid, priority),
    watch: { helper: 'sync', health: context.helperHealth, say },
  });
  process.keep();
  return process;
}

function hasSources({ config, say }: Context): boolean {
  const { connectors, problem } = findConnectors(config);
  if (problem !== null) say(`Sync is off: ${problem}`);
  return connectors.length > 0;
}
