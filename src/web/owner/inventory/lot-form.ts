/** Form helpers shared by lots, sales, boxes and imports. */
import type { Brickfolio } from '../../../portfolio/lots/brickfolios.ts';
import type { LotFacts } from '../../../portfolio/lots/lots.ts';
import type { ChoiceOptions } from '../../kit/fields.tsx';
import type { FormReader } from '../../kit/form-reader.ts';
import { conditionNames, dayText } from '../../kit/format.ts';

/** The maximum number of sales listed for a lot, and of lots for a sale. */
export const linksShown = 50;

export type DatedLot = Pick<LotFacts, 'purchaseDate' | 'dateBasis'>;

export function boughtText(lot: DatedLot): string {
  return lot.dateBasis === 'unknown' ? 'Date unknown' : `Bought ${purchaseDayText(lot)}`;
}

/** The purchase date, marked if it is assumed. */
export function purchaseDayText({ purchaseDate, dateBasis }: DatedLot): string {
  if (dateBasis === 'unknown') return 'Unknown';
  return dateBasis === 'assumed' ? `${dayText(purchaseDate)} (assumed)` : dayText(purchaseDate);
}

/** Reads the chosen collection; null, with an error, if the account has no such one. */
export function readBrickfolio(
  fields: FormReader,
  name: string,
  brickfolios: readonly Brickfolio[],
): Brickfolio | null {
  const id = fields.form.text(name);
  const found = brickfolios.find((each) => String(each.id) === id) ?? null;
  if (!found) fields.fail(name, 'Choose one of your collections.');
  return found;
}

export function brickfolioOptions(brickfolios: readonly Brickfolio[]) {
  return brickfolios.map(({ id, name }) => [String(id), name] as const);
}

export const conditionChoices: ChoiceOptions = Object.entries(conditionNames);
