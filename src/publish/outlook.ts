/** The facts about an item that sync planning uses: its uncertainty, and which sources have it. */
import type { MinifigFacts, SetFacts } from '../catalog/items/catalog.ts';
import { isModeled } from '../catalog/items/item-class.ts';
import type { Evidence } from '../market/evidence/evidence.ts';
import type { ItemInputs } from '../market/published/publishing.ts';
import { type Outlook, uncertaintyOf, usualRates } from '../market/values/uncertainty.ts';
import { setValuationFacts, yearStart } from '../market/values/valuation-facts.ts';

export function setOutlook(
  { records }: Pick<ItemInputs, 'records'>,
  set: {
    readonly facts: SetFacts;
    readonly evidence: Evidence;
    readonly asin: string | null;
    readonly at: number;
  },
): Outlook {
  const { facts, evidence, asin, at } = set;
  const { releasedAt } = setValuationFacts(facts);
  return {
    ...uncertaintyOf(evidence, usualRates({ kind: 'set', releasedAt }, at)),
    // BrickLink does not list gear and books as sets, unless its own catalog has them.
    isTraded:
      isModeled(facts.itemClass) || records.some(({ source }) => source.startsWith('bricklink')),
    hasBarcode: facts.upc !== null || facts.ean !== null || asin !== null,
  };
}

/** The prefix of Rebrickable's minifig numbers; all others are BrickLink's. */
const rebrickableStart = 'fig-';

export function minifigOutlook(
  { number }: Pick<ItemInputs, 'number'>,
  minifig: {
    readonly facts: MinifigFacts;
    readonly evidence: Evidence;
    readonly at: number;
  },
): Outlook {
  const { facts, evidence, at } = minifig;
  const releasedAt = yearStart(facts.yearReleased);
  const isTheirs = (name: string) => !name.toLowerCase().startsWith(rebrickableStart);
  return {
    ...uncertaintyOf(evidence, usualRates({ kind: 'minifig', releasedAt }, at)),
    isTraded: [number, ...facts.aliases].some(isTheirs),
    hasBarcode: false,
  };
}
