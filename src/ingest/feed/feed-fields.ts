/** Reads the fields of lots and sales by their kinds. */

import { formatDay } from '../../kernel/time.ts';
import {
  type FieldRow,
  type FieldValue,
  factsOf,
  quantityMax,
} from '../../portfolio/lots/fields.ts';
import { readDetail } from '../../portfolio/lots/lot-details.ts';
import { detailFields, type LotDetails } from '../../portfolio/lots/lot-fields.ts';
import type { LotFacts } from '../../portfolio/lots/lots.ts';
import { type Fields, RowError } from '../runner/fields.ts';

export function readFields<Row extends FieldRow>(fields: Fields, rows: readonly Row[]) {
  return factsOf(rows, (row) => readField(fields, row));
}

/** Absent details are left out; an empty text removes what is known. */
export function readDetails(fields: Fields): Partial<LotDetails> {
  const given: Record<string, FieldValue> = {};
  for (const row of detailFields) {
    const value = fields.ruled(row.wire, (text, now) => readDetail(row, text, formatDay(now)));
    if (value !== undefined) given[row.field] = value;
  }
  return given;
}

function readField(fields: Fields, row: FieldRow): FieldValue {
  const value = givenValue(fields, row) ?? row.default;
  return value === undefined ? fields.required(row.wire, null) : value;
}

/** Null if it is absent. */
function givenValue(fields: Fields, row: FieldRow): FieldValue {
  const { wire, choices = [], lengthMax } = row;
  switch (row.kind) {
    case 'number':
      return readItem(fields).number;
    case 'itemKind':
      return readItem(fields).kind;
    case 'count':
      return fields.whole(wire, { min: 1, max: quantityMax });
    case 'money':
      return fields.cents(wire);
    case 'day':
      return fields.pastDay(wire);
    case 'choice':
      return fields.choice(wire, choices);
    case 'flag':
      return fields.flag(wire);
    default:
      return row.default === undefined
        ? fields.requiredText(wire, lengthMax)
        : fields.text(wire, lengthMax);
  }
}

/** A set or a minifig, by the field that is given. */
function readItem(fields: Fields): Pick<LotFacts, 'kind' | 'number'> {
  if (fields.text('minifig_number') === null) {
    return { kind: 'set', number: fields.identity('set_number') };
  }
  if (fields.text('set_number') !== null) {
    throw new RowError("give 'set_number' or 'minifig_number', not both");
  }
  return { kind: 'minifig', number: fields.identity('minifig_number') };
}
