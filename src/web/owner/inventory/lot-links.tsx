/** The way from a lot to its sales, and from a sale to its lots. */

import { platformNames } from '../../../domain/fees/platforms.ts';
import { countText } from '../../../domain/kernel/format.ts';
import type { LotSale, SaleLot } from '../../../domain/portfolio/ledger-store.ts';
import type { OwnLot } from '../../../domain/portfolio/lot-store.ts';

/** More are not listed on one page. */
export const linksShown = 50;

/** The sales that took units of a lot; nothing when there are none. */
export function LotSales({ sales }: { readonly sales: readonly LotSale[] }) {
  if (sales.length === 0) return null;
  return (
    <section class="card">
      <h2>Sales of it</h2>
      <ul>
        {sales.map(({ saleId, saleDate, platform, quantity }) => (
          <li key={saleId}>
            <a href={`/sales/${saleId}`}>{`${saleDate}, ${platformNames[platform]}`}</a>
            {`: ${unitsText(quantity)}`}
          </li>
        ))}
      </ul>
      <More count={sales.length} />
    </section>
  );
}

/** The lots that a sale took units of; nothing when its cost was given instead. */
export function SaleLots({ lots }: { readonly lots: readonly SaleLot[] }) {
  if (lots.length === 0) return null;
  return (
    <section class="card">
      <h2>Where its units come from</h2>
      <ul>
        {lots.map(({ lotId, purchaseDate, brickfolio, quantity }) => (
          <li key={lotId}>
            <a href={`/lots/${lotId}`}>{`The lot bought ${purchaseDate}`}</a>
            {` in ${brickfolio}: ${unitsText(quantity)}`}
          </li>
        ))}
      </ul>
      <More count={lots.length} />
    </section>
  );
}

/** The lots of a set that the visitor holds, and the way to another one. */
export function SetLots(props: { readonly number: string; readonly lots: readonly OwnLot[] }) {
  const { number, lots } = props;
  return (
    <section class="card">
      <h2>In your collections</h2>
      {lots.length > 0 && (
        <ul>
          {lots.map((lot) => (
            <li key={lot.id}>
              <a href={`/lots/${lot.id}`}>{`The lot bought ${lot.purchaseDate}`}</a>
              {` in ${lot.brickfolio}: ${unitsText(lot.quantity - lot.sold)}, ${lot.condition}`}
            </li>
          ))}
        </ul>
      )}
      <More count={lots.length} />
      <p class="flush">
        <a class="button plain" href={`/collections/add?item=${encodeURIComponent(number)}`}>
          Add it to a collection
        </a>
      </p>
    </section>
  );
}

function More({ count }: { readonly count: number }) {
  if (count < linksShown) return null;
  return <p class="quiet">{`There may be more; ${linksShown} are listed here.`}</p>;
}

/** A count of units in words. */
export function unitsText(count: number): string {
  return `${countText(count)} ${count === 1 ? 'unit' : 'units'}`;
}
