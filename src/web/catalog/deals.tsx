/** Deals: offers of both retailers at or below the max buy price. */

import { type Deal, dealTiers } from '../../buying/deals/deal.ts';
import {
  type DealFilters,
  type DealSort,
  dealSorts,
  type SetDealQuestion,
  usualFilters,
} from '../../buying/deals/find-deals.ts';
import { isSkipped, skippedPrices } from '../../buying/deals/skipped-deals.ts';
import { tablesOf, termsOf } from '../../buying/prices/buying-settings.ts';
import type { StatusId } from '../../catalog/items/status.ts';
import type { PageRange } from '../../kernel/page.ts';
import type { ThemeSummary } from '../../market/lists/market-list.ts';
import { retailers } from '../../market/source-rows/source-rows.ts';
import { changedAddress, withQuery } from '../kit/address.ts';
import { DownloadLink } from '../kit/buttons.tsx';
import { EmptyState } from '../kit/card.tsx';
import { readOrder, sortInAddress } from '../kit/columns.tsx';
import { columnFields, csvDownload, csvOf } from '../kit/csv-download.ts';
import { needsPlan } from '../kit/fault.tsx';
import { anyOf, isGood, statusOf, type Typed } from '../kit/fields.tsx';
import { type Filter, FilterForm } from '../kit/filters.tsx';
import { FormReader } from '../kit/form-reader.ts';
import { chanceText, countText, nounText, shareText } from '../kit/format.ts';
import { Layout, marketTabs } from '../kit/layout.tsx';
import { List, lastPagePath, pageRange } from '../kit/list.tsx';
import { BuyTermsFields, readBuyTerms } from '../owner/buying/buy-terms.tsx';
import { SkippedToast } from '../owner/today/skip-deal.tsx';
import type { OwnRequest, PageAnswer, PageRequest, WebDeps } from '../page.ts';
import { routes } from '../page-table.ts';
import { dealColumns } from './deal-columns.tsx';
import { findListPrice } from './find-item.ts';
import { themeOptions } from './market-view.tsx';

const fileRowsMax = 10_000;

export const dealRoutes = [
  ...routes('open', { '/deals': { get: showDealsTo } }),
  ...routes('own', { '/deals.csv': { get: sendDeals } }),
];

/** Visitors are told what deals are. */
function showDealsTo(deps: WebDeps, request: PageRequest) {
  const { who, access } = request;
  if (who) return showDeals(deps, { ...request, who });
  const signUp = [withQuery('/sign-up', { next: '/deals' }), 'Create account'] as const;
  return (
    <Layout title="Deals" request={request} tabs={marketTabs}>
      <EmptyState
        title="Sets that retailers sell below what they resell for"
        actions={[
          [withQuery('/sign-in', { next: '/deals' }), 'Sign in'],
          ...(access.signUp === 'open' ? [signUp] : []),
        ]}
      >
        Each deal has the price and the retailer, the max buy price at your margin after all fees
        and shipping, the profit, and the expected time to sell. Deals are part of the Reseller
        plan.
      </EmptyState>
    </Layout>
  );
}

type FoundDeals = Awaited<ReturnType<typeof readDeals>>;

type DealOrder = Pick<SetDealQuestion, 'sort' | 'isDescending'>;

async function showDeals(deps: WebDeps, request: OwnRequest): Promise<PageAnswer> {
  if (request.who.plan !== 'reseller') return needsPlan(request, 'Deals', 'Deals are', marketTabs);
  const [found, { themes }] = await Promise.all([
    readDeals(deps, request, pageRange(request)),
    deps.cache.findMarket(),
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
  const { retailerNames } = deps.site;
  const columns = dealColumns({ ...found, request, retailerNames, listCents: new Map() });
  return csvDownload('deals.csv', csvOf(columnFields(columns), found.deals.rows));
}

async function readDeals(deps: WebDeps, { query, at, today, who }: OwnRequest, range: PageRange) {
  const settings = await deps.accounts.findBuyingSettings(who.accountId);
  const fields = FormReader.ofQuery(query, today);
  const filters = readFilters(fields);
  const terms = readBuyTerms(fields, termsOf(settings));
  const order = readDealOrder(fields);
  const skipped = await deps.accounts.listSkippedDeals(who.accountId);
  const prices = skippedPrices(skipped);
  const showsSkipped = fields.form.text('skipped') !== '';
  const { typed } = fields;
  const read = { typed, terms, order, showsSkipped, skippedCount: skipped.length };
  if (!fields.isGood) return { ...read, deals: { total: 0, rows: [] } };
  const deals = await deps.cache.findDeals(tablesOf(deps.site.tables, settings), {
    terms,
    filters,
    at,
    ...order,
    ...range,
    includes: (candidate) => isSkipped(candidate, prices) === showsSkipped,
  });
  return { ...read, deals };
}

/** The most profit per month first, unless the address has another order. */
function readDealOrder(fields: FormReader): DealOrder {
  const { key, isDescending } = readOrder(fields.form.text('sort'));
  const sort = dealSorts.find((each): each is DealSort => each === key);
  return sort ? { sort, isDescending } : usualOrder;
}

const usualOrder: DealOrder = { sort: 'per_month', isDescending: true };

/** The longest wait, in days. */
const waitBounds = { min: 1, max: 3_650 } as const;

const statusIds = ['2', '3', '4'] as const;

function readFilters(fields: FormReader): DealFilters {
  const statusId = fields.wordOrNull('status', statusIds);
  const ratio = fields.centsOrNull('min_part_out');
  const minRoi = fields.basisPointsOrNull('min_roi', { min: 0, max: 10_000 });
  return {
    retailer: fields.wordOrNull('retailer', retailers),
    theme: fields.textOrNull('theme', 100),
    statusId: statusId === null ? null : (Number(statusId) as StatusId),
    minTier: fields.wordOrNull('tier', dealTiers) ?? usualFilters.minTier,
    minProfitCents: fields.centsOrNull('min_profit'),
    minRoiPercent: minRoi === null ? null : minRoi / 100,
    maxPriceCents: fields.centsOrNull('max_price'),
    maxWaitDays: fields.wholeOrNull('max_wait', waitBounds),
    minPartOutRatio: ratio === null ? null : ratio / 100,
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
  const { sort, isDescending } = props.order;
  const file = withQuery('/deals.csv', Object.fromEntries(request.query));
  return (
    <Layout
      title="Deals"
      request={request}
      tabs={marketTabs}
      actions={deals.total > 0 && <DownloadLink href={file}>Export CSV</DownloadLink>}
    >
      <p class="quiet">
        {'The best offer of each set at or below your max buy price: ' +
          `${chanceText(terms.share)} to keep ${shareText(terms.marginBasisPoints)} margin. `}
        {sort === 'per_month' && isDescending && 'Offers with a warning are listed last. '}
        <SkippedLink {...props} /> <a href="/account/buying">Buying settings</a>
      </p>
      <SkippedToast request={request} />
      <FilterForm
        class="market"
        action="/deals"
        typed={typed}
        filters={filtersOf(props)}
        clear={isFiltered(typed) ? '/deals' : null}
        kept={{ sort: request.query.get('sort'), skipped: request.query.get('skipped') }}
      >
        <BuyTermsFields terms={terms} />
      </FilterForm>
      <List
        request={request}
        label="Deals"
        typed={typed}
        caption={nounText(deals.total, 'deal')}
        columns={dealColumns({ ...props, retailerNames: props.deps.site.retailerNames })}
        sort={sortInAddress(request, { key: sort, isDescending })}
        {...deals}
        empty={<NoDeals {...props} />}
      />
    </Layout>
  );
}

function SkippedLink({ request, showsSkipped, skippedCount }: DealsProps) {
  if (showsSkipped) return <a href={changedAddress(request, { skipped: '' })}>Back to the deals</a>;
  if (skippedCount === 0) return null;
  const text = `${countText(skippedCount)} skipped`;
  return <a href={changedAddress(request, { skipped: 'yes', did: '', set: '' })}>{text}</a>;
}

function isFiltered({ values }: Typed): boolean {
  return Object.entries(values).some(([name, value]) => !unfiltering.has(name) && value !== '');
}

/** Parameters that are no filters. */
const unfiltering: ReadonlySet<string> = new Set(['page', 'sort', 'did', 'set', 'skipped']);

function filtersOf({ deps, typed, themes }: DealsProps): readonly Filter[] {
  return [
    { name: 'theme', label: 'Theme', options: themeOptions(typed, themes) },
    { name: 'retailer', label: 'Retailer', options: anyOf(deps.site.retailerNames) },
    {
      name: 'status',
      label: 'Status',
      options: anyOf({ 2: 'Available', 3: 'Retiring soon', 4: 'Retired' }),
    },
    {
      name: 'tier',
      label: 'Value tier',
      value: usualFilters.minTier,
      options: [
        ['medium', 'Medium or high'],
        ['high', 'High only'],
        ['low', 'Low too (few sales)'],
      ],
    },
    { name: 'min_profit', label: 'Min profit ($)', inputmode: 'decimal', isRare: true },
    { name: 'min_roi', label: 'Min ROI (%)', inputmode: 'decimal', isRare: true },
    { name: 'max_price', label: 'Max price ($)', inputmode: 'decimal', isRare: true },
    { name: 'max_wait', label: 'Max time to sell (days)', inputmode: 'numeric', isRare: true },
    { name: 'min_part_out', label: 'Min part-out ratio', inputmode: 'decimal', isRare: true },
  ];
}

function NoDeals({ typed, hasOffers, showsSkipped }: DealsProps) {
  if (showsSkipped) {
    return (
      <EmptyState title="No skipped deals" actions={[['/deals', 'Deals']]}>
        Deals that you skip are listed here as long as they last.
      </EmptyState>
    );
  }

  const settings = ['/account/buying', 'Buying settings'] as const;
  if (isFiltered(typed)) {
    return (
      <EmptyState title="No deals match" actions={[['/deals', 'Clear filters']]}>
        Lower the margin or the chance to keep it, or clear the filters.
      </EmptyState>
    );
  }
  if (!hasOffers) {
    return (
      <EmptyState title="No offers to compare yet" actions={[settings]}>
        Deals appear when a retailer sells a set for less than it brings after fees.
      </EmptyState>
    );
  }
  return (
    <EmptyState title="No deals right now" actions={[settings]}>
      Nothing in stock is at or below your max buy price. Lower the margin or the chance to keep it,
      or set the value tier to low too.
    </EmptyState>
  );
}
