/** Reads the forms of lots. */

import { dayText } from '../../../domain/kernel/format.ts';
import { conditions } from '../../../domain/market/source-rows.ts';
import type { Brickfolio } from '../../../domain/portfolio/brickfolio-store.ts';
import { holdingStatuses, type LotFacts } from '../../../domain/portfolio/lots.ts';
import { versionOf } from '../../kit/edit-version.tsx';
import type { Options } from '../../kit/fields.tsx';
import { conditionNames } from '../../kit/format.ts';
import type { TypedFields } from '../../kit/typed-fields.ts';

/** Units of a lot, here as in imports. */
export const quantityMax = 100_000;

/** So many sales of a lot, or lots of a sale, are listed on one page. */
export const linksShown = 50;

/** What is said of a lot besides its set. */
export type LotTerms = Pick<LotFacts, 'quantity' | 'condition' | 'purchaseDate' | 'status'> & {
  /** Null when nothing was typed. */
  readonly priceCents: number | null;
};

type DatedLot = Pick<LotFacts, 'purchaseDate' | 'dateBasis'>;

/** Reads quantity, condition, price, day and status; an unknown day may be left empty. */
export function readLotTerms(fields: TypedFields, lot?: DatedLot): LotTerms {
  const stays = lot?.dateBasis === 'unknown' && fields.isBlank('purchase_date');
  return {
    quantity: fields.whole('quantity', { min: 1, max: quantityMax }),
    condition: fields.word('condition', conditions),
    priceCents: fields.centsOrNull('price'),
    purchaseDate: stays ? lot.purchaseDate : fields.pastDay('purchase_date'),
    status: fields.word('status', holdingStatuses),
  };
}

/** When a lot was bought, in words. */
export function boughtText(lot: DatedLot): string {
  return lot.dateBasis === 'unknown' ? 'Date unknown' : `Bought ${purchaseDayText(lot)}`;
}

/** The day of purchase; one that only stands in for it says so. */
export function purchaseDayText({ purchaseDate, dateBasis }: DatedLot): string {
  if (dateBasis === 'unknown') return 'Unknown';
  return dateBasis === 'assumed' ? `${dayText(purchaseDate)} (assumed)` : dayText(purchaseDate);
}

/** The mark of what can be changed in a lot. */
export function lotVersion(lot: LotTerms & { readonly brickfolioId: number }): string {
  const { quantity, condition, priceCents, purchaseDate, status, brickfolioId } = lot;
  return versionOf([quantity, condition, priceCents, purchaseDate, status, brickfolioId]);
}

/** The collection that was chosen, by name; what others have is as good as nothing. */
export function readBrickfolio(
  fields: TypedFields,
  name: string,
  brickfolios: readonly Brickfolio[],
): Brickfolio | null {
  const id = fields.form.text(name);
  const found = brickfolios.find((each) => String(each.id) === id) ?? null;
  if (!found) fields.fail(name, 'Choose one of your collections.');
  return found;
}

/** Collections to choose from. */
export function brickfolioOptions(brickfolios: readonly Brickfolio[]) {
  return brickfolios.map(({ id, name }) => [String(id), name] as const);
}

/** Conditions in words, to choose from. */
export const conditionChoices: Options = Object.entries(conditionNames);

/** Statuses in words, to choose from. */
export const statusChoices = [
  ['owned', 'Owned'],
  ['listed', 'Listed for sale'],
] as const;
