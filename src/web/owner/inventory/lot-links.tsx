/** The way from a lot to its sales, and from a sale to its lots. */

import { platformNames } from '../../../domain/fees/platforms.ts';
import { countText } from '../../../domain/kernel/format.ts';
import type { LotSale, SaleLot } from '../../../domain/portfolio/ledger-store.ts';

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

function More({ count }: { readonly count: number }) {
  if (count < linksShown) return null;
  return <p class="quiet">{`There may be more; ${linksShown} are listed here.`}</p>;
}

/** A count of units in words. */
function unitsText(count: number): string {
  return `${countText(count)} ${count === 1 ? 'unit' : 'units'}`;
}
