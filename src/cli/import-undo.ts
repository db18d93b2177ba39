/** `import log` and `import undo`: what was imported, and taking it back. */
import { countText, momentText, nounText } from '../domain/kernel/format.ts';
import { formatInstant } from '../domain/kernel/time.ts';
import type { ListedImport } from '../domain/market/journal.ts';
import type { UndoneImport, UndoRefusal } from '../domain/market/market-ingest.ts';
import type { Store } from '../domain/store.ts';
import {
  type Command,
  CommandError,
  type Context,
  flagInteger,
  readInteger,
  takeWords,
} from './command.ts';
import { publishWithProgress } from './progress.ts';
import { table } from './table.ts';
import { withExistingStore } from './with-store.ts';

const listedDefault = 20;
const listedBounds = { min: 1, max: 10_000 };
const idBounds = { min: 1, max: Number.MAX_SAFE_INTEGER };

/** Both commands. */
export const importLogCommands: readonly Command[] = [
  {
    name: 'import log',
    operands: '',
    summary: 'List recent imports and their IDs, newest first',
    flags: { limit: { help: `Number of imports to list (default ${listedDefault})`, value: 'N' } },
    run: async (args, context) => {
      takeWords(args, []);
      const limit = flagInteger(args, 'limit', listedBounds) ?? listedDefault;
      await withExistingStore(context, async (store) => {
        const imports = await store.market.listImports(limit);
        context.result({ imports: imports.map(importJson) }, importTable(imports));
      });
    },
  },
  {
    name: 'import undo',
    operands: 'ID',
    summary: 'Undo an import from the last 30 days',
    flags: {
      'dry-run': { help: 'Show what would change without changing anything' },
      'no-value': { help: 'Skip valuing and publishing' },
    },
    run: async (args, context) => {
      const [word = ''] = takeWords(args, ['ID']);
      const id = readInteger(word, 'ID', idBounds);
      context.lowerPriority();
      await withExistingStore(context, async (store) => {
        const isDry = args.flags['dry-run'] === true;
        const undone = await (isDry ? rehearse(id, store, context) : undo(id, store, context));
        if (!isDry && !args.flags['no-value']) {
          await publishWithProgress(store, context, 'Valuing');
        }
        const { removed, restored, itemsRemoved } = undone;
        context.result(
          { import_id: id, removed, restored, items_removed: itemsRemoved },
          describe(id, undone, isDry),
        );
      });
    },
  },
];

/** On a copy of the store, which is thrown away. */
async function rehearse(id: number, store: Store, context: Context): Promise<UndoneImport> {
  const copy = await store.rehearsal();
  try {
    return await undo(id, copy, context);
  } finally {
    await copy.close();
  }
}

async function undo(id: number, store: Store, context: Context): Promise<UndoneImport> {
  return checked(await store.market.undoImport(id, context.config.clock()));
}

function checked(undone: UndoneImport | UndoRefusal): UndoneImport {
  if ('refusal' in undone) throw new CommandError(undone.refusal);
  return undone;
}

function describe(id: number, undone: UndoneImport, isDry: boolean): string {
  const { removed, restored, itemsRemoved } = undone;
  const counts =
    `${nounText(removed, 'row')} removed, ${countText(restored)} restored, ` +
    `${nounText(itemsRemoved, 'item')} without another source removed.`;
  return isDry
    ? `Dry run, nothing changed. Undo of import ${id}: ${counts}`
    : `Import ${id} undone: ${counts}`;
}

function importJson(entry: ListedImport): object {
  const { id, format, files, added, updated, unchanged, rejected, gone, error } = entry;
  return {
    import_id: id,
    format,
    files,
    started_at: formatInstant(entry.startedAt),
    ended_at: formatInstant(entry.endedAt),
    added,
    updated,
    unchanged,
    rejected,
    gone,
    error,
    undone_at: entry.undoneAt === undefined ? null : formatInstant(entry.undoneAt),
  };
}

function importTable(imports: readonly ListedImport[]): string {
  if (imports.length === 0) return 'No imports yet.';
  const rows = imports.map((entry) => [
    entry.id,
    momentText(entry.endedAt),
    entry.format,
    entry.files.join(' '),
    entry.added,
    entry.updated,
    entry.unchanged,
    entry.rejected,
    stateOf(entry),
  ]);
  const counted = ['ADDED', 'UPDATED', 'UNCHANGED', 'REJECTED'];
  const heading = ['ID', 'TIME', 'FORMAT', 'FILES', ...counted, ''];
  return table(heading, rows);
}

/** More of a reason does not fit beside the counts; `--json` has all of it. */
const reasonLengthMax = 60;

function shortened(text: string): string {
  return text.length > reasonLengthMax ? `${text.slice(0, reasonLengthMax)}…` : text;
}

function stateOf({ undoneAt, error }: ListedImport): string {
  if (undoneAt !== undefined) return `undone ${momentText(undoneAt)}`;
  return shortened(error ?? '');
}
