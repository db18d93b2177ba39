/** Reads the inputs of a row of a box or a purchase, also those that mend it. */

import { type BoxRow, boxLimits } from '../../../buying/boxes/saved-box.ts';
import { readRows } from '../../../buying/boxes/typed-items.work.ts';
import { itemKinds } from '../../../catalog/items/numbers.ts';
import { usualCondition } from '../../../market/source-rows/source-rows.ts';
import type { FormReader } from '../../kit/form-reader.ts';
import type { WebDeps } from '../../page.ts';
import { readRowFields } from './box-fields.tsx';

/** A row with its changes; several if its text was replaced by several. */
export async function readRow(deps: WebDeps, fields: FormReader, row: BoxRow, index: number) {
  const changed: BoxRow = {
    ...row,
    ...readRowFields(fields, index),
    maxCents: fields.centsOrNull(`max-${index}`),
  };
  const chosen = readChoice(fields.form.text(`choice-${index}`));
  if (chosen) {
    const condition = changed.condition ?? (chosen.kind === 'minifig' ? usualMinifig : null);
    return [{ ...changed, ...chosen, condition, problem: null }];
  }
  const line = fields.textOrNull(`line-${index}`, boxLimits.line);
  if (line === null || line === row.text) return [changed];
  const { priceCents, maxCents } = changed;
  const read = await readRows(deps.market, line);
  return read.map((each) => ({
    ...each,
    // The line says what it says; the fields next to it say the rest.
    condition: each.condition ?? changed.condition,
    grade: each.condition === null ? changed.grade : each.grade,
    quantity: each.quantity === 1 ? changed.quantity : each.quantity,
    priceCents: each.priceCents ?? priceCents,
    maxCents,
  }));
}

const usualMinifig = usualCondition('minifig');

/** A suggestion that was chosen; null if there is none. */
function readChoice(text: string): Pick<BoxRow, 'kind' | 'number'> | null {
  const [, word = '', number = ''] = /^(\w+) (\S{1,60})$/.exec(text) ?? [];
  const kind = itemKinds.find((each) => each === word);
  return kind ? { kind, number } : null;
}
