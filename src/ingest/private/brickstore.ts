/** BrickStore's inventories (`.bsx`): the lots of a store or a collection. */
import { RowError } from '../fields.ts';
import type { OwnedMinifig, Rejection } from '../located-row.ts';
import { type LooseMoney, looseDay, looseMoney, looseWhole } from '../loose.ts';
import type { SourcePart } from '../readers/source-file.ts';
import {
  readXmlGroups,
  type XmlFields,
  type XmlItem,
  type XmlShape,
} from '../readers/xml-groups.ts';
import { noSet } from './bricklink-order.ts';
import { type LotDraft, readCondition } from './lot-writer.ts';

/** How such a file begins, behind what XML may have before it. BrickStock wrote it, too. */
export const brickStoreStart = /^\s*(<[?!][^>]*>\s*)*<BrickSto(re|ck)XML\b/i;

const inventory: XmlShape = {
  roots: ['BRICKSTOREXML', 'BRICKSTOCKXML'],
  group: 'INVENTORY',
  // It is written by a program that escapes markup.
  elements: /^/,
  all: 'lots',
  one: 'a lot',
  beginnings: 'BrickStore inventories begin with <BrickStoreXML>',
};

/** Reads lots as they come; throws when the file is cut. */
export async function* readBrickStore(part: SourcePart): AsyncGenerator<(LotDraft | Rejection)[]> {
  for await (const steps of readXmlGroups(part, inventory)) {
    yield steps.flatMap(({ group, item }) =>
      item === null ? [] : [readLot(item, group.attributes.CURRENCY || 'USD')],
    );
  }
}

function readLot({ where, text, fields }: XmlItem, currency: string): LotDraft | Rejection {
  try {
    const problem = noSet(fields.ITEMTYPEID ?? '', fields.ITEMID ?? '');
    if (fields.ITEMTYPEID === 'M' && problem !== null) {
      return { where, text, reason: problem, minifig: unitsOf(fields) };
    }
    if (problem !== null) throw new RowError(problem);
    return { where, text, ...lotOf(fields, currency) };
  } catch (error) {
    if (error instanceof RowError) return { where, text, reason: error.message };
    throw error;
  }
}

function lotOf(fields: XmlFields, currency: string): Omit<LotDraft, 'where' | 'text'> {
  return {
    id: idOf(fields),
    ...unitsOf(fields),
    price: costOf(fields.COST ?? '', currency),
    date: dateOf(fields.DATEADDED ?? ''),
    retailCents: null,
  };
}

/** How many of what, and in which condition. */
function unitsOf(fields: XmlFields): OwnedMinifig {
  if (fields.STATUS === 'X') throw new RowError('the lot is marked as excluded in BrickStore');
  return {
    number: fields.ITEMID ?? '',
    quantity: quantityOf(fields.QTY ?? ''),
    condition: readCondition(fields.CONDITION || 'N'),
  };
}

/** Lots that BrickLink knows have an id of its own; the others are told apart by what they are. */
function idOf({ LOTID = '' }: XmlFields): LotDraft['id'] {
  return /^[1-9]\d*$/.test(LOTID) ? { own: `brickstore/${LOTID}` } : { source: 'brickstore' };
}

function quantityOf(text: string): number {
  const quantity = looseWhole(text);
  if (quantity === null) throw new RowError(`'Qty' must be a whole number; it is '${text}'`);
  if (quantity === 0) throw new RowError("not owned: 'Qty' is 0");
  return quantity;
}

/** What a unit cost, left out where nobody said. `Price` is what is asked for it. */
function costOf(text: string, currency: string): LooseMoney | null {
  if (text === '') return null;
  const cost = looseMoney(text);
  if (cost === null || cost.cents < 0) {
    throw new RowError(`'Cost' must be an amount such as 61.20; it is '${text}'`);
  }
  return cost.cents === 0 ? null : { cents: cost.cents, currency: currency.toUpperCase() };
}

function dateOf(text: string): string | null {
  const day = looseDay(text, 'day first');
  if (text !== '' && day === null) {
    throw new RowError(`'DateAdded' must be a date such as 2025-12-31; it is '${text}'`);
  }
  return day;
}
