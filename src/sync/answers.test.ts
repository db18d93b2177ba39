/** Answers as they are kept on disk. */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { dayMs } from '../domain/kernel/time.ts';
import { AnswerFolders } from './answers.ts';

const at = Date.UTC(2026, 10, 15, 12);
const bytes = new TextEncoder().encode('{}');
const asked = { questions: [], at };
const rules = { before: 0, bytesMax: 1_000_000, sources: ['huts', 'barns'] };

let folder: string;
let answers: AnswerFolders;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'brickmark-answers-'));
  answers = new AnswerFolders(folder);
});
afterEach(() => rmSync(folder, { recursive: true }));

function group(source: string, startedAt = at) {
  const made = answers.begin(source, { at: startedAt, cursor: null });
  made.add({ files: [{ name: 'a.json', bytes, format: 'feed' }] }, asked);
  return made;
}

test('files are for their owner alone, by format, and never written over', () => {
  const made = group('huts');
  const files = [
    { name: 'a.json', bytes, format: 'feed' },
    { name: 'b.csv', bytes, format: 'offers-csv', mapping: '/etc/b.json' },
  ];
  made.add({ files }, asked);
  const inside = (path: string) => join(made.folder, path);
  expect(made.imports()).toEqual([
    { format: 'feed', paths: [inside('feed/a.json.gz'), inside('feed/2-a.json.gz')] },
    { format: 'offers-csv', mapping: '/etc/b.json', paths: [inside('offers-csv/b.csv.gz')] },
  ]);
  expect(statSync(inside('feed/a.json.gz')).mode & 0o777).toBe(0o600);
  expect(statSync(made.folder).mode & 0o777).toBe(0o700);
  expect(answers.nameOf(made)).toBe('answers/huts/2026-11-15T12-00-00.000Z');
});

test('two groups of one instant have folders of their own', () => {
  const names = [group('huts'), group('huts')].map((made) => answers.nameOf(made));
  expect(new Set(names).size).toBe(2);
  expect(answers.listUnfinished('huts')).toHaveLength(2);
});

test('a name from outside leads nowhere else', () => {
  for (const name of ['../a', 'a/b', '.journal', '', 'a\u0000b']) {
    const made = answers.begin('huts', { at, cursor: null });
    const add = () => made.add({ files: [{ name, bytes, format: 'feed' }] }, asked);
    expect(add).toThrow('cannot be the name of a file');
    expect(() => answers.begin(name, { at, cursor: null })).toThrow('cannot be the name');
  }
  expect(readdirSync(folder)).toEqual(['huts']);
});

test('what is old is removed; what is recent, unfinished or nothing of ours stays', () => {
  const old = group('huts', at - 8 * dayMs);
  const oldTwin = group('huts', at - 8 * dayMs);
  const unfinished = group('huts', at - 8 * dayMs);
  const recent = group('barns', at - 6 * dayMs);
  old.end({ done: at });
  oldTwin.end({ refused: 'It is older.' });
  recent.end({ done: at });
  const foreign = join(folder, 'huts', 'notes');
  mkdirSync(foreign);
  const unwanted = group('sheds', at - 8 * dayMs);
  answers.prune({ ...rules, before: at - 7 * dayMs });
  expect(existsSync(unwanted.folder)).toBe(false);
  expect([old, oldTwin, unfinished, recent].map((made) => existsSync(made.folder))).toEqual([
    false,
    false,
    true,
    true,
  ]);
  expect(existsSync(foreign)).toBe(true);
});

test('files are packed, unless they came so', () => {
  const made = answers.begin('huts', { at, cursor: null });
  const large = new TextEncoder().encode('1,2,3;'.repeat(10_000));
  const files = ['a.json', 'b.csv.gz', 'c.zip'].map((name) => {
    return { name, bytes: large, format: 'feed' };
  });
  made.add({ files }, asked);
  const read = (name: string) => readFileSync(join(made.folder, 'feed', name));
  expect(read('a.json.gz').length).toBeLessThan(1_000);
  expect(gunzipSync(read('a.json.gz')).equals(large)).toBe(true);
  expect(read('b.csv.gz').equals(large)).toBe(true);
  expect(read('c.zip').equals(large)).toBe(true);
  expect(answers.listUnfinished('huts')[0]?.answers).toHaveLength(1);
});

test('what takes too much room is removed, the oldest first, and nothing unfinished', () => {
  const unfinished = group('huts', at - 4);
  const groups = [group('huts', at - 3), group('barns', at - 2), group('huts', at - 1)];
  for (const made of groups) made.end({ done: at });
  const sizes = groups.map(({ folder: inside }) =>
    ['.journal', 'feed/a.json.gz'].reduce(
      (sum, name) => sum + statSync(join(inside, name)).size,
      0,
    ),
  );
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const left = (bytesMax: number) => {
    answers.prune({ ...rules, bytesMax });
    return groups.map((made) => existsSync(made.folder));
  };
  expect(left(total)).toEqual([true, true, true]);
  expect(left(total - 1)).toEqual([false, true, true]);
  expect(left(1)).toEqual([false, false, false]);
  expect(existsSync(unfinished.folder)).toBe(true);
});
