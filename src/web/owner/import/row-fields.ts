/** The item of a row to correct, and its wrong fields. */
import { type ItemRef, itemKey, looksLikeMinifig } from '../../../catalog/items/numbers.ts';
import { type ColumnRole, guessColumns } from '../../../ingest/own-files/column-guess.ts';
import { numbersIn } from '../../../ingest/own-files/find-set.work.ts';
import type { RowField } from '../../../ingest/runner/corrections.work.ts';
import { describeReason, quotedValue } from '../../../ingest/runner/reject-groups.ts';

/** The item whose number is in the row; null if there is none. */
export function itemIn(fields: readonly RowField[]): ItemRef | null {
  const text = fieldOf(fields, 'number')?.text.trim();
  if (!text) return null;
  if (looksLikeMinifig(text)) return { kind: 'minifig', key: itemKey('minifig', text) };
  return { kind: 'set', key: itemKey('set', numbersIn(text)[0] ?? text) };
}

/**
 * The field that a reason is about: the one that it names, or whose text it quotes, or the one that
 * such reasons are about. Undefined if it is none of them.
 */
export function wrongField(fields: readonly RowField[], reason: string): RowField | undefined {
  const name = lettersOf(/'([^']*)'/.exec(reason)?.[1] ?? '');
  const quoted = quotedValue(reason);
  const [same, ...others] = fields.filter(({ text }) => text !== '' && text.trim() === quoted);
  const { role } = describeReason(reason);
  return (
    fields.find((field) => lettersOf(field.name) === name) ??
    (others.length === 0 && same ? same : role && fieldOf(fields, role))
  );
}

function fieldOf(fields: readonly RowField[], role: ColumnRole): RowField | undefined {
  const names = fields.map(({ name }) => name);
  const index = guessColumns(names, [fields.map(({ text }) => text)])[role];
  return index === undefined ? undefined : fields[index];
}

/** As in `Sale Date`, which messages call `sale_date`. */
function lettersOf(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}]/gu, '');
}
