/**
 * Command lines typed into this process, joined as `main.ts` joins them for a shell: the same
 * settings, store, messages and exit status, without the time that a process takes to start. What
 * only a process can show, such as signals, pipes and locks, is not for here.
 */
import { Readable } from 'node:stream';
import { run } from '../../src/main.ts';

/** What a command left behind. */
export interface Ran {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Where a command is typed, and what it is given there. */
export interface TypedAt {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly stdin?: string | Uint8Array | undefined;
  /** How wide the terminal is; without it, the output is a pipe. */
  readonly columns?: number | undefined;
}

/** Commands that go on until a signal ends them, or that start processes. */
const neverHere = ['serve', 'demo', 'upkeep'];

function isLastingCommand(words: readonly string[]): boolean {
  const [name = '', second = ''] = words;
  if (neverHere.includes(name)) return true;
  const isEnding = ['check', 'status'].includes(second);
  return name === 'sync' && !isEnding && !words.some((word) => /^--(once|dry-run)$/.test(word));
}

/** A process is in one folder at a time, so commands are run one after the other. */
let previous: Promise<unknown> = Promise.resolve();

/**
 * Runs a command line in this process. Variables that are not ours are read by Bun and by drivers,
 * from the process: a command that is given such needs one of its own.
 */
export function typeHere(words: readonly string[], at: TypedAt): Promise<Ran> {
  const isLasting = isLastingCommand(words) && !words.includes('--help');
  const foreign = Object.keys(at.environment).filter(
    (name) => !name.startsWith('BRICKMARK_') && at.environment[name] !== process.env[name],
  );
  if (isLasting || foreign.length > 0) {
    throw new Error(`'${words.join(' ')}' needs a process of its own ${foreign.join(' ')}.`);
  }
  const ran = previous.then(() => inFolder(at.folder, () => runHere(words, at)));
  previous = ran.catch(() => {});
  return ran;
}

async function inFolder<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const before = process.cwd();
  const umask = process.umask();
  process.chdir(folder);
  try {
    return await work();
  } finally {
    process.chdir(before);
    process.umask(umask);
  }
}

async function runHere(words: readonly string[], at: TypedAt): Promise<Ran> {
  const { environment, stdin, columns = null } = at;
  const printed: string[] = [];
  const said: string[] = [];
  const status = await run(words, {
    environment,
    stdin: Readable.from(stdin ? [Buffer.from(stdin)] : []),
    isTerminal: false,
    columns,
    print: (text) => printed.push(`${text}\n`),
    write: async (text) => printed.push(text) > 0,
    say: (text) => said.push(`${text}\n`),
    draw: (text) => said.push(text),
    // It would be the priority of all tests that follow.
    lowerPriority: () => {},
    untilShutdown: () => Promise.reject(new Error('Nobody can ask this process to end.')),
  });
  return { status, stdout: printed.join(''), stderr: said.join('') };
}
