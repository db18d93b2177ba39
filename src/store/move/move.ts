/** Moves the embedded store to PostgreSQL in one transaction, if both sides have the same rows. */

import { recordAudit } from '../../accounts/audit/audit.store.ts';
import type { NewAuditEntry } from '../../accounts/audit/audit.ts';
import { countText, nounText } from '../../kernel/format.ts';
import { type Client, type Connection, openClient } from '../postgres/client.ts';
import { runToEnd } from '../postgres/engine.ts';
import { migrate } from '../postgres/migrations.ts';
import { sqlState } from '../postgres/pool.ts';
import { marketWriting } from '../postgres/writing.ts';
import { movedTables, numberedTables, type Table } from '../sql/tables.ts';
import { type Checksum, sourceChecksum, targetChecksum } from './checksum.ts';
import { copyPieces } from './copy-text.ts';
import { MoveError } from './move-error.ts';
import { openSource, type Source } from './source.ts';
import { analyzeTarget, dropReferences, restoreReference, takeTarget } from './target.ts';

export interface MoveOptions {
  readonly folder: string;
  readonly url: string;
  /** Added to the audit log of the target, in the transaction that moves. */
  readonly entry: NewAuditEntry;
  /** Each row counts twice: once copied, once compared. */
  onProgress(done: number, total: number): void;
}

export interface MovedTable extends Checksum {
  readonly table: string;
}

/** PostgreSQL's code for a lock timeout. */
const lockNotAvailable = '55P03';

/** The last step: if it fails, the outcome is unknown. */
const committing = 'commit';

/** Throws a `MoveError` if the store cannot be moved; then the target is unchanged. */
export async function moveStore(options: MoveOptions): Promise<MovedTable[]> {
  const source = openSource(options.folder);
  const client = openClient(options.url, { max: 1, statementMs: 0, name: 'brickmark move' });
  try {
    return await moveAll(source, client, options);
  } finally {
    await client.close();
    source.close();
  }
}

async function moveAll(
  source: Source,
  client: Client,
  options: MoveOptions,
): Promise<MovedTable[]> {
  await migrate(client);
  const onRows = rowCounter(source, options);
  // The current step, because the error of a lost connection does not say what failed.
  let step = '';
  const onStep = (fault: string) => {
    step = fault;
  };
  try {
    const moved = await marketWriting(
      client,
      true,
    )(async (tx) => {
      onStep('The tables cannot be locked');
      await takeTarget(tx, databaseOf(options.url));
      const tables = await moveTables({ source, tx, onRows, onStep });
      onStep('The audit log cannot be written');
      await runToEnd(tx, recordAudit(options.entry));
      onStep(committing);
      return tables;
    });
    await analyzeTarget(client);
    return moved;
  } catch (error) {
    throw step === '' || error instanceof MoveError ? error : explained(step, error);
  }
}

/** Host and database name, without credentials. */
export function databaseOf(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}

function rowCounter(source: Source, { onProgress }: MoveOptions): (count: number) => void {
  const total = 2 * movedTables.reduce((sum, table) => sum + source.count(table), 0);
  let done = 0;
  return (count) => {
    done += count;
    onProgress(done, total);
  };
}

interface MoveContext {
  readonly source: Source;
  readonly tx: Connection;
  onRows(count: number): void;
  /** Sets the message for a failure of the next step. */
  onStep(fault: string): void;
}

/** Writes all tables, then compares them all, when nothing changes them any more. */
async function moveTables(context: MoveContext): Promise<MovedTable[]> {
  const { tx, onStep } = context;
  const references = await dropReferences(tx);
  for (const table of movedTables) {
    onStep(`'${table.target}' cannot be written`);
    await copyTable(context, table);
  }
  for (const reference of references) {
    onStep(`'${reference.table}' refers to missing rows`);
    await restoreReference(tx, reference);
  }
  const tables: MovedTable[] = [];
  for (const table of movedTables) {
    onStep(`'${table.target}' cannot be compared`);
    tables.push(await compareTable(context, table));
  }
  return tables;
}

async function copyTable({ source, tx, onRows }: MoveContext, table: Table): Promise<void> {
  const { target } = table;
  const columns = table.columns.map(({ name }) => name).join(', ');
  await tx.copyIn(`COPY ${target} (${columns}) FROM STDIN`, copyPieces(source, table, onRows));
  if (!numberedTables.has(target)) return;
  // Unlike `setval`, this is rolled back with the transaction.
  const next = source.highestId(table) + 1;
  await tx.run(`ALTER TABLE ${target} ALTER COLUMN id RESTART WITH ${next}`);
}

/** Reads both sides at the same time: the server sorts while this process hashes. */
async function compareTable(
  { source, tx, onRows }: MoveContext,
  table: Table,
): Promise<MovedTable> {
  const [there, here] = await Promise.all([
    targetChecksum(tx, table),
    sourceChecksum(source, table, onRows),
  ]);
  if (there.rows === here.rows && there.sha256 === here.sha256) {
    return { table: table.target, ...here };
  }
  const difference =
    there.rows === here.rows
      ? 'its rows differ from those of the embedded store'
      : `it has ${nounText(there.rows, 'row')}, the embedded store ${countText(here.rows)}`;
  throw new MoveError(
    `Nothing was moved: '${table.target}' does not match after the copy (${difference}). ` +
      'Something in the database changes rows as they are written, such as a trigger. Remove it.',
  );
}

function explained(step: string, error: unknown): MoveError {
  if (sqlState(error) === lockNotAvailable) {
    return new MoveError('Another process is using the database; stop it and move again.');
  }
  const why = (error as Error).message.replace(/\.$/, '');
  if (step !== committing) return new MoveError(`Nothing was moved. ${step}: ${why}.`);
  return new MoveError(
    `The commit was not confirmed (${why}). Move again: if the database is not empty then, ` +
      'everything was already moved.',
  );
}
