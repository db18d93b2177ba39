/**
 * Command lines that end before they do anything: they are run in this process, because starting
 * one for each takes longer than all else. What a shell gets of them is tested with a few.
 */
import type { Context } from '../../src/cli/command.ts';
import { runCommandLine } from '../../src/cli/run.ts';
import { readConfig } from '../../src/config.ts';
import type { Ran, Workplace } from './cli.ts';
import { openTestStore } from './engines.ts';

/** Runs words that are to be refused, or explained; a store may be looked into, and no more. */
export async function typeHere(place: Workplace, words: readonly string[]): Promise<Ran> {
  const [printed, said]: [string[], string[]] = [[], []];
  const environment = { ...(await place.env()), BRICKMARK_DATA: place.data };
  const context: Pick<Context, 'config' | 'isJson' | 'hasStore' | 'openStore'> = {
    config: readConfig(environment),
    isJson: false,
    hasStore: async () => true,
    openStore: () => openTestStore(place.data),
  };
  const status = await runCommandLine(words, {
    print: (text) => printed.push(`${text}\n`),
    say: (text) => said.push(`${text}\n`),
    // Whatever else a command would ask for is missing, and fails the test.
    makeContext: () => context as Context,
  });
  return { status, stdout: printed.join(''), stderr: said.join('') };
}
