/** The lots that a sale takes units of: options, and reading the choice. */

import { compareText, itemKey } from '../../../catalog/items/numbers.ts';
import { type Condition, conditions } from '../../../market/source-rows/source-rows.ts';
import type { OwnLot } from '../../../portfolio/lots/lots.ts';
import type { SaleOrigin } from '../../../portfolio/sales/own-sales.work.ts';
import { idOf } from '../../kit/address.ts';
import type { ChoiceOptions } from '../../kit/fields.tsx';
import type { FormReader } from '../../kit/form-reader.ts';
import { moneyText, nounText } from '../../kit/format.ts';
import type { WebDeps } from '../../page.ts';
import { boughtText } from '../inventory/lot-form.ts';

/** The maximum number of lots of an item that are read, and of those to choose from. */
const lotsRead = 5_000;
const lotsListed = 50;

/** The sold item, under the number it was entered. */
type SoldItem = Pick<SaleOrigin, 'kind' | 'number'>;

/** The lots of an item that have units left, oldest purchase first; of a minifig, all numbers. */
export async function listOpenLots(
  { accounts, market }: Pick<WebDeps, 'accounts' | 'market'>,
  accountId: number,
  { kind, number }: SoldItem,
): Promise<OwnLot[]> {
  const keys = await findKeys(market, { kind, number });
  const lots = await Promise.all(
    keys.map((key) => accounts.listLotsOfItem(accountId, { kind, key }, lotsRead)),
  );
  return lots.flat().sort(byPurchase).slice(0, lotsRead);
}

/** The lookup keys of all numbers of an item. */
async function findKeys(market: WebDeps['market'], { kind, number }: SoldItem) {
  const one = { set: [], minifig: [], [kind]: [itemKey(kind, number)] };
  return (await market.findAllKeys(one))[kind];
}

function byPurchase(a: OwnLot, b: OwnLot): number {
  return compareText(a.purchaseDate, b.purchaseDate) || a.id - b.id;
}

export function unitsLeft({ quantity, sold }: Pick<OwnLot, 'quantity' | 'sold'>): number {
  return quantity - sold;
}

/** The options: first in, first out for each condition, or a single lot. */
export function originOptions(lots: readonly OwnLot[], chosen: string): ChoiceOptions {
  const held = conditions.filter((condition) => lots.some((lot) => lot.condition === condition));
  const oldest = held.map((condition) => {
    const own = lots.filter((lot) => lot.condition === condition);
    const units = own.reduce((sum, lot) => sum + unitsLeft(lot), 0);
    return [condition, `First in, first out: ${nounText(units, `${condition} unit`)}`] as const;
  });
  const listed = lots.filter((lot, index) => index < lotsListed || String(lot.id) === chosen);
  const single = listed.map((lot) => [String(lot.id), lotText(lot)] as const);
  if (oldest.length === 0 && single.length === 0) return [['', 'First in, first out']];
  return [...oldest, ...single];
}

function lotText(lot: OwnLot): string {
  const price = `${moneyText(lot.priceCents)}${lot.isEstimated ? ' (estimated)' : ''}`;
  const units = `${unitsLeft(lot)} ${lot.condition}`;
  return `${units} in ${lot.brickfolio} · ${boughtText(lot)} · ${price}`;
}

/** Reads the choice; null, with an error, if it is missing or invalid. */
export async function readOrigin(
  { accounts, market }: WebDeps,
  accountId: number,
  fields: FormReader,
  sold: SoldItem & { readonly openLots: readonly OwnLot[] },
): Promise<SaleOrigin | null> {
  const { kind, number, openLots } = sold;
  const from = fields.form.text('from');
  const id = idOf(from);
  if (id !== null) {
    const lot = await accounts.findLot(accountId, id);
    const keys = await findKeys(market, { kind, number });
    const isOfItem = lot?.kind === kind && keys.includes(lot.key);
    if (lot && isOfItem) return { kind, number, condition: lot.condition, lot };
    fields.fail('from', 'Choose one of the options.');
    return null;
  }
  const condition = from === '' ? onlyCondition(openLots) : fields.word('from', conditions);
  if (condition === null) fields.fail('from', 'Choose sealed or used units.');
  return condition && { kind, number, condition, lot: null };
}

/** The condition of all lots; null if they differ. Sealed if there are none. */
function onlyCondition(lots: readonly OwnLot[]): Condition | null {
  const [first = 'sealed', second] = new Set(lots.map(({ condition }) => condition));
  return second === undefined ? first : null;
}
