/** Responses stored on disk. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { FormatName } from '../ingest/runner/import-formats.ts';
import { dayMs } from '../kernel/time.ts';
import { AnswerFolders } from './answers.work.ts';
import type { AnswerFile } from './connector.work.ts';

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

test('files are private, grouped by format, and never overwritten', () => {
  const made = group('huts');
  const files: AnswerFile[] = [
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

test('files with the same format and mapping are imported together', () => {
  const made = answers.begin('huts', { at, cursor: null });
  const file = (name: string, mapping?: string) => {
    return {
      name,
      bytes,
      format: 'offers-csv' as const,
      ...(mapping !== undefined && { mapping }),
    };
  };
  made.add({ files: [file('a.csv', '/b'), file('b.csv', '/c'), file('c.csv')] }, asked);
  made.add({ files: [file('d.csv', '/b'), file('e.csv')] }, asked);
  const names = made
    .imports()
    .map(({ mapping, paths }) => [mapping, paths.map((path) => basename(path))]);
  expect(names).toEqual([
    ['/b', ['a.csv.gz', 'd.csv.gz']],
    ['/c', ['b.csv.gz']],
    [undefined, ['c.csv.gz', 'e.csv.gz']],
  ]);
});

test('files with the same name are numbered', () => {
  const made = group('huts');
  for (let count = 0; count < 2; count++) {
    made.add({ files: [{ name: 'a.json', bytes, format: 'feed' }] }, asked);
  }
  const paths = made.imports()[0]?.paths.map((path) => basename(path));
  expect(paths).toEqual(['a.json.gz', '2-a.json.gz', '3-a.json.gz']);
});

test('groups of the same instant have different folders', () => {
  const names = [group('huts'), group('huts'), group('huts')].map((made) => basename(made.folder));
  const first = '2026-11-15T12-00-00.000Z';
  expect(names).toEqual([first, `${first}-2`, `${first}-3`]);
  expect(answers.listUnfinished('huts')).toHaveLength(3);
});

describe('a group that is found again', () => {
  const question = { kind: 'set', key: '1', topic: 'sold' } as const;

  test('has everything in its journal', () => {
    const made = answers.begin('huts', { at, cursor: 'page 2' });
    const others = [
      { ...question, kind: 'minifig' } as const,
      { ...question, key: '2' },
      { ...question, topic: 'offers' },
    ];
    const files: AnswerFile[] = [
      { name: 'a.json', bytes, format: 'feed' },
      { name: 'b.csv', bytes, format: 'offers-csv', mapping: '/b' },
    ];
    const questions = [question, ...others];
    made.add({ files, unknown: [question] }, { questions, at: at + 1 });
    made.add({ files: [], cursor: null }, { questions: [question], at: at + 2 });
    made.noteResumed(at + 3);
    const [found] = answers.listUnfinished('huts');
    expect(found?.start).toEqual({ at, cursor: 'page 2' });
    expect(found?.answers).toEqual([
      {
        at: at + 1,
        files: [
          { path: 'feed/a.json.gz', bytes: expect.any(Number), format: 'feed' },
          {
            path: 'offers-csv/b.csv.gz',
            bytes: expect.any(Number),
            format: 'offers-csv',
            mapping: '/b',
          },
        ],
        known: others,
        unknown: [question],
      },
      { at: at + 2, files: [], known: [question], unknown: [], cursor: null },
    ]);
    expect(found?.answers).toEqual(made.answers);
    expect([made.resumes, found?.resumes, found?.endedAt]).toEqual([1, 1, at + 2]);
  });

  test('without responses, ends at its start', () => {
    expect(answers.begin('huts', { at, cursor: null }).endedAt).toBe(at);
  });

  test('skips responses with missing or truncated files', () => {
    const made = group('huts');
    made.add({ files: [{ name: 'b.json', bytes, format: 'feed' }] }, { ...asked, at: at + 1 });
    made.add({ files: [{ name: 'c.json', bytes, format: 'feed' }] }, { ...asked, at: at + 2 });
    rmSync(join(made.folder, 'feed', 'a.json.gz'));
    writeFileSync(join(made.folder, 'feed', 'c.json.gz'), 'cut');
    const [found] = answers.listUnfinished('huts');
    expect(found?.answers.map((answer) => answer.at)).toEqual([at + 1]);
  });

  test('survives an incomplete line; a journal without a start is ignored', () => {
    const made = group('huts');
    appendFileSync(join(made.folder, '.journal'), '{"at":1,"fi');
    expect(answers.listUnfinished('huts')[0]?.answers).toHaveLength(1);
    writeFileSync(join(made.folder, '.journal'), '{"at":1');
    expect(answers.listUnfinished('huts')).toEqual([]);
    rmSync(join(made.folder, '.journal'));
    expect(answers.listUnfinished('huts')).toEqual([]);
  });
});

test('a name has at most 200 characters', () => {
  const made = answers.begin('huts', { at, cursor: null });
  const add = (length: number) =>
    made.add({ files: [{ name: 'a'.repeat(length), bytes, format: 'feed' }] }, asked);
  add(200);
  expect(() => add(201)).toThrow('cannot be the name');
});

test('a group at the age limit and other files are kept', () => {
  const made = group('huts');
  made.end({ done: at });
  writeFileSync(join(folder, 'note'), '');
  writeFileSync(join(folder, 'huts', 'note'), '');
  answers.prune({ ...rules, before: at });
  expect(existsSync(made.folder)).toBe(true);
  answers.prune({ ...rules, before: at + 1 });
  expect(existsSync(made.folder)).toBe(false);
});

test('a new group in place of a removed one is not finished', () => {
  const first = group('huts');
  first.end({ done: at });
  answers.prune({ ...rules, before: at + 1 });
  const second = group('huts');
  expect(second.folder).toBe(first.folder);
  answers.prune({ ...rules, before: at + 1 });
  expect(existsSync(second.folder)).toBe(true);
});

test('names cannot leave the folder', () => {
  for (const name of ['../a', 'a/b', '.journal', '', 'a\u0000b']) {
    const made = answers.begin('huts', { at, cursor: null });
    const add = () => made.add({ files: [{ name, bytes, format: 'feed' }] }, asked);
    expect(add).toThrow('cannot be the name of a file');
    const addFormat = () =>
      made.add({ files: [{ name: 'a', bytes, format: name as FormatName }] }, asked);
    expect(addFormat).toThrow('cannot be the name of a file');
    expect(() => answers.begin(name, { at, cursor: null })).toThrow('cannot be the name');
  }
  expect(readdirSync(folder)).toEqual(['huts']);
});

test('old groups are removed; recent, unfinished and other folders are kept', () => {
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

test('files are compressed, unless they already are', () => {
  const made = answers.begin('huts', { at, cursor: null });
  const large = new TextEncoder().encode('1,2,3;'.repeat(10_000));
  const files = ['a.json', 'b.csv.gz', 'c.zip'].map((name) => {
    return { name, bytes: large, format: 'feed' as const };
  });
  made.add({ files }, asked);
  const read = (name: string) => readFileSync(join(made.folder, 'feed', name));
  expect(read('a.json.gz').length).toBeLessThan(1_000);
  expect(gunzipSync(read('a.json.gz')).equals(large)).toBe(true);
  expect(read('b.csv.gz').equals(large)).toBe(true);
  expect(read('c.zip').equals(large)).toBe(true);
  expect(answers.listUnfinished('huts')[0]?.answers).toHaveLength(1);
});

test('the oldest finished groups are removed to save space', () => {
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
