/** Syncs until shutdown, with other sources after a reload, or once a missing key can be read. */
import { type Config, ConfigError } from '../../config.ts';
import { secondMs } from '../../kernel/time.ts';
import { type SyncEvents, SyncLoop } from '../../sync/loop.work.ts';
import type { KeylessSource } from '../../sync/secret-reader.work.ts';
import { CommandError } from '../command.ts';
import { chooseSources, type Sources } from './sync-sources.ts';
import { makeSyncWork, type SyncWorkDeps } from './sync-work.ts';

/** How often a key that could not be read is tried again. */
const keyLookMs = 5 * secondMs;

interface LoopsWork extends SyncWorkDeps {
  /** Only these sources; all if empty. */
  readonly names: readonly string[];
  readonly events: SyncEvents;
  /** A source is stopped. */
  onKeyless(source: KeylessSource): void;
}

export class SyncLoops {
  #next: Sources | null;
  #loop: SyncLoop | null = null;
  #isEnding = false;
  readonly #work: LoopsWork;

  constructor(first: Sources, work: LoopsWork) {
    this.#next = first;
    this.#work = work;
    work.context.untilShutdown().then(() => {
      this.#isEnding = true;
      this.#loop?.stop();
    });
  }

  async run(): Promise<void> {
    const { events, onKeyless, ...deps } = this.#work;
    while (this.#next !== null && !this.#isEnding) {
      const sources = this.#next;
      this.#next = null;
      for (const source of sources.keyless) onKeyless(source);
      this.#loop = new SyncLoop(makeSyncWork(deps, sources, events));
      const looking = setInterval(() => this.#lookForKeys(sources), keyLookMs);
      await this.#loop.run().finally(() => clearInterval(looking));
    }
  }

  replace(sources: Sources): void {
    this.#next = sources;
    this.#loop?.stop();
  }

  #lookForKeys({ keyless }: Sources): void {
    if (keyless.length === 0) return;
    const { context, names } = this.#work;
    const found = findSources(context.config, names);
    const isKeyless = (name: string) => found?.keyless.some((source) => source.name === name);
    if (found && keyless.some(({ name }) => !isKeyless(name))) this.replace(found);
  }
}

/** Null if the settings are invalid now, such as while somebody edits them. */
function findSources(config: Config, names: readonly string[]): Sources | null {
  try {
    return chooseSources(config, names);
  } catch (error) {
    if (error instanceof ConfigError || error instanceof CommandError) return null;
    throw error;
  }
}
