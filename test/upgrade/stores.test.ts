/**
 * The stores of earlier versions: this version opens them, updates their schema, and gives every
 * answer and export that they gave.
 */
// @runs SQLite (rest): starts PostgreSQL
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { migrations } from '../../src/store/postgres/migrations.ts';
import { newestVersion, type SchemaChange } from '../../src/store/sql/schema-version.ts';
import { fileNames } from '../../src/store/sqlite/files.ts';
import { makeWorkplace, type Workplace } from '../support/cli.ts';
import { edit } from '../support/full-tables.ts';
import {
  ask,
  findDifference,
  findUnanswered,
  listQuestions,
  type OpenedStore,
  type Question,
  someOf,
  withKeptSite,
} from '../support/kept-answers.ts';
import {
  inDatabase,
  inFolder,
  loadDump,
  readAnswers,
  readFacts,
  unpackBackup,
  unpackStore,
} from '../support/kept-store.ts';
import { PostgresServer } from '../support/postgres-server.ts';

const releases = readdirSync(import.meta.dir).filter((name) => /^\d+\.\d+\.\d+$/.test(name));
const newest = newestVersion(migrations);

let server: PostgresServer;
let place: Workplace;
let count = 0;

beforeAll(async () => {
  place = makeWorkplace();
  server = await PostgresServer.launch();
});

afterAll(async () => {
  await server.remove();
  await place.close();
});

async function makeDatabase(how = ''): Promise<string> {
  const name = `kept_${++count}`;
  await server.query(`CREATE DATABASE ${name} ${how}`);
  return name;
}

test('there is a release', () => expect(releases).toContain('1.0.0'));

describe.each(releases)('%s', (release) => {
  const folder = join(import.meta.dir, release);
  const facts = readFacts(folder);

  function unpack(): string {
    const data = join(place.folder, `store-${++count}`);
    unpackStore(folder, data);
    return data;
  }

  let loaded: Promise<string> | null = null;

  async function loadOnce(): Promise<string> {
    const name = await makeDatabase();
    await loadDump(folder, server.url(name));
    return name;
  }

  async function load(): Promise<string> {
    loaded ??= loadOnce();
    return makeDatabase(`TEMPLATE ${await loaded} STRATEGY file_copy`);
  }

  async function restore(): Promise<string> {
    const [backup, data] = [join(place.folder, 'backup'), join(place.folder, 'restored')];
    unpackBackup(folder, backup);
    await place.json(['restore', backup, '--data', data]);
    return data;
  }

  async function move(): Promise<string> {
    const data = unpack();
    await migrate(inFolder(data));
    const name = await makeDatabase();
    await place.json(['move', '--to', server.url(name), '--data', data]);
    return name;
  }

  /** With the command of this version, as operators type it. */
  async function migrate({ settings }: OpenedStore): Promise<void> {
    const { status, stdout, stderr } = await place.start(['migrate', '--json'], { env: settings });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const { migrated } = JSON.parse(stdout) as { migrated: readonly SchemaChange[] };
    const versions = new Set(migrated.map(({ from, to }) => `${from} to ${to}`));
    const expected = facts.schema === newest ? [] : [`${facts.schema} to ${newest}`];
    expect([...versions]).toEqual(expected);
  }

  /** What differs from the recorded answers to these questions. */
  async function differences(opened: OpenedStore, recorded = readAnswers(folder)) {
    const answers = await ask(opened, facts, recorded);
    return recorded.flatMap((before, index) => {
      const found = findDifference(before, answers[index]);
      return found === null ? [] : [`${nameOf(before)} ${found}`];
    });
  }

  /** What this version can be asked, and that one could not: it has to answer. */
  async function faults(opened: OpenedStore): Promise<string[]> {
    const known = new Set(readAnswers(folder).map(({ endpoint, path }) => endpoint ?? path));
    const questions = await withKeptSite(opened, (site) => listQuestions(site, facts));
    const later = questions.filter(
      ({ endpoint, path, words }) => !words && !known.has(endpoint ?? path),
    );
    const answers = await ask(opened, facts, later);
    const failed = answers.filter(({ status }) => status >= 500).map(nameOf);
    return [...failed, ...findUnanswered([...readAnswers(folder), ...answers])];
  }

  test('no recorded answer is lost', () => {
    expect(readAnswers(folder)).toHaveLength(facts.answers);
  });

  test('the embedded store is intact, and gives the same answers', async () => {
    const data = unpack();
    await migrate(inFolder(data));
    expect(await differences(inFolder(data))).toEqual([]);
    expect(await faults(inFolder(data))).toEqual([]);
    for (const name of fileNames) {
      edit(data, name, (db) => {
        expect(db.query('PRAGMA integrity_check').values()).toEqual([['ok']]);
        expect(db.query('PRAGMA foreign_key_check').values()).toEqual([]);
      });
    }
  });

  test('the database gives the same answers', async () => {
    const opened = inDatabase(server.url(await load()));
    await migrate(opened);
    expect(await differences(opened)).toEqual([]);
  });

  test('the backup is restored, and gives the same answers', async () => {
    const some = someOf(readAnswers(folder));
    expect(await differences(inFolder(await restore()), some)).toEqual([]);
  });

  test('the embedded store is moved, and gives the same answers', async () => {
    const some = someOf(readAnswers(folder));
    expect(await differences(inDatabase(server.url(await move())), some)).toEqual([]);
  });

  test('a store of a later version is refused, and stays as it is', async () => {
    const data = unpack();
    for (const name of fileNames) {
      edit(data, name, (db) => {
        // As it is in an opened store.
        db.run('PRAGMA journal_mode = WAL');
        db.run(`PRAGMA user_version = ${newest + 1}`);
        db.run('PRAGMA wal_checkpoint(TRUNCATE)');
      });
    }
    const before = await hashOf(data);
    await refused(inFolder(data));
    expect(await hashOf(data)).toEqual(before);
  });

  test('a database of a later version is refused, and stays as it is', async () => {
    const name = await load();
    const later = `INSERT INTO published.migration (version) VALUES (${newest + 1})`;
    await server.query(later, name);
    const content = () => server.query('SELECT * FROM published.migration ORDER BY 1', name);
    const before = await content();
    await refused(inDatabase(server.url(name)));
    expect(await content()).toEqual(before);
  });

  async function refused({ settings }: OpenedStore): Promise<void> {
    const { status, stderr } = await place.start(['migrate'], { env: settings });
    expect(status).toBe(1);
    expect(stderr).toContain('was made by a newer version of Brickmark');
    expect(stderr).toContain(`schema ${newest + 1}; this version has ${newest}`);
  }
});

const nameOf = ({ account = '', path, words = [] }: Question) =>
  [account, path ?? '', ...words].join(' ').trim();

const hashOf = (data: string) =>
  Promise.all(fileNames.map(async (name) => Bun.hash(await Bun.file(join(data, name)).bytes())));
