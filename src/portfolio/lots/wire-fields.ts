/** Fields as the feed and files have them. */
import { csvCell, usdCell } from '../../kernel/csv-cell.ts';
import type { FieldRow, FieldValue } from './fields.ts';
import { ownValues } from './lot-details.ts';
import { type LotFacts, numberFields } from './lots.ts';

/** The names of fields, and names that come after others instead of in their own place. */
export function wireNames(
  rows: readonly FieldRow[],
  after: Readonly<Record<string, readonly string[]>>,
): readonly string[] {
  const moved = new Set(Object.values(after).flat());
  const names = rows.map(({ wire }) => wire).filter((name) => !moved.has(name));
  return names.flatMap((name) => [name, ...(after[name] ?? [])]);
}

export function wireValues<Row extends FieldRow>(
  rows: readonly Row[],
  facts: Pick<LotFacts, 'kind' | 'number'> & Readonly<Record<Row['field'], FieldValue>>,
): Readonly<Record<string, unknown>> {
  const values = rows.map((row) => [row.wire, wireValue(row, facts[row.field as Row['field']])]);
  return { ...Object.fromEntries(values), ...numberFields(facts) };
}

function wireValue({ kind }: FieldRow, value: FieldValue): unknown {
  if (value === null) return null;
  if (kind === 'money') return Number(value) / 100;
  return kind === 'own' ? ownValues(String(value)) : value;
}

export function fieldCell({ kind }: FieldRow, value: FieldValue): string {
  return kind === 'money' && value !== null ? usdCell(Number(value)) : csvCell(value);
}
