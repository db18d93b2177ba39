/**
 * `reload`, and the part of it in running processes: they read `sources.toml`, `fees.json` and
 * `postage.json` again. The command asks through files in the data folder, so it needs no process
 * IDs, which may belong to another program by now, and gets an answer.
 */
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type Config, ConfigError } from '../config.ts';
import { secondMs } from '../kernel/time.ts';
import type { KeylessSource } from '../sync/secret-reader.work.ts';
import { CommandError, type Context, command } from './command.ts';
import { readFeeTables } from './fee-files.ts';
import { findSyncSettings } from './sync/sync-sources.ts';
import { keylessText } from './sync/sync-text.ts';

/** How often running processes look for a request. */
const lookMs = 500;

/** How long the command waits for the first answer, for others, and for all to be done. */
const answerMs = { first: 5 * secondMs, others: 3 * lookMs, all: 60 * secondMs };

interface Answer {
  /** The command that it was started with, such as `serve`. */
  readonly process: string;
  readonly pid: number;
  readonly state: 'working' | 'done' | 'failed';
  readonly problem: string | null;
}

export const reloadCommand = command({
  name: 'reload',
  summary: 'Have running servers read sources.toml, fees.json and postage.json again',
  run: async (_, context) => {
    const { dataFolder } = context.config;
    const answers = await ask(dataFolder);
    if (answers.length === 0) {
      throw new CommandError(
        `No running process uses '${dataFolder}'. Check --data or BRICKMARK_DATA; on other ` +
          'nodes, run it there, or send SIGHUP.',
      );
    }
    const lines = answers.map(({ process, pid, state, problem }) =>
      state === 'done'
        ? `${process} (process ${pid}) has reloaded.${problem === null ? '' : ` ${problem}`}`
        : `${process} (process ${pid}) has not: ${problem ?? 'it is still working.'}`,
    );
    const failed = answers.filter(({ state }) => state !== 'done');
    context.result(
      { processes: answers.map(({ process, pid, problem }) => ({ process, pid, problem })) },
      lines.join('\n'),
    );
    if (failed.length > 0) throw new CommandError('Not everything has reloaded. See above.');
    const hasProblem = answers.some(({ problem }) => problem !== null);
    if (hasProblem) throw new CommandError('Not every source works. See above.');
  },
});

async function ask(dataFolder: string): Promise<Answer[]> {
  const folder = folderOf(dataFolder);
  const id = crypto.randomUUID();
  if (!statSync(dataFolder, { throwIfNoEntry: false })?.isDirectory()) return [];
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeWhole(join(folder, requestName), id);
  const startedAt = performance.now();
  const isWaiting = (answers: readonly Answer[]) => {
    const waitedMs = performance.now() - startedAt;
    if (answers.length === 0) return waitedMs < answerMs.first;
    const isWorking = answers.some(({ state }) => state === 'working');
    return waitedMs < (isWorking ? answerMs.all : answerMs.others);
  };
  let answers = listAnswers(folder, id);
  while (isWaiting(answers)) {
    await Bun.sleep(lookMs / 5);
    answers = listAnswers(folder, id);
  }
  rmSync(folder, { recursive: true, force: true });
  return answers;
}

/** Throws for invalid files first; returns sources without keys, which only syncing needs. */
export function checkReload(
  config: Config,
  { hasSync }: { readonly hasSync: boolean },
): readonly KeylessSource[] {
  readFeeTables(config.dataFolder);
  return (hasSync && findSyncSettings(config)?.keyless) || [];
}

/**
 * Calls `reload` on SIGHUP and on requests of the command, one at a time. Errors are reported, and
 * the process continues with its previous settings. `reload` returns the sources without keys.
 */
export function reloadOnRequest(
  name: string,
  { config, say, onReload, untilShutdown }: Context,
  reload: () => Promise<readonly KeylessSource[]>,
): void {
  const folder = folderOf(config.dataFolder);
  let last = readRequest(folder);
  let running: Promise<unknown> = Promise.resolve();
  const run = (answer: (state: Answer['state'], problem: string | null) => void) => {
    running = running.then(async () => {
      answer('working', null);
      await reload().then(
        (keyless) => {
          say('Reloaded sources and fees.');
          answer('done', keyless.map(keylessText).join(' ') || null);
        },
        (error) => {
          const problem = problemOf(error);
          say(`Nothing is reloaded: ${problem}`);
          answer('failed', problem);
        },
      );
    });
  };
  onReload(() => run(() => {}));
  const timer = setInterval(() => {
    const id = readRequest(folder);
    if (id === null || id === last) return;
    last = id;
    run((state, problem) => {
      const answer: Answer = { process: name, pid: process.pid, state, problem };
      writeAnswer(folder, id, answer);
    });
  }, lookMs);
  // It must not keep a process running that has nothing else to do.
  timer.unref();
  untilShutdown().then(() => clearInterval(timer));
}

function problemOf(error: unknown): string {
  const isOurs = error instanceof CommandError || error instanceof ConfigError;
  const { message } = error as { message?: string };
  return isOurs ? `${message}` : `Unexpected error: ${message}.`;
}

const requestName = 'request';

function folderOf(dataFolder: string): string {
  return join(dataFolder, 'reload');
}

function readRequest(folder: string): string | null {
  try {
    return readFileSync(join(folder, requestName), 'utf8');
  } catch {
    // No request.
    return null;
  }
}

function writeAnswer(folder: string, id: string, answer: Answer): void {
  try {
    writeWhole(join(folder, `${id}-${answer.pid}`), JSON.stringify(answer));
  } catch {
    // The command has given up, and removed the folder.
  }
}

function listAnswers(folder: string, id: string): Answer[] {
  const names = readdirSync(folder).filter((name) => name.startsWith(`${id}-`));
  const whole = names.filter((name) => !name.endsWith('.part'));
  return whole.map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));
}

/** Atomic: a reader sees the whole file or none. */
function writeWhole(path: string, text: string): void {
  writeFileSync(`${path}.part`, text);
  renameSync(`${path}.part`, path);
}
