/** Lots as readers of a shared collection see them; see `docs/decisions/sharing.md`. */
import type { InventoryRow, InventorySort, InventoryTotal } from '../lots/inventory.ts';
import { noDetails } from '../lots/lot-fields.ts';
import type { InventoryLot } from '../lots/lots.ts';

/**
 * A lot as if it were a gift of unknown date. Nothing that is computed from it can depend on its
 * cost, nor on what its owner wrote about it.
 */
export function withoutCosts(lot: InventoryLot): InventoryLot {
  return {
    id: lot.id,
    brickfolioId: lot.brickfolioId,
    kind: lot.kind,
    key: lot.key,
    number: lot.number,
    condition: lot.condition,
    quantity: lot.quantity - lot.sold,
    sold: 0,
    status: 'owned',
    priceCents: 0,
    isEstimated: false,
    purchaseDate: '',
    dateBasis: 'unknown',
    ...noDetails,
    grade: lot.grade,
  };
}

/** A lot with its purchase, and without what its owner wrote about it. */
export function withCosts(lot: InventoryLot): InventoryLot {
  const { priceCents, isEstimated, purchaseDate, dateBasis } = lot;
  return { ...withoutCosts(lot), priceCents, isEstimated, purchaseDate, dateBasis };
}

/** A row of a collection that is shared without costs. */
export interface PlainRow
  extends Pick<InventoryRow, 'item' | 'units' | 'unitCents' | 'share' | 'tier'> {
  readonly lot: Pick<InventoryLot, 'kind' | 'condition' | 'grade' | 'quantity'>;
}

export interface CostedRow extends PlainRow, Pick<InventoryRow, 'costCents'> {
  readonly lot: PlainRow['lot'] &
    Pick<InventoryLot, 'priceCents' | 'isEstimated' | 'purchaseDate' | 'dateBasis'>;
}

type PlainTotal = Pick<
  InventoryTotal,
  'lots' | 'distinctCount' | 'itemCount' | 'valueCents' | 'withoutValue'
>;

export type SharedLots =
  | { readonly withCosts: false; readonly rows: readonly PlainRow[]; readonly total: PlainTotal }
  | {
      readonly withCosts: true;
      readonly rows: readonly CostedRow[];
      readonly total: InventoryTotal;
    };

const plainSorts: readonly InventorySort[] = [
  'value',
  'name',
  'number',
  'theme',
  'condition',
  'quantity',
  'grade',
];
const costSorts: readonly InventorySort[] = ['cost', 'gain', 'gain_pct', 'date'];

/** The orders that readers may choose: an order by gain would compare costs. */
export function sharedSorts(share: { readonly withCosts: boolean }): readonly InventorySort[] {
  return share.withCosts ? [...plainSorts, ...costSorts] : plainSorts;
}
