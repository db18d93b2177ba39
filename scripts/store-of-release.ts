/**
 * `npm run store-of-release -- VERSION`: makes the stores that later versions must open, in
 * `test/upgrade/VERSION`: a backup of an embedded store, a dump of a database with the same
 * content, and the answers of both. Random values, such as those of sessions, differ between runs.
 */
import { Database } from 'bun:sqlite';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { movedTables, type Table, tables } from '../src/store/sql/tables.ts';
import { fileNames } from '../src/store/sqlite/files.ts';
import { newestSchema } from '../src/store/sqlite/schema.ts';
import { makeWorkplace } from '../test/support/cli.ts';
import { rowsHere } from '../test/support/full-tables.ts';
import {
  type Answer,
  ask,
  findDifference,
  findUnanswered,
  listQuestions,
  withKeptSite,
} from '../test/support/kept-answers.ts';
import { fillKeptStore, type KeptAccess } from '../test/support/kept-content.ts';
import { inDatabase, inFolder, type KeptFacts, keptNames } from '../test/support/kept-store.ts';
import { findBackupPrograms, runProgram } from '../test/support/postgres-programs.ts';
import { PostgresServer } from '../test/support/postgres-server.ts';

const version = process.argv[2];
if (version === undefined || !/^\d+\.\d+\.\d+$/.test(version)) {
  console.error('Name the version: npm run store-of-release -- 1.0.0');
  process.exit(2);
}
const folder = resolve(import.meta.dir, '..', 'test', 'upgrade', version);
if (existsSync(folder)) {
  console.error(`${folder} exists. Delete it if that version is not released yet.`);
  process.exit(1);
}
const programs = findBackupPrograms();
if (programs === null) {
  console.error('pg_dump is missing: apt-get install postgresql-client-15');
  process.exit(1);
}

const place = makeWorkplace();
const server = await PostgresServer.launch();
try {
  const access = await standingStill(() => fillKeptStore(place));
  const backup = join(place.folder, 'backup');
  await place.json(['backup', backup]);
  checkFull(backup);
  await server.query('CREATE DATABASE kept');
  await place.json(['move', '--to', server.url('kept'), '--data', place.data]);
  await copyOthers(backup);
  const answers = await recordAnswers(backup, access);
  await writeKept(backup, access, answers);
} finally {
  await server.remove();
  await place.close();
}
process.exit();

/** Clocks that start at a given time do not move on, so that rows have the same times each time. */
async function standingStill<T>(work: () => Promise<T>): Promise<T> {
  const { now } = Date;
  const standing = now();
  Date.now = () => standing;
  try {
    return await work();
  } finally {
    Date.now = now;
  }
}

function checkFull(data: string): void {
  const empty = Object.values(tables).filter((table) => rowsHere(data, table).length === 0);
  if (empty.length === 0) return;
  throw new Error(`Nothing fills these tables: ${empty.map(({ name }) => name).join(', ')}.`);
}

/** The tables that `move` leaves out. */
async function copyOthers(data: string): Promise<void> {
  for (const table of Object.values(tables)) {
    if (!movedTables.includes(table)) await copyRows(data, table);
  }
}

async function copyRows(data: string, { file, name, target, columns }: Table): Promise<void> {
  const db = new Database(join(data, file), { readonly: true });
  const rows = db.query(`SELECT ${columns.map((column) => column.name).join(', ')} FROM ${name}`);
  const values = rows.values().map((row) => `(${row.map(literal).join(', ')})`);
  db.close();
  await server.query(`DELETE FROM ${target}`, 'kept');
  await server.query(`INSERT INTO ${target} VALUES ${values.join(', ')}`, 'kept');
}

function literal(value: unknown): string {
  if (value instanceof Uint8Array) return `'\\x${Buffer.from(value).toString('hex')}'`;
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : `${value}`;
}

/** Asked on copies, since calls are counted; both engines must give the same answers. */
async function recordAnswers(backup: string, access: KeptAccess): Promise<Answer[]> {
  const [first, second] = ['first', 'second'].map((name) => {
    const copy = join(place.folder, name);
    cpSync(backup, copy, { recursive: true });
    return inFolder(copy);
  }) as [ReturnType<typeof inFolder>, ReturnType<typeof inFolder>];
  const questions = await withKeptSite(first, (site) => listQuestions(site, access));
  const answers = (await ask(second, access, questions)).filter(isRecorded);
  await server.query('CREATE DATABASE asked TEMPLATE kept');
  const asked = answers.map(({ status: _, type: _type, body: _body, ...question }) => question);
  const others = await ask(inDatabase(server.url('asked')), access, asked);
  for (const [index, answer] of answers.entries()) {
    const found = findDifference(answer, others[index]);
    if (found !== null) throw new Error(`${JSON.stringify(asked[index])} differs: ${found}`);
  }
  const unanswered = findUnanswered(answers);
  if (unanswered.length > 0) throw new Error(`No answer of ${unanswered.join(', ')}.`);
  return answers;
}

/** Later versions may accept what was refused; what is missing stays missing. */
function isRecorded({ endpoint, words, status }: Answer): boolean {
  return words !== undefined || status === 200 || (endpoint !== undefined && status === 404);
}

async function writeKept(backup: string, access: KeptAccess, answers: readonly Answer[]) {
  mkdirSync(folder, { recursive: true });
  const write = (name: string, text: string | Uint8Array) =>
    writeFileSync(join(folder, name), name.endsWith('.gz') ? packed(text) : text);
  for (const name of fileNames) write(`${name}.gz`, readFileSync(join(backup, name)));
  cpSync(join(backup, keptNames.manifest), join(folder, keptNames.manifest));
  const dump = join(place.folder, 'dump.sql');
  await runProgram([
    join(`${programs}`, 'pg_dump'),
    '--no-owner',
    '--no-privileges',
    '--inserts',
    '--rows-per-insert=100',
    `--file=${dump}`,
    server.url('kept'),
  ]);
  write(keptNames.dump, readFileSync(dump));
  write(keptNames.answers, JSON.stringify(answers));
  const schema = newestSchema['market.db'];
  const facts: KeptFacts = { schema, answers: answers.length, ...access };
  write(keptNames.facts, `${JSON.stringify(facts, null, 2)}\n`);
}

function packed(content: string | Uint8Array): Uint8Array {
  return Bun.gzipSync(Buffer.from(content), { level: 9 });
}
