/** Deals: offers of both retailers at or below the max buy price. */

import { type DealFilters, type DealQuestion, usualFilters } from '../../buying/find-deals.ts';
import { tablesOf, termsOf } from '../../domain/buying/buying-settings.ts';
import { channelName } from '../../domain/buying/channels.ts';
import { type Deal, type DealWarning, dealWarningTexts } from '../../domain/buying/deal.ts';
import type { BuyTerms } from '../../domain/buying/quotes.ts';
import type { StatusId } from '../../domain/catalog/status.ts';
import { csvCell, usdCell } from '../../domain/kernel/csv-cell.ts';
import { agoText, nounText, percentText, waitText } from '../../domain/kernel/format.ts';
import type { Page } from '../../domain/kernel/page.ts';
import { formatInstant } from '../../domain/kernel/time.ts';
import type { ThemeSummary } from '../../domain/market/market-list.ts';
import { retailers } from '../../domain/market/source-rows.ts';
import type { WebDeps } from '../deps.ts';
import { withQuery } from '../kit/address.ts';
import { Badge } from '../kit/card.tsx';
import { Lines, mainColumn, moneyColumn, numberColumn, wideColumn } from '../kit/columns.tsx';
import { columnFields, csvDownload, csvOf } from '../kit/csv-download.ts';
import type { Column } from '../kit/data-table.tsx';
import { EmptyState } from '../kit/empty-state.tsx';
import { anyOf, isGood, statusOf, type Typed } from '../kit/fields.tsx';
import { type Filter, FilterForm } from '../kit/filters.tsx';
import { shareText } from '../kit/format.ts';
import { ItemCell } from '../kit/item-picture.tsx';
import { Layout, marketTabs } from '../kit/layout.tsx';
import { itemPath } from '../kit/links.tsx';
import { List } from '../kit/list.tsx';
import { Delta, Money } from '../kit/money.tsx';
import { needsPlan } from '../kit/needs-plan.tsx';
import { lastPagePath, pageRange } from '../kit/pager.tsx';
import { TypedFields } from '../kit/typed-fields.ts';
import { BuyTermsFields, readBuyTerms, termNames } from '../owner/buying/buy-terms.tsx';
import type { OwnRequest, PageAnswer } from '../page.ts';
import { ownPages } from '../page-table.ts';
import { findListPrice } from './find-item.ts';
import { ProductLink } from './item-retail.tsx';
import { themeOptions } from './market-view.tsx';

const fileRowsMax = 10_000;

export const dealRoutes = ownPages({
  '/deals': { get: showDeals },
  '/deals.csv': { get: sendDeals },
});

interface FoundDeals {
  readonly typed: Typed;
  readonly terms: BuyTerms;
  readonly deals: Page<Deal>;
}

async function showDeals(deps: WebDeps, request: OwnRequest): Promise<PageAnswer> {
  if (request.who.plan !== 'reseller') return needsPlan(request, 'Deals', 'Deals are', marketTabs);
  const [found, { themes }] = await Promise.all([
    readDeals(deps, request, pageRange(request)),
    deps.findMarket(),
  ]);
  const last = lastPagePath(request, found.deals.total);
  if (last !== null) return { goTo: last };
  const [listCents, offers] = await Promise.all([
    findListPrices(deps, found.deals.rows),
    deps.market.listDeals(null, 1),
  ]);
  const props = { ...found, request, deps, listCents, themes, hasOffers: offers.length > 0 };
  return { page: <DealsPage {...props} />, status: statusOf(found.typed) };
}

async function findListPrices(deps: WebDeps, deals: readonly Deal[]) {
  const pairs = deals.map(
    async ({ setKey, setNumber }) => [setKey, await findListPrice(deps, setNumber)] as const,
  );
  return new Map(await Promise.all(pairs));
}

async function sendDeals(deps: WebDeps, request: OwnRequest): Promise<PageAnswer> {
  if (request.who.plan !== 'reseller') return { goTo: '/deals' };
  const found = await readDeals(deps, request, { limit: fileRowsMax, offset: 0 });
  // The page shows what is wrong with the filters.
  if (!isGood(found.typed)) return { goTo: withQuery('/deals', found.typed.values) };
  const columns = columnsOf({ ...found, request, deps, listCents: new Map() });
  return csvDownload('deals.csv', csvOf(columnFields(columns), found.deals.rows));
}

async function readDeals(
  deps: WebDeps,
  { query, at, today, who }: OwnRequest,
  range: Pick<DealQuestion, 'limit' | 'offset'>,
): Promise<FoundDeals> {
  const settings = await deps.accounts.findBuyingSettings(who.accountId);
  const fields = TypedFields.ofQuery(query, today);
  const filters = readFilters(fields);
  const terms = readBuyTerms(fields, termsOf(settings));
  const { typed } = fields;
  if (!fields.isGood) return { typed, terms, deals: { total: 0, rows: [] } };
  const tables = tablesOf(deps.tables, settings);
  const deals = await deps.findDeals(tables, { terms, filters, at, isDoubtLast: true, ...range });
  return { typed, terms, deals };
}

const statusIds = ['2', '3', '4'] as const;
const tiers = ['high', 'medium', 'low'] as const;

function readFilters(fields: TypedFields): DealFilters {
  const statusId = fields.wordOrNull('status', statusIds);
  const minRoi = fields.basisPointsOrNull('min_roi', { min: 0, max: 10_000 });
  return {
    retailer: fields.wordOrNull('retailer', retailers),
    theme: fields.textOrNull('theme', 100),
    statusId: statusId === null ? null : (Number(statusId) as StatusId),
    minTier: fields.wordOrNull('tier', tiers) ?? usualFilters.minTier,
    minProfitCents: fields.centsOrNull('min_profit'),
    minRoiPercent: minRoi === null ? null : minRoi / 100,
    maxPriceCents: fields.centsOrNull('max_price'),
  };
}

interface DealsProps extends FoundDeals {
  readonly request: OwnRequest;
  readonly deps: WebDeps;
  readonly themes: readonly ThemeSummary[];
  readonly listCents: ReadonlyMap<string, number | null>;
  /** Whether any offer could be a deal with other terms. */
  readonly hasOffers: boolean;
}

function DealsPage(props: DealsProps) {
  const { request, typed, terms, deals } = props;
  const confidence = shareText(Math.round(terms.share * 10_000));
  const file = withQuery('/deals.csv', Object.fromEntries(request.query));
  return (
    <Layout
      title="Deals"
      request={request}
      tabs={marketTabs}
      actions={
        deals.total > 0 && (
          <a class="button plain" href={file} download>
            Export CSV
          </a>
        )
      }
    >
      <p class="quiet">
        {`Offers at or below your max buy price (${confidence} confidence, ` +
          `${shareText(terms.marginBasisPoints)} margin), most profit per month first. ` +
          'Offers to double-check come last. '}
        <a href="/account/buying">Buying settings</a>
      </p>
      <FilterForm
        class="market"
        action="/deals"
        typed={typed}
        filters={filtersOf(props)}
        clear={isFiltered(typed) ? '/deals' : null}
      >
        <BuyTermsFields terms={terms} />
      </FilterForm>
      <List
        request={request}
        label="Deals"
        typed={typed}
        caption={nounText(deals.total, 'deal')}
        columns={columnsOf(props)}
        {...deals}
        empty={<NoDeals {...props} />}
      />
    </Layout>
  );
}

function isFiltered({ values }: Typed): boolean {
  return Object.entries(values).some(([name, value]) => name !== 'page' && value !== '');
}

function filtersOf({ deps, typed, themes }: DealsProps): readonly Filter[] {
  return [
    { name: 'theme', label: 'Theme', options: themeOptions(typed, themes) },
    { name: 'retailer', label: 'Retailer', options: anyOf(deps.retailerNames) },
    {
      name: 'status',
      label: 'Status',
      options: anyOf({ 2: 'Available', 3: 'Retiring soon', 4: 'Retired' }),
    },
    {
      name: 'tier',
      label: 'Confidence in value',
      value: usualFilters.minTier,
      options: [
        ['high', 'High'],
        ['medium', 'Medium or better'],
        ['low', 'Low or better'],
      ],
      isRare: true,
      isSetting: true,
    },
    { name: 'min_profit', label: 'Min profit ($)', inputmode: 'decimal', isRare: true },
    { name: 'min_roi', label: 'Min ROI (%)', inputmode: 'decimal', isRare: true },
    { name: 'max_price', label: 'Max price ($)', inputmode: 'decimal', isRare: true },
  ];
}

function NoDeals({ typed, hasOffers }: DealsProps) {
  const settings = { href: '/account/buying', text: 'Buying settings' };
  if (isFiltered(typed)) {
    return (
      <EmptyState title="No deals match" actions={[{ href: '/deals', text: 'Clear filters' }]}>
        Lower the margin or the confidence, or clear the filters.
      </EmptyState>
    );
  }
  if (!hasOffers) {
    return (
      <EmptyState title="No offers to compare yet" actions={[settings]}>
        Deals compare retail prices with resale prices. No retail price here leaves a profit.
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No deals right now" actions={[settings]}>
      Nothing in stock is at or below your max buy price. Lower the margin or the confidence, or
      include values with low confidence.
    </EmptyState>
  );
}

/** The discount from the list price. */
function offText(priceCents: number, listCents: number | null): string {
  if (listCents === null || listCents <= priceCents) return '';
  return `${Math.round((100 * (listCents - priceCents)) / listCents)}% off · `;
}

function columnsOf({
  request,
  deps,
  typed,
  listCents,
}: Pick<DealsProps, 'request' | 'deps' | 'typed' | 'listCents'>): readonly Column<Deal>[] {
  // The page of the set uses the same terms.
  const terms = Object.fromEntries(termNames.map((name) => [name, typed.values[name] ?? '']));
  const set = mainColumn<Deal>(
    'Set',
    ({ setNumber, title, theme }) => (
      <ItemCell
        kind="set"
        number={setNumber}
        name={title}
        about={theme}
        href={`${withQuery(itemPath('set', setNumber), terms)}#pay`}
      />
    ),
    {
      csv: {
        set_number: ({ setNumber }) => csvCell(setNumber),
        title: ({ title }) => csvCell(title),
        theme: ({ theme }) => csvCell(theme),
      },
    },
  );
  const price = numberColumn<Deal>(
    'Price',
    ({ setKey, offer }) => (
      <Lines
        first={<Money cents={offer.priceCents} />}
        second={
          <span title={`Seen ${agoText(request.at - offer.observedAt)}`}>
            {offText(offer.priceCents, listCents.get(setKey) ?? null)}
            <ProductLink name={deps.retailerNames[offer.retailer]} url={offer.productUrl} />
          </span>
        }
      />
    ),
    {
      csv: {
        retailer: ({ offer }) => offer.retailer,
        price_usd: ({ offer }) => usdCell(offer.priceCents),
      },
    },
  );
  return [set, price, ...resaleColumns];
}

const resaleColumns: readonly Column<Deal>[] = [
  moneyColumn('Max buy', ({ maxBuyCents }) => maxBuyCents, {
    isSecondary: true,
    csv: {
      max_buy_usd: ({ maxBuyCents }) => usdCell(maxBuyCents),
      best_channel: ({ channel }) => channel,
      net_usd: ({ medianNetCents }) => usdCell(medianNetCents),
    },
  }),
  numberColumn(
    'Profit',
    ({ profitCents, roiPercent }) => (
      <Lines first={<Delta cents={profitCents} />} second={`${percentText(roiPercent)} ROI`} />
    ),
    {
      csv: {
        profit_usd: ({ profitCents }) => usdCell(profitCents),
        roi_pct: ({ roiPercent }) => roiPercent.toFixed(2),
      },
    },
  ),
  numberColumn(
    'Time to sell',
    ({ waitDays, channel }) => (
      <Lines first={waitText(waitDays)} second={`on ${channelName(channel)}`} />
    ),
    { csv: { wait_days: ({ waitDays }) => waitDays?.toFixed(1) ?? '' } },
  ),
  moneyColumn('Profit per month', ({ profitPerMonthCents }) => profitPerMonthCents, {
    missing: 'Time to sell unknown',
    csv: { profit_per_month_usd: ({ profitPerMonthCents }) => usdCell(profitPerMonthCents) },
  }),
  wideColumn('Check', ({ warnings }) => warnings.length > 0 && <Warnings warnings={warnings} />, {
    csv: {
      warnings: ({ warnings }) => warnings.join(' '),
      observed_at: ({ offer }) => formatInstant(offer.observedAt),
      product_url: ({ offer }) => csvCell(offer.productUrl),
    },
  }),
];

/** Short names of warnings; the tooltip has the full sentence. */
const warningNames: Readonly<Record<DealWarning, string>> = {
  stale_price: 'Old price',
  unknown_stock: 'Stock unconfirmed',
  third_party_seller: 'Third-party seller',
  unknown_seller: 'Unknown seller',
  high_roi: 'ROI over 200%',
  cheaper_recently: 'Cheaper recently',
  often_discounted: 'Often discounted',
  recent_jump: 'Price jump',
  low_tier: 'Few sales',
  guessed_postage: 'Shipping estimated',
};

function Warnings({ warnings }: Pick<Deal, 'warnings'>) {
  return (
    <span class="badges">
      {warnings.map((warning) => (
        <Badge key={warning} kind="warn" title={dealWarningTexts[warning]}>
          {warningNames[warning]}
        </Badge>
      ))}
    </span>
  );
}
