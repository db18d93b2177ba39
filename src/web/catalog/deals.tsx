/** Deals: offers of both retailers at or below the max buy price. */

import { type DealFilters, type DealQuestion, usualFilters } from '../../buying/deals.ts';
import { tablesOf, termsOf } from '../../domain/buying/buying-settings.ts';
import { channelName } from '../../domain/buying/channels.ts';
import { type Deal, type DealWarning, dealWarningTexts } from '../../domain/buying/deal.ts';
import type { BuyTerms } from '../../domain/buying/resale.ts';
import type { StatusId } from '../../domain/catalog/status.ts';
import { agoText, nounText, percentText, waitText } from '../../domain/kernel/format.ts';
import type { Page } from '../../domain/kernel/page.ts';
import type { ThemeSummary } from '../../domain/market/market-list.ts';
import { retailers } from '../../domain/market/source-rows.ts';
import type { WebDeps } from '../deps.ts';
import { withQuery } from '../kit/address.ts';
import { Badge, Card } from '../kit/card.tsx';
import {
  Lines,
  mainColumn,
  moneyColumn,
  numberColumn,
  secondary,
  wideColumn,
} from '../kit/columns.tsx';
import { csvDownload } from '../kit/csv-download.ts';
import { type Column, DataTable } from '../kit/data-table.tsx';
import { EmptyState } from '../kit/empty-state.tsx';
import {
  anyOf,
  Choice,
  countTyped,
  Field,
  isGood,
  isWrong,
  QueryForm,
  statusOf,
  type Typed,
} from '../kit/fields.tsx';
import { ApplyFilters, FilterFold, MoreFilters } from '../kit/filters.tsx';
import { shareText } from '../kit/format.ts';
import { ItemCell } from '../kit/item-picture.tsx';
import { Layout, marketTabs } from '../kit/layout.tsx';
import { itemPath } from '../kit/links.tsx';
import { Delta, Money } from '../kit/money.tsx';
import { needsPlan } from '../kit/needs-plan.tsx';
import { lastPagePath, PagePager, pageRange } from '../kit/pager.tsx';
import { TypedFields } from '../kit/typed-fields.ts';
import { BuyTermsFields, readBuyTerms, termNames } from '../owner/buying/buy-terms.tsx';
import type { OwnRequest, PageAnswer } from '../page.ts';
import { ownPages } from '../page-table.ts';
import { dealsCsv } from './deals-csv.ts';
import { findListPrice } from './find-set.ts';
import { ProductLink } from './item-retail.tsx';
import { themeOptions } from './market-view.tsx';

/** The maximum number of rows of a file. */
const fileRowsMax = 10_000;

/** The list of deals, as a page and as CSV. */
export const dealRoutes = ownPages({
  '/deals': { get: showDeals },
  '/deals.csv': { get: sendDeals },
});

/** The filters of an address, and the deals they match. */
interface FoundDeals {
  readonly typed: Typed;
  readonly terms: BuyTerms;
  readonly filters: DealFilters;
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
  return {
    page: (
      <DealsPage
        {...found}
        request={request}
        deps={deps}
        listCents={listCents}
        themes={themes}
        hasOffers={offers.length > 0}
      />
    ),
    status: statusOf(found.typed),
  };
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
  return csvDownload('deals.csv', dealsCsv(found.deals.rows));
}

async function readDeals(
  deps: WebDeps,
  { query, at, who }: OwnRequest,
  range: Pick<DealQuestion, 'limit' | 'offset'>,
): Promise<FoundDeals> {
  const settings = await deps.accounts.findBuyingSettings(who.accountId);
  const fields = TypedFields.ofQuery(query, at);
  const filters = readFilters(fields);
  const terms = readBuyTerms(fields, termsOf(settings));
  const { typed } = fields;
  if (!fields.isGood) return { typed, terms, filters, deals: { total: 0, rows: [] } };
  const tables = tablesOf(deps.tables, settings);
  const deals = await deps.findDeals(tables, {
    terms,
    filters,
    at,
    isDoubtLast: true,
    ...range,
  });
  return { typed, terms, filters, deals };
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
  /** The list prices of sets, by key. */
  readonly listCents: ReadonlyMap<string, number | null>;
  /** Whether any offer could be a deal with other terms. */
  readonly hasOffers: boolean;
}

function DealsPage(props: DealsProps) {
  const { request, terms, deals } = props;
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
      <FilterForm {...props} />
      <Card>
        {deals.rows.length === 0 ? <NoDeals {...props} /> : <DealTable {...props} />}
        <PagePager request={request} total={deals.total} />
      </Card>
    </Layout>
  );
}

/** Whether any filter is set. */
function isFiltered({ values }: Typed): boolean {
  return Object.entries(values).some(([name, value]) => name !== 'page' && value !== '');
}

const limitNames = ['min_profit', 'min_roi', 'max_price'];
/** Fields that are collapsed unless one is set. */
const moreNames = ['tier', ...limitNames, ...termNames];
/** Fields that are counted as filters. */
const filterNames = ['theme', 'retailer', 'status', ...limitNames];

function FilterForm({ deps, typed, terms, themes }: DealsProps) {
  return (
    <QueryForm class="market" action="/deals" typed={typed}>
      <div class="filters">
        <FilterFold count={countTyped(typed, filterNames)} isOpen={!isGood(typed)}>
          <Choice name="theme" label="Theme" options={themeOptions(typed, themes)} />
          <Choice name="retailer" label="Retailer" options={anyOf(deps.retailerNames)} />
          <Choice
            name="status"
            label="Status"
            options={anyOf({ 2: 'Available', 3: 'Retiring soon', 4: 'Retired' })}
          />
          <MoreFilters count={countTyped(typed, limitNames)} isOpen={isWrong(typed, moreNames)}>
            <Choice
              name="tier"
              label="Confidence in value"
              value={usualFilters.minTier}
              options={[
                ['high', 'High'],
                ['medium', 'Medium or better'],
                ['low', 'Low or better'],
              ]}
            />
            <Field name="min_profit" label="Min profit ($)" inputmode="decimal" />
            <Field name="min_roi" label="Min ROI (%)" inputmode="decimal" />
            <Field name="max_price" label="Max price ($)" inputmode="decimal" />
            <BuyTermsFields terms={terms} />
          </MoreFilters>
        </FilterFold>
        <ApplyFilters clear={isFiltered(typed) ? '/deals' : null} />
      </div>
    </QueryForm>
  );
}

function NoDeals({ typed, hasOffers }: DealsProps) {
  const settings = { href: '/account/buying', text: 'Buying settings' };
  if (!isGood(typed)) return <EmptyState title="Correct the fields marked above" />;
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

function DealTable(props: DealsProps) {
  const { deals } = props;
  return (
    <DataTable
      label="Deals"
      caption={nounText(deals.total, 'deal')}
      rows={deals.rows}
      columns={columnsOf(props)}
    />
  );
}

/** The price of an offer, its discount and its retailer. */
function priceColumn({ request, deps, listCents }: DealsProps): Column<Deal> {
  return numberColumn('Price', ({ setKey, offer }) => (
    <Lines
      first={<Money cents={offer.priceCents} />}
      second={
        <span title={`Seen ${agoText(request.at - offer.observedAt)}`}>
          {offText(offer.priceCents, listCents.get(setKey) ?? null)}
          <ProductLink name={deps.retailerNames[offer.retailer]} url={offer.productUrl} />
        </span>
      }
    />
  ));
}

/** The discount from the list price. */
function offText(priceCents: number, listCents: number | null): string {
  if (listCents === null || listCents <= priceCents) return '';
  return `${Math.round((100 * (listCents - priceCents)) / listCents)}% off · `;
}

function columnsOf(props: DealsProps): readonly Column<Deal>[] {
  const { typed } = props;
  // The page of the set uses the same terms.
  const terms = Object.fromEntries(termNames.map((name) => [name, typed.values[name] ?? '']));
  return [
    mainColumn('Set', ({ setNumber, title, theme }) => (
      <ItemCell
        kind="set"
        number={setNumber}
        name={title}
        about={theme}
        href={`${withQuery(itemPath('set', setNumber), terms)}#pay`}
      />
    )),
    priceColumn(props),
    secondary(moneyColumn('Max buy', ({ maxBuyCents }) => maxBuyCents)),
    numberColumn('Profit', ({ profitCents, roiPercent }) => (
      <Lines first={<Delta cents={profitCents} />} second={`${percentText(roiPercent)} ROI`} />
    )),
    numberColumn('Time to sell', ({ waitDays, channel }) => (
      <Lines first={waitText(waitDays)} second={`on ${channelName(channel)}`} />
    )),
    moneyColumn(
      'Profit per month',
      ({ profitPerMonthCents }) => profitPerMonthCents,
      'Time to sell unknown',
    ),
    wideColumn('Check', ({ warnings }) => warnings.length > 0 && <Warnings warnings={warnings} />),
  ];
}

/** Short names of warnings; the tooltip has the full sentence. */
const warningNames: Readonly<Record<DealWarning, string>> = {
  stale_price: 'Old price',
  unknown_stock: 'Stock unconfirmed',
  third_party_seller: 'Third-party seller',
  unknown_seller: 'Unknown seller',
  high_roi: 'ROI over 200%',
  cheaper_recently: 'Cheaper recently',
  often_discounted: 'Often discounted',
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
