/** The files of the stores of a release, and how to open copies of them. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openClient } from '../../src/store/postgres/client.ts';
import { fileNames } from '../../src/store/sqlite/files.ts';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';
import { openDatabase } from './engines.ts';
import type { Answer, OpenedStore } from './kept-answers.ts';
import type { KeptAccess } from './kept-content.ts';

/** What is known of kept stores. */
export interface KeptFacts extends KeptAccess {
  readonly schema: number;
  /** How many answers were recorded, so that a lost one is noticed. */
  readonly answers: number;
}

/** The names of the files in the folder of a release. */
export const keptNames = {
  facts: 'facts.json',
  answers: 'answers.json.gz',
  manifest: 'manifest.json',
  dump: 'postgres.sql.gz',
} as const;

export function readFacts(folder: string): KeptFacts {
  return JSON.parse(readFileSync(join(folder, keptNames.facts), 'utf8'));
}

export function readAnswers(folder: string): Answer[] {
  return JSON.parse(unpacked(join(folder, keptNames.answers)).toString());
}

/** Writes the embedded store, as its backup has it. */
export function unpackStore(folder: string, to: string): void {
  mkdirSync(to, { recursive: true, mode: 0o700 });
  for (const name of fileNames) {
    writeFileSync(join(to, name), unpacked(join(folder, `${name}.gz`)), { mode: 0o600 });
  }
}

/** The backup that the files are from. */
export function unpackBackup(folder: string, to: string): void {
  unpackStore(folder, to);
  cpSync(join(folder, keptNames.manifest), join(to, keptNames.manifest));
}

/** Runs the dump in an empty database. */
export async function loadDump(folder: string, url: string): Promise<void> {
  const sql = unpacked(join(folder, keptNames.dump)).toString();
  const client = openClient(url, { max: 1, statementMs: 0, name: 'test' });
  try {
    // Lines with a backslash are commands of psql.
    await client.script(sql.replace(/^\\.*$/gm, ''));
  } finally {
    await client.close();
  }
}

export function inFolder(data: string): OpenedStore {
  return { settings: { BRICKMARK_DATA: data }, open: async () => openSqliteStore(data) };
}

export function inDatabase(url: string): OpenedStore {
  return { settings: { BRICKMARK_DATABASE_URL: url }, open: () => openDatabase(url) };
}

function unpacked(path: string): Buffer {
  return Buffer.from(Bun.gunzipSync(readFileSync(path)));
}
