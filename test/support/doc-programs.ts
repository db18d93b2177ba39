/** Runs the programs of docs/examples as users do, with Node or Python. */
import { Database } from 'bun:sqlite';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeWith } from './programs.ts';

const examples = join(import.meta.dir, '..', '..', 'docs', 'examples');

export interface Language {
  readonly name: string;
  /** The command that runs an example, without its arguments. */
  command(example: string, folder: string): string[];
}

/** Runs suites for each language that is installed. */
export function describeLanguages(title: string, suites: (language: Language) => void): void {
  describeWith('node', `${title} in TypeScript`, (node) =>
    suites({ name: 'TypeScript', command: (example, folder) => [node, compile(example, folder)] }),
  );
  describeWith('python3', `${title} in Python`, (python) =>
    suites({ name: 'Python', command: (example) => [python, join(examples, `${example}.py`)] }),
  );
}

/** Compiles to CommonJS, as `npx tsx` does with a file outside of a package. */
function compile(example: string, folder: string): string {
  const path = join(folder, `${example}.cjs`);
  const words = ['--target=node', '--format=cjs', `--outfile=${path}`];
  const source = join(examples, `${example}.ts`);
  const built = Bun.spawnSync([process.execPath, 'build', source, ...words]);
  if (!built.success) throw new Error(`${built.stderr}`);
  return path;
}

export interface RunningExample {
  /** The exit status, once all output has been read. */
  readonly exited: Promise<number>;
  /** Standard output and standard error so far. */
  printed(): string;
  /** Kills it (SIGKILL). */
  kill(): Promise<void>;
}

/** Starts an example; resolves at its first output or its end. */
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

interface KeptMessage {
  readonly id: string;
  readonly message: { readonly type: string; readonly data: unknown };
}

/** The stored messages in order of arrival, from a file of lines or SQLite. */
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

const root = join(import.meta.dir, '..', '..');

/** A program as a page of the docs shows it. */
export function programIn(page: string, file: string): string {
  const [, program] =
    new RegExp(`<!-- file: ${file} -->\\n\`\`\`\\w+\\n([\\s\\S]*?)\`\`\`\\n`).exec(
      readFileSync(join(root, page), 'utf8'),
    ) ?? [];
  if (program === undefined) throw new Error(`${page} does not show ${file}.`);
  return program;
}

/** The commands that a page shows before a program. */
export function commandsBefore(page: string, file: string): string {
  const text = readFileSync(join(root, page), 'utf8');
  const before = text
    .slice(0, text.indexOf(`<!-- file: ${file} -->`))
    .trimEnd()
    .split('\n');
  const start = before.findLastIndex((line) => !line.startsWith('    ')) + 1;
  return before.slice(start).join('\n');
}
