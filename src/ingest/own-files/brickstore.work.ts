/** BrickStore's inventories (`.bsx`): the lots of a store or a collection. */

import type { SourcePart } from '../readers/source-file.work.ts';
import {
  readXmlGroups,
  type XmlFields,
  type XmlItem,
  type XmlShape,
} from '../readers/xml-groups.work.ts';
import type { Corrector } from '../runner/corrections.work.ts';
import { RowError, readOr } from '../runner/fields.ts';
import type { Rejection } from '../runner/located-row.ts';
import { type LooseMoney, looseDay } from '../runner/loose.ts';
import { otherItemProblem } from './bricklink-order.work.ts';
import { noteOf, subconditionGrade, subconditionNote } from './imported-lot-details.ts';
import { type LotDraft, readCondition, readMoney, readWhole } from './lot-writer.work.ts';

/** After XML declarations. BrickStock is the predecessor. */
export const brickStoreStart = /^\s*(<[?!][^>]*>\s*)*<BrickSto(re|ck)XML\b/i;

const inventory: XmlShape = {
  roots: ['BRICKSTOREXML', 'BRICKSTOCKXML'],
  group: 'INVENTORY',
  // BrickStore escapes markup, so any element inside a field is an error.
  elements: /^/,
  all: 'lots',
  one: 'a lot',
  beginnings: 'BrickStore inventories begin with <BrickStoreXML>',
};

/** Throws if the file is incomplete. */
export async function* readBrickStore(
  part: SourcePart,
  corrector?: Corrector,
): AsyncGenerator<(LotDraft | Rejection)[]> {
  for await (const steps of readXmlGroups(part, inventory)) {
    yield steps.flatMap(({ group, item }) =>
      item === null
        ? []
        : [readLot(corrected(item, corrector), group.attributes.CURRENCY || 'USD')],
    );
  }
}

const correctable = {
  ITEMID: 'Number',
  QTY: 'Quantity',
  CONDITION: 'Condition',
  COST: 'Cost',
  DATEADDED: 'Date added',
};

function corrected(item: XmlItem, corrector: Corrector | undefined): XmlItem {
  if (!corrector) return item;
  return { ...item, fields: corrector.correct(item.where, item.fields, correctable) };
}

function readLot({ where, text, fields }: XmlItem, currency: string): LotDraft | Rejection {
  return readOr<LotDraft | Rejection>(
    () => {
      const reason = otherItemProblem(fields.ITEMTYPEID ?? '', fields.ITEMID ?? '');
      if (reason !== null) throw new RowError(reason);
      return { where, text, ...lotOf(fields, currency) };
    },
    (reason) => ({ where, text, reason }),
  );
}

function lotOf(fields: XmlFields, currency: string): Omit<LotDraft, 'where' | 'text'> {
  if (fields.STATUS === 'X') throw new RowError('the lot is marked as excluded in BrickStore');
  const condition = readCondition(fields.CONDITION || 'N');
  const sub = fields.SUBCONDITION ?? '';
  const asking = askingOf(fields.PRICE ?? '', currency);
  return {
    id: idOf(fields),
    kind: fields.ITEMTYPEID === 'M' ? 'minifig' : 'set',
    number: fields.ITEMID ?? '',
    name: fields.ITEMNAME ?? null,
    quantity: quantityOf(fields.QTY ?? ''),
    condition,
    price: costOf(fields.COST ?? '', currency),
    date: dateOf(fields.DATEADDED ?? ''),
    retailCents: null,
    details: {
      grade: subconditionGrade(sub, condition),
      notes: noteOf(fields.COMMENTS, fields.REMARKS, subconditionNote(sub, condition), asking.note),
      asking_price_usd: asking.usd,
    },
  };
}

/** The asking price, which is in US dollars or else a note. */
function askingOf(text: string, currency: string) {
  const { cents } = text === '' ? { cents: 0 } : readMoney(text, "'Price'", '61.20');
  if (cents === 0) return { usd: null, note: null };
  if (currency.toUpperCase() === 'USD') return { usd: cents / 100, note: null };
  return { usd: null, note: `Asking price ${(cents / 100).toFixed(2)} ${currency.toUpperCase()}` };
}

/** Lots on BrickLink have an ID; others are identified by their contents. */
function idOf({ LOTID = '' }: XmlFields): LotDraft['id'] {
  return /^[1-9]\d*$/.test(LOTID) ? { own: `brickstore/${LOTID}` } : { source: 'brickstore' };
}

function quantityOf(text: string): number {
  const quantity = readWhole(text, "'Qty'");
  if (quantity === 0) throw new RowError("'Qty' is 0, so there is nothing to add");
  return quantity;
}

/** Unit cost; null if unknown. */
function costOf(text: string, currency: string): LooseMoney | null {
  if (text === '') return null;
  const { cents } = readMoney(text, "'Cost'", '61.20');
  return cents === 0 ? null : { cents, currency: currency.toUpperCase() };
}

function dateOf(text: string): string | null {
  const day = looseDay(text, 'day first');
  if (text !== '' && day === null) {
    throw new RowError(`'DateAdded' must be a date such as 2025-12-31, not '${text}'`);
  }
  return day;
}
