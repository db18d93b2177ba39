/** `move`: everything from the embedded store to PostgreSQL. */
import { nounText } from '../domain/kernel/format.ts';
import { type MovedTable, moveStore, placeOf } from '../store/move/move.ts';
import { MoveError } from '../store/move/move-error.ts';
import {
  type Command,
  CommandError,
  flagText,
  readTypedUrl,
  takeWords,
  UsageError,
} from './command.ts';
import { progressLine } from './progress.ts';
import { table } from './table.ts';

/** The command. */
export const moveCommand: Command = {
  name: 'move',
  operands: '',
  summary: 'Copy the embedded store to an empty PostgreSQL database; stop the server first',
  flags: { to: { help: 'Target database: postgres://USER:PASSWORD@HOST/NAME', value: 'URL' } },
  run: async (args, context) => {
    takeWords(args, []);
    const url = readTarget(flagText(args, 'to'));
    if (args.flags.database !== undefined) {
      throw new UsageError('Use --to for the target database, without --database.');
    }
    // Whoever moves may have BRICKMARK_DATABASE_URL set for what comes next.
    const folder = context.config.dataFolder;
    const progress = progressLine(context, 'Moving');
    const startedAt = performance.now();
    try {
      const tables = await moveStore({ folder, url, onProgress: progress.update });
      const seconds = Math.round(performance.now() - startedAt) / 1000;
      progress.end();
      const rows = tables.reduce((sum, moved) => sum + moved.rows, 0);
      context.result({ tables, rows, seconds }, describe(tables, { rows, seconds, folder, url }));
    } catch (error) {
      progress.end();
      throw error instanceof MoveError ? new CommandError(error.message) : error;
    }
  },
};

function readTarget(text: string | null): string {
  if (text === null) throw new UsageError('--to URL is missing: the target database.');
  return readTypedUrl('--to', text);
}

function describe(
  tables: readonly MovedTable[],
  moved: { rows: number; seconds: number; folder: string; url: string },
): string {
  const rows = tables.map((one) => [one.table, one.rows]);
  return [
    table(['table', 'rows'], rows),
    '',
    `Copied and verified: ${nounText(moved.rows, 'row')} in ${nounText(tables.length, 'table')}.`,
    `Start the server with 'brickmark serve --database URL', where URL is ${placeOf(moved.url)}.`,
    `The store in '${moved.folder}' is unchanged. Later changes to it are not copied.`,
  ].join('\n');
}
