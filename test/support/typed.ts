/**
 * Runs commands in this process via the same code as `main.ts`: the same settings, store, messages
 * and exit status, without the start-up time of a process. Signals, pipes and locks need a real
 * process.
 */
import { Readable } from 'node:stream';
import { run } from '../../src/main.ts';

export interface Ran {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface TypedAt {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly stdin?: string | Uint8Array | undefined;
  /** Whether a person types it. */
  readonly isTyped?: boolean | undefined;
  /** The width of the terminal; without it, the output is a pipe. */
  readonly columns?: number | undefined;
}

/** Commands that run until a signal ends them, or that start processes. */
const neverHere = ['serve', 'demo', 'upkeep'];

function isLastingCommand(words: readonly string[]): boolean {
  const [name = '', second = ''] = words;
  if (neverHere.includes(name)) return true;
  const isEnding = ['check', 'status'].includes(second);
  return name === 'sync' && !isEnding && !words.some((word) => /^--(once|now|dry-run)$/.test(word));
}

/** Commands run one at a time, since a process has only one current folder. */
let previous: Promise<unknown> = Promise.resolve();

/**
 * Runs a command line in this process. Throws for variables other than BRICKMARK_*, which Bun and
 * drivers read from the real environment; such commands need a child process.
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
  const { environment, stdin, columns = null, isTyped = false } = at;
  const printed: string[] = [];
  const said: string[] = [];
  const status = await run(words, {
    environment,
    stdin: Object.assign(Readable.from(stdin ? [Buffer.from(stdin)] : []), { isTTY: isTyped }),
    isTerminal: false,
    columns,
    print: (text) => printed.push(`${text}\n`),
    write: async (text) => printed.push(text) > 0,
    say: (text) => said.push(`${text}\n`),
    draw: (text) => said.push(text),
    // Lowering it would affect all tests that follow.
    lowerPriority: () => {},
    untilShutdown: () => Promise.reject(new Error('Nobody can ask this process to end.')),
    onReload: () => {},
  });
  return { status, stdout: printed.join(''), stderr: said.join('') };
}
