/** Current offers and published prices of a set at both retailers. */
import type { PriceBlock, RetailRow } from '../../contract/retail.ts';
import type { RetailerSummary, SetRecord } from '../../contract/set.ts';
import { percentOf, toCents, toCentsOrNull } from '../../kernel/money.ts';
import type { RetailMonths } from '../../market/published/publishing.ts';
import { type PriceStep, priceSteps } from '../../market/retail/price-steps.ts';
import type { PastOffer } from '../../market/retail/retail-history.ts';
import { type Retailer, retailers } from '../../market/source-rows/source-rows.ts';
import { Badge, Card } from '../kit/card.tsx';
import { column, mainColumn, numberColumn, wideColumn } from '../kit/columns.tsx';
import { type Column, DataTable } from '../kit/data-table.tsx';
import { dayText, gainText, nounText, percentText, usdText } from '../kit/format.ts';
import { Missing } from '../kit/money.tsx';
import type { SiteFacts } from '../page.ts';
import type { RetailPast } from './item-chart.tsx';

export interface SetRetail {
  readonly row: RetailRow;
  readonly months: RetailMonths | null;
  /** Latest first. */
  readonly changes: readonly PastOffer[];
}

type Names = SiteFacts['retailerNames'];

export function RetailCard(props: {
  readonly retail: SetRetail | null;
  readonly set: Pick<SetRecord, 'retailers'>;
  readonly names: Names;
}) {
  const { retail, set, names } = props;
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

/** The published prices of each retailer, for the chart. */
export function retailPast(retail: SetRetail, names: Names, at: number): RetailPast[] {
  return retailers.map((retailer) => ({
    retailer,
    name: names[retailer],
    steps: stepsOf(retail, retailer, at),
  }));
}

function stepsOf({ row, months, changes }: SetRetail, retailer: Retailer, at: number): PriceStep[] {
  const { price, inStock } = row[retailer];
  return priceSteps(
    {
      months: months?.[retailer] ?? [],
      changes: changes.filter((change) => change.retailer === retailer).reverse(),
      priceCents: inStock === false ? null : toCentsOrNull(price),
    },
    at,
  );
}
