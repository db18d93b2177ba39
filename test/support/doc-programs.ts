/** The programs of docs/examples, started as users would start them: with Node, or with Python. */
import { Database } from 'bun:sqlite';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeWith } from './programs.ts';

const examples = join(import.meta.dir, '..', '..', 'docs', 'examples');

/** A language that the examples are written in. */
export interface Language {
  readonly name: string;
  /** The words that start an example, before its arguments. */
  command(example: string, folder: string): string[];
}

/** Suites for each language that can be run here. */
export function describeLanguages(title: string, suites: (language: Language) => void): void {
  describeWith('node', `${title} in TypeScript`, (node) =>
    suites({ name: 'TypeScript', command: (example, folder) => [node, strip(example, folder)] }),
  );
  describeWith('python3', `${title} in Python`, (python) =>
    suites({ name: 'Python', command: (example) => [python, join(examples, `${example}.py`)] }),
  );
}

/** Without its types, which Node removes by itself only in versions that may not be at hand. */
function strip(example: string, folder: string): string {
  const text = readFileSync(join(examples, `${example}.ts`), 'utf8');
  const path = join(folder, `${example}.mjs`);
  writeFileSync(path, new Bun.Transpiler({ loader: 'ts' }).transformSync(text));
  return path;
}

/** An example that runs. */
export interface RunningExample {
  /** Its exit status, once everything that it printed is there. */
  readonly exited: Promise<number>;
  /** What it has printed, errors included. */
  printed(): string;
  /** Ends it at once, as a crash would. */
  kill(): Promise<void>;
}

/** Starts an example; resolves when it has printed something, or has ended. */
export async function startExample(
  command: readonly string[],
  options: { readonly folder: string; readonly env: Readonly<Record<string, string>> },
): Promise<RunningExample> {
  const child = Bun.spawn([...command], {
    cwd: options.folder,
    env: { ...process.env, ...options.env },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  let text = '';
  const begun = Promise.withResolvers<void>();
  const read = async (stream: ReadableStream<Uint8Array>) => {
    for await (const chunk of stream) {
      text += new TextDecoder().decode(chunk);
      begun.resolve();
    }
  };
  const end = async () => {
    await Promise.all([read(child.stdout), read(child.stderr)]);
    begun.resolve();
    return child.exited;
  };
  const exited = end();
  await begun.promise;
  return {
    exited,
    printed: () => text,
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** A message that a receiver kept. */
interface KeptMessage {
  readonly id: string;
  readonly message: { readonly type: string; readonly data: unknown };
}

/** What a receiver kept, in the order in which it came: lines, or rows of SQLite. */
export function readInbox(path: string): KeptMessage[] {
  if (!existsSync(path)) return [];
  const bytes = readFileSync(path);
  if (!bytes.toString('latin1').startsWith('SQLite')) {
    const lines = bytes.toString().split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line));
  }
  using db = new Database(path, { readonly: true });
  db.run('PRAGMA busy_timeout = 5000');
  const rows = db.query('SELECT id, message FROM inbox ORDER BY number').all();
  return (rows as { id: string; message: string }[]).map(({ id, message }) => ({
    id,
    message: JSON.parse(message),
  }));
}
