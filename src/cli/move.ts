/** `move`: copies the embedded store to PostgreSQL. */
import { nounText } from '../kernel/format.ts';
import { databaseOf, type MovedTable, moveStore } from '../store/move/move.ts';
import { MoveError } from '../store/move/move-error.ts';
import { CommandError, command, commonFlags, readTypedUrl } from './command.ts';
import { withProgress } from './progress.ts';
import { UsageError } from './row.ts';
import { table } from './table.ts';

export const moveCommand = command({
  name: 'move',
  summary: 'Copy the embedded store to an empty PostgreSQL database; stop the server first',
  flags: {
    to: {
      help: 'Target database: postgres://USER:PASSWORD@HOST/NAME',
      value: 'URL',
      read: readTypedUrl,
      isRequired: true,
    },
    database: commonFlags.database,
  },
  check: ({ database }) => {
    if (database === null) return;
    throw new UsageError('Use --to for the target database, without --database.');
  },
  run: async ({ to: url }, context) => {
    // BRICKMARK_DATABASE_URL may already be set for the store after the move, so it is ignored.
    const { operator, config } = context;
    const folder = config.dataFolder;
    const startedAt = performance.now();
    const entry = { at: config.clock(), by: operator.by, action: 'store.moved' } as const;
    const tables = await withProgress(context, 'Moving', (onProgress) =>
      moveStore({ folder, url, entry, onProgress }),
    ).catch((error) => {
      throw error instanceof MoveError ? new CommandError(error.message) : error;
    });
    const seconds = Math.round(performance.now() - startedAt) / 1000;
    const rows = tables.reduce((sum, moved) => sum + moved.rows, 0);
    context.result({ tables, rows, seconds }, describe(tables, { rows, seconds, folder, url }));
  },
});

function describe(
  tables: readonly MovedTable[],
  moved: { rows: number; seconds: number; folder: string; url: string },
): string {
  const rows = tables.map((one) => [one.table, one.rows]);
  return [
    table(['table', 'rows'], rows),
    '',
    `Copied and verified: ${nounText(moved.rows, 'row')} in ${nounText(tables.length, 'table')}.`,
    "Start the server with 'brickmark serve --database URL', where URL is " +
      `${databaseOf(moved.url)}.`,
    `The store in '${moved.folder}' is unchanged. Later changes to it are not copied.`,
  ].join('\n');
}
