/** `import log` and `import undo`. */

import type { ListedImport } from '../../ingest/runner/journal.ts';
import { countText, momentText, nounText } from '../../kernel/format.ts';
import { formatInstant } from '../../kernel/time.ts';
import type { UndoneImport } from '../../market/source-rows/market-ingest.ts';
import type { Store } from '../../store/store.ts';
import { CommandError, type Context, command, rehearse, withExistingStore } from '../command.ts';
import { publishWithProgress } from '../progress.ts';
import { countFlag } from '../row.ts';
import { tableOf } from '../table.ts';

export const importLogCommands = [
  command({
    name: 'import log',
    summary: 'List recent imports and their IDs, newest first',
    flags: {
      limit: countFlag('Number of imports to list', 10_000, 20),
    },
    needs: 'store to read',
    run: async ({ limit }, { store, result }) => {
      const imports = await store.market.listImports(limit);
      result({ imports: imports.map(importJson) }, importTable(imports));
    },
  }),
  command({
    name: 'import undo',
    operands: { id: { label: 'ID', integer: { min: 1, max: Number.MAX_SAFE_INTEGER } } },
    summary: 'Undo an import from the last 30 days',
    flags: {
      'dry-run': { help: 'Show what would change without changing anything' },
      'no-value': { help: 'Skip valuing and publishing' },
    },
    run: async ({ id, dryRun: isDry, noValue }, context) => {
      context.lowerPriority();
      const undoIt = async (store: Store) => {
        const undoIn = (there: Store) => undo(id, there, context);
        const undone = await (isDry ? rehearse(store, undoIn) : undoIn(store));
        if (!isDry && !noValue) await publishWithProgress(store, context, 'Valuing');
        const { removed, restored, itemsRemoved } = undone;
        context.result(
          { import_id: id, removed, restored, items_removed: itemsRemoved },
          describe(id, undone, isDry),
        );
      };
      await withExistingStore(context, undoIt, { onlyReads: isDry });
    },
  }),
];

async function undo(id: number, store: Store, context: Context): Promise<UndoneImport> {
  const undone = await store.market.undoImport(id, context.config.clock());
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
    waiting: entry.waiting ?? 0,
    error,
    undone_at: entry.undoneAt === undefined ? null : formatInstant(entry.undoneAt),
    taken_back: entry.takenBack ?? null,
  };
}

function importTable(imports: readonly ListedImport[]): string {
  if (imports.length === 0) return 'No imports yet.';
  return tableOf(imports, {
    ID: ({ id }) => id,
    TIME: ({ endedAt }) => momentText(endedAt),
    FORMAT: ({ format }) => format,
    FILES: ({ files }) => files.join(' '),
    ADDED: ({ added }) => added,
    UPDATED: ({ updated }) => updated,
    UNCHANGED: ({ unchanged }) => unchanged,
    REJECTED: ({ rejected }) => rejected,
    '': stateOf,
  });
}

/** `--json` has the full reason. */
const reasonLengthMax = 60;

function shortened(text: string): string {
  return text.length > reasonLengthMax ? `${text.slice(0, reasonLengthMax)}…` : text;
}

function stateOf({ undoneAt, takenBack = 0, error }: ListedImport): string {
  if (undoneAt !== undefined) {
    return `undone ${momentText(undoneAt)}, ${nounText(takenBack, 'row')} taken back`;
  }
  return shortened(error ?? '');
}
