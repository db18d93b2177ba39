/** The fields of a `holding` line that say what is known about its units. */
import {
  type DetailValue,
  detailFields,
  type LotDetails,
} from '../../domain/portfolio/lot-details.ts';
import type { Fields } from '../fields.ts';

export const detailNames = detailFields.map(({ wire }) => wire);

/** Absent fields are left out; an empty text removes what is known. */
export function readDetails(fields: Fields): Partial<LotDetails> {
  const given: [keyof LotDetails, DetailValue][] = [];
  for (const { field, wire, read } of detailFields) {
    const value = fields.ruled(wire, read);
    if (value !== undefined) given.push([field, value]);
  }
  return Object.fromEntries(given);
}
