/**
 * Broken files give one clear sentence with the file and the place, import nothing, and take no
 * more memory than intact ones. The examples of docs/formats.md are broken in every way.
 */
// @runs SQLite: is about the command
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { closeSync, mkdirSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { SourceFileError } from '../../src/ingest/readers/source-file.work.ts';
import { formats } from '../../src/ingest/runner/formats.work.ts';
import { isFormatName } from '../../src/ingest/runner/import-formats.ts';
import type { Store } from '../../src/store/store.ts';
import { makeWorkplace, type Workplace } from '../support/cli.ts';
import { type DocExample, readExamples } from '../support/doc-examples.ts';
import { openTestStore } from '../support/engines.ts';
import { layGround } from '../support/example-ground.ts';
import { runMeasured } from '../support/measured.ts';
import { programCommand } from '../support/program.ts';
import { readOptions } from '../support/read-options.ts';
import { onTablesEach } from '../support/tables.ts';
import { deflatedZip } from '../support/zip.ts';

/** Without the feed, which accepts or rejects each line by itself. */
const examples = readExamples(join(import.meta.dir, '..', '..', 'docs', 'formats.md')).filter(
  ({ format }) => format !== 'feed',
);

/** Every example file with rows. */
const files = examples.flatMap((example) =>
  example.files
    .filter(({ name }) => !name.endsWith('.mapping.json'))
    .map((file) => ({ format: example.format, name: file.name, text: file.text, example })),
);

const isTable = (name: string) => /\.(csv|tsv|txt)$/.test(name);

/** The command that imports a file. */
function commandFor({ commands }: DocExample, name: string): readonly string[] {
  return commands.find((words) => words.includes(name)) ?? commands[0] ?? [];
}

/** The last non-empty line, and its offset. */
function lastLine(text: string): { readonly line: string; readonly start: number } {
  const start = text.trimEnd().lastIndexOf('\n') + 1;
  return { line: text.slice(start), start };
}

interface Breakage {
  readonly way: string;
  /** The broken file, or null if this way does not apply. */
  make(name: string, text: string): Buffer | null;
}

const breakages: readonly Breakage[] = [
  {
    way: 'truncated',
    make: (name, text) => {
      const { line, start } = lastLine(text);
      const inRow = start + Math.max(1, line.search(/[,;\t]/) + 1);
      return Buffer.from(text.slice(0, isTable(name) ? inRow : text.length * 0.6));
    },
  },
  { way: 'in UTF-16', make: (_, text) => Buffer.from(`\ufeff${text}`, 'utf16le') },
  {
    way: 'with a byte that is not UTF-8',
    make: (name, text) => {
      const { start } = lastLine(text);
      const bad = Buffer.from([0xe9, 0x28]);
      const rest = Buffer.from(text.slice(start));
      return isTable(name) ? Buffer.concat([Buffer.from(text.slice(0, start)), bad, rest]) : null;
    },
  },
  {
    way: 'with other columns',
    make: (name, text) => {
      // In JSON, another record is rejected like a row.
      if (!isTable(name)) return null;
      return Buffer.from(`hello,world\n${text.slice(text.indexOf('\n') + 1)}`);
    },
  },
  {
    way: 'with an unclosed quote',
    make: (name, text) => {
      if (!name.endsWith('.csv')) return null;
      const { start } = lastLine(text);
      return Buffer.from(`${text.slice(0, start)}"${text.slice(start).replaceAll('"', '')}`);
    },
  },
  { way: 'empty', make: () => Buffer.alloc(0) },
  { way: 'with binary data', make: () => Buffer.from('\u0001\u0002 noise '.repeat(5000)) },
];

let place: Workplace;

// One store for all, so that remains of a broken file would affect the next one.
beforeAll(async () => {
  place = makeWorkplace();
  await layGround(place);
});

afterAll(() => place.close());

function put(name: string, content: string | Uint8Array): void {
  const path = join(place.folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

/** Writes an example with one file replaced. */
function putExample({ files: all }: DocExample, name: string, content: Uint8Array): void {
  for (const file of all) put(file.name, file.name === name ? content : file.text);
}

/** The rows of all tables that imports write to. */
function countRows(): Promise<Record<string, object[]>> {
  const names = ['item', 'catalog_record', 'sale', 'offer', 'brickfolio', 'lot', 'ledger_sale'];
  const counts = names.map((name) => [name, `SELECT count(*) AS n FROM ${name}`]);
  return onTablesEach(place.data, Object.fromEntries(counts));
}

/** One or two sentences that name the file, without a stack trace. */
function checkSentence(said: string, name: string): void {
  expect(said.trim().split('\n')).toHaveLength(1);
  expect(said).toContain(name);
  expect(said).not.toMatch(/unexpected failed|\bat \S+:\d+:\d+/);
}

/** A file of an example, broken in every applicable way. */
const brokenOf = ({ name, text }: { readonly name: string; readonly text: string }) =>
  breakages.flatMap(({ way, make }) => {
    const content = make(name, text);
    return content ? [[way, content] as const] : [];
  });

function missing(format: string): never {
  throw new Error(`There is no format '${format}'.`);
}

/** Reads the files of a command completely; returns the rows that would be imported. */
async function readThrough(words: readonly string[], store: Store) {
  const { values, positionals } = parseArgs({
    args: words.slice(1),
    options: { account: { type: 'string' }, mapping: { type: 'string' } },
    allowPositionals: true,
  });
  const [format = '', ...paths] = positionals;
  const { account = null, mapping } = values;
  const at = (path: string) => join(place.folder, path);
  const settings = { account, mapping: mapping === undefined ? null : at(mapping) };
  const { isReadFirst, read } = isFormatName(format) ? formats[format] : missing(format);
  let written = 0;
  try {
    for await (const group of read(paths.map(at), readOptions({ store, settings }))) {
      if (!isReadFirst) written += group.length;
    }
    return { fault: null, written };
  } catch (fault) {
    return { fault, written };
  }
}

describe('files', () => {
  let store: Store;

  beforeAll(async () => {
    store = await openTestStore(place.data);
  });

  afterAll(() => store.close());

  describe.each(files)('$format, $name', ({ name, text, example }) => {
    test.each(brokenOf({ name, text }))(
      'rejects the file, with a sentence: %s',
      async (_, content) => {
        putExample(example, name, content);
        const { fault, written } = await readThrough(commandFor(example, name), store);
        expect(fault).toBeInstanceOf(SourceFileError);
        checkSentence(fault instanceof Error ? fault.message : '', name);
        expect(written).toBe(0);
      },
    );
  });
});

/** The first file of each format, each broken in a different way. */
const typed = examples.flatMap(({ format }, index) => {
  const file = files.find((each) => each.format === format);
  if (!file) return [];
  const ways = brokenOf(file);
  const [way = '', content = Buffer.alloc(0)] = ways[index % ways.length] ?? [];
  return [{ ...file, way, content }];
});

test.each(typed)('rejects $format with $way, as a command', async ({ name, content, example }) => {
  putExample(example, name, content);
  const before = await countRows();
  const ran = await place.run(example.commands[0] ?? []);
  expect(ran).toMatchObject({ status: 1, stdout: '' });
  checkSentence(ran.stderr, name);
  expect(await countRows()).toEqual(before);
});

describe('huge files', () => {
  /** Memory for rejecting a file: about as much as for a small one. */
  const memoryMax = 400 * 1024 * 1024;

  async function measure(words: readonly string[]) {
    const command = [...(await programCommand()), ...words];
    return runMeasured(command, { cwd: place.folder, env: await place.env() });
  }

  test('ten million lines of garbage', async () => {
    const path = join(place.folder, 'junk.csv');
    const file = openSync(path, 'w');
    writeSync(file, 'Set Number,Quantity,Includes Spares,Inventory Ver\n');
    const lines = 'just some junk\n'.repeat(100_000);
    for (let i = 0; i < 100; i++) writeSync(file, lines);
    closeSync(file);
    const words = ['import', 'collection', 'junk.csv', '--account', 'me@example.com'];
    const { status, stderr, memory } = await measure(words);
    rmSync(path);
    expect(status).toBe(1);
    checkSentence(stderr, 'junk.csv:1001');
    expect(memory).toBeLessThan(memoryMax);
  });

  test.each(['bomb.ndjson.gz', 'bomb.zip'])('%s, a decompression bomb', async (name) => {
    put(name, name.endsWith('.gz') ? gzipSync(bomb()) : deflatedZip('bomb.ndjson', bomb()));
    const { status, stderr, memory } = await measure(['import', 'feed', name]);
    expect(status).toBe(1);
    checkSentence(stderr, name);
    expect(stderr).toContain('unpacks to more than 200 times its size');
    expect(memory).toBeLessThan(memoryMax);
  });
});

const bombBytes = 80 * 1024 * 1024;

/** Long lines without rows, so that only their number is wrong. */
function bomb(): Buffer {
  const lines = Buffer.alloc(bombBytes, ' ');
  for (let at = 0; at < bombBytes; at += 100 * 1024) lines[at] = 0x0a;
  return lines;
}
