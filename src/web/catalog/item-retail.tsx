/** What both retailers ask for a set: the published row, and how their prices moved by month. */

import type { PriceBlock, RetailRow } from '../../contract/retail.ts';
import type { SetRecord } from '../../contract/set.ts';
import { gainText, moneyText, usdText } from '../../domain/kernel/format.ts';
import { toCents, toUsdOrNull } from '../../domain/kernel/money.ts';
import { formatDay, monthStart } from '../../domain/kernel/time.ts';
import type { RetailMonths } from '../../domain/market/publishing-store.ts';
import { retailers } from '../../domain/market/source-rows.ts';
import type { WebDeps } from '../deps.ts';
import { Chart } from '../kit/chart.tsx';
import { TableHead } from '../kit/table-head.tsx';

/** The retailers of a set. */
export function RetailCard(props: {
  readonly row: RetailRow | null;
  readonly months: RetailMonths | null;
  readonly set: Pick<SetRecord, 'retailers'>;
  readonly names: WebDeps['retailerNames'];
}) {
  const { row, months, set, names } = props;
  return (
    <section class="card">
      <h2>At the retailers</h2>
      {row === null ? (
        <p>No retailer was ever seen with it.</p>
      ) : (
        <>
          <RetailTable row={row} set={set} names={names} />
          {months && <MonthsChart months={months} names={names} />}
          <Exit exit={row.retailer_aExit} name={names.retailer_a} />
        </>
      )}
    </section>
  );
}

function RetailTable(props: {
  readonly row: RetailRow;
  readonly set: Pick<SetRecord, 'retailers'>;
  readonly names: WebDeps['retailerNames'];
}) {
  const { row, set, names } = props;
  return (
    <div class="scroll">
      <table class="cards">
        <TableHead
          columns={['Retailer', 'Price', 'List price', 'Sold by', 'Last step', 'Lowest seen']}
          numbers={['Price', 'List price', 'Lowest seen']}
        />
        <tbody>
          {(['retailer_a', 'retailer_b'] as const).map((retailer) => {
            const summary = set.retailers.find((one) => one.retailer === retailer);
            return (
              <tr key={retailer}>
                <td data-name="Retailer">
                  <ProductLink name={names[retailer]} url={summary?.product_url ?? null} />
                </td>
                <td data-name="Price" class="number">
                  <Price block={row[retailer]} />
                </td>
                <td data-name="List price" class="number">
                  {usdText(summary?.list_price ?? null)}
                </td>
                <td data-name="Sold by">{sellerText(row[retailer])}</td>
                <td data-name="Last step">{stepText(row[retailer])}</td>
                <td data-name="Lowest seen" class="number">
                  {usdText(row[retailer].lowest)}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/** The page of a product. Its address comes from a source: only one of the web is made a link. */
export function ProductLink({ name, url }: { readonly name: string; readonly url: string | null }) {
  if (url === null || !/^https?:\/\//i.test(url)) return <>{name}</>;
  return (
    <a href={url} rel="noreferrer noopener">
      {name}
    </a>
  );
}

/** A price with what is remarkable about it. */
export function Price({ block }: { readonly block: PriceBlock }) {
  return (
    <>
      {usdText(block.price)}
      {block.atLowest && <span class="badge">all-time low</span>}
      {block.flip1pTo3p && <span class="badge">third parties only</span>}
    </>
  );
}

const sellerTexts = { retailer: 'the retailer', third_party: 'third parties' } as const;

function sellerText({ price, sellerType, inStock }: PriceBlock): string {
  if (price === null) return 'no offer';
  const seller = sellerType === null ? 'not known' : sellerTexts[sellerType];
  return `${seller}${inStock === false ? ', not in stock' : ''}`;
}

/** The latest change of a price: from what, to what, and when. */
export function stepText({ price, lastChange, changedAt }: PriceBlock): string {
  if (lastChange === null || changedAt === null) return 'none seen';
  const cents = toCents(lastChange) ?? 0;
  const day = changedAt.slice(0, 10);
  // The step led to the price that was seen last, which is only known while there is an offer.
  const now = price === null ? null : toCents(price);
  if (now === null) return `${gainText(cents)} on ${day}`;
  return `${moneyText(now - cents)} → ${moneyText(now)} on ${day}`;
}

function Exit({
  exit,
  name,
}: {
  readonly exit: RetailRow['retailer_aExit'];
  readonly name: string;
}) {
  const price = exit.lowestFba ?? exit.buyBox;
  if (price === null) return null;
  const sellers = exit.fbaSellers === null ? '' : ` (${exit.fbaSellers} sellers)`;
  return (
    <p>
      {`Sold through ${name} at ${usdText(price)}${sellers}, ` +
        (exit.netFba === null
          ? 'what is left after fees is not known without the size of the box.'
          : `${usdText(exit.netFba)} is left after its fees.`)}
    </p>
  );
}

/** The steps of both prices. The lowest of a month is derived; single looks are the source's. */
function MonthsChart(props: {
  readonly months: RetailMonths;
  readonly names: WebDeps['retailerNames'];
}) {
  const { months, names } = props;
  const all = retailers.flatMap((retailer) => months[retailer].map(([month]) => month));
  if (all.length === 0) return null;
  const prices = retailers.map((retailer) => new Map(months[retailer]));
  const [first, last] = [Math.min(...all), Math.max(...all)];
  const show = (usd: number) => moneyText(Math.round(usd * 100));
  return (
    <Chart
      id="retail"
      caption="Lowest price of each month"
      unit="usd"
      columns={[
        { name: names.retailer_a, look: 'step', tone: 'series-1', show },
        { name: names.retailer_b, look: 'step', tone: 'series-2', show },
      ]}
      rows={Array.from({ length: last - first + 1 }, (_, index) => ({
        at: formatDay(monthStart(first + index)),
        values: prices.map((ofRetailer) => toUsdOrNull(ofRetailer.get(first + index) ?? null)),
      }))}
    />
  );
}
