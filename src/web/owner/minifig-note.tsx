/** Says by how much totals differ from those of the API's version 1, which counts sets only. */
import type { HoldingsTotal } from '../../portfolio/lots/holdings.ts';
import { moneyText, nounText } from '../kit/format.ts';

/** Nothing if there are no minifigs. */
export function MinifigNote({ total }: { readonly total: HoldingsTotal }) {
  if (total.itemCount === 0) return null;
  const what = `${nounText(total.itemCount, 'minifig')} worth ${moneyText(total.valueCents)}`;
  return <NotInVersion1 what={what} />;
}

/** `what` the totals include. */
export function NotInVersion1({ what }: { readonly what: string }) {
  return (
    <p class="quiet small">
      {`Includes ${what}, which version 1 of the API doesn't count. `}
      <a href="/docs/plus/your-sets-and-minifigs">Minifigs in the API</a>
    </p>
  );
}
