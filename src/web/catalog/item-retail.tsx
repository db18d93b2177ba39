/** Current offers and price history of a set at both retailers. */
import type { PriceBlock, RetailRow } from '../../contract/retail.ts';
import type { RetailerSummary, SetRecord } from '../../contract/set.ts';
import { percentOf, toCents, toCentsOrNull, toUsdOrNull } from '../../domain/kernel/money.ts';
import { dayMs, formatDay, formatInstant } from '../../domain/kernel/time.ts';
import {
  type PriceStep,
  priceSteps,
  type RetailChange,
  stepsTogether,
} from '../../domain/market/price-steps.ts';
import type { RetailMonths } from '../../domain/market/publishing.ts';
import { type Retailer, retailers } from '../../domain/market/source-rows.ts';
import type { WebDeps } from '../deps.ts';
import { Badge, Card } from '../kit/card.tsx';
import { Chart, type ChartColumn } from '../kit/chart.tsx';
import { column, mainColumn, numberColumn, wideColumn } from '../kit/columns.tsx';
import { type Column, DataTable } from '../kit/data-table.tsx';
import { dayText, gainText, nounText, percentText, usdText } from '../kit/format.ts';
import { Missing } from '../kit/money.tsx';

export interface SetRetail {
  readonly row: RetailRow;
  readonly months: RetailMonths | null;
  readonly changes: readonly RetailChange[];
}

type Names = WebDeps['retailerNames'];

export function RetailCard(props: {
  readonly retail: SetRetail | null;
  readonly set: Pick<SetRecord, 'retailers' | 'msrp_usd'>;
  readonly names: Names;
  readonly at: number;
}) {
  const { retail, set, names, at } = props;
  if (retail === null) {
    return (
      <Card title="Retail prices">
        <p class="quiet">No retailer has listed this set yet.</p>
      </Card>
    );
  }
  return (
    <Card title="Retail prices">
      <DataTable
        label="Current offers"
        columns={offerColumns(names)}
        rows={retailers
          .map((retailer) => ({
            retailer,
            block: retail.row[retailer],
            summary: set.retailers.find((one) => one.retailer === retailer) ?? null,
          }))
          .filter(({ block }) => block.lowest !== null)}
      />
      <Exit exit={retail.row.retailer_aExit} name={names.retailer_a} />
      <StepChart retail={retail} msrpUsd={set.msrp_usd} names={names} at={at} />
    </Card>
  );
}

interface Offer {
  readonly retailer: Retailer;
  readonly block: PriceBlock;
  readonly summary: RetailerSummary | null;
}

const offerColumns = (names: Names): readonly Column<Offer>[] => [
  mainColumn('Retailer', ({ retailer, summary }) => (
    <ProductLink name={names[retailer]} url={summary?.product_url ?? null} />
  )),
  numberColumn('Price', ({ block }) => <Price block={block} />),
  numberColumn('vs. list price', listText),
  column('Sold by', ({ block }) => sellerText(block)),
  wideColumn('Last change', lastChange),
  numberColumn('All-time low', ({ block }) => usdText(block.lowest)),
];

function listText({ block, summary }: Offer): string {
  const [price, list] = [toCents(block.price ?? 0), toCents(summary?.list_price ?? 0)];
  return price && list ? percentText(percentOf(price - list, list)) : '—';
}

/** URLs come from sources, so only web addresses become links. */
export function isWebAddress(url: string | null): url is string {
  return url !== null && /^https?:\/\//i.test(url);
}

/** A link to a product page. */
export function ProductLink({ name, url }: { readonly name: string; readonly url: string | null }) {
  if (!isWebAddress(url)) return <>{name}</>;
  return (
    <a href={url} rel="noreferrer noopener">
      {name}
    </a>
  );
}

/** A price after its badges, so that prices of several rows stay aligned. */
export function Price({ block }: { readonly block: PriceBlock }) {
  return (
    <>
      {block.atLowest && <Badge>All-time low</Badge>}
      {block.flip1pTo3p && <Badge>Third parties only</Badge>}{' '}
      {block.price === null ? <Missing reason="No offer" /> : usdText(block.price)}
    </>
  );
}

const sellerTexts = { retailer: 'Retailer', third_party: 'Third party' } as const;

function sellerText({ price, sellerType, inStock }: PriceBlock): string {
  if (price === null) return 'No offer';
  const seller = sellerType === null ? 'Unknown seller' : sellerTexts[sellerType];
  return `${seller}${inStock === false ? ', out of stock' : ''}`;
}

function lastChange({ block }: Offer) {
  return stepText(block) ?? <Missing reason="No change seen" />;
}

/** The latest price change and its date; null if there is none. */
export function stepText({ lastChange, changedAt }: PriceBlock): string | null {
  if (lastChange === null || changedAt === null) return null;
  return `${gainText(toCents(lastChange) ?? 0)} on ${dayText(changedAt.slice(0, 10))}`;
}

function Exit(props: { readonly exit: RetailRow['retailer_aExit']; readonly name: string }) {
  const { exit, name } = props;
  const price = exit.lowestFba ?? exit.buyBox;
  if (price === null) return null;
  const parts = [
    `Resale at ${name}: ${usdText(price)}`,
    exit.fbaSellers === null ? null : nounText(exit.fbaSellers, 'seller'),
    exit.netFba === null ? null : `${usdText(exit.netFba)} after fees`,
  ];
  return <p class="quiet">{parts.filter((part) => part !== null).join(' · ')}</p>;
}

/** A chart of both retailers and the list price. A retailer without data has no line. */
function StepChart(props: {
  readonly retail: SetRetail;
  readonly msrpUsd: number | null;
  readonly names: Names;
  readonly at: number;
}) {
  const { retail, msrpUsd, names, at } = props;
  const shown = retailers
    .map((retailer) => ({ retailer, steps: stepsOf(retail, retailer, at) }))
    .filter(({ steps }) => steps.some(({ cents }) => cents !== null));
  const columns = shown.map(({ retailer }): ChartColumn => {
    const tone = retailer === 'retailer_a' ? 'series-1' : 'series-2';
    return { name: names[retailer], look: 'step', tone, show: usdText };
  });
  const list: ChartColumn = { name: 'List price', look: 'dashed', tone: 'quiet', show: usdText };
  const listValues = msrpUsd === null ? [] : [msrpUsd];
  return (
    <Chart
      id="retail"
      caption="Retail prices: the lowest of each month, and every change of the last 90 days"
      unit="usd"
      columns={msrpUsd === null ? columns : [...columns, list]}
      rows={stepsTogether(shown.map(({ steps }) => steps)).map((step) => ({
        at: step.at % dayMs === 0 ? formatDay(step.at) : formatInstant(step.at),
        values: [...step.cents.map(toUsdOrNull), ...listValues],
      }))}
    />
  );
}

function stepsOf({ row, months, changes }: SetRetail, retailer: Retailer, at: number): PriceStep[] {
  const { price, inStock } = row[retailer];
  return priceSteps(
    {
      months: months?.[retailer] ?? [],
      changes: changes.filter((change) => change.retailer === retailer),
      priceCents: inStock === false ? null : toCentsOrNull(price),
    },
    at,
  );
}
