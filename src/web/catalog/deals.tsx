/** Deals: what both retailers ask today that costs no more than one may pay. */

import type { ComponentChildren } from 'preact';
import { type DealFilters, type DealQuestion, usualFilters } from '../../buying/deals.ts';
import type { ThemeList } from '../../contract/catalog.ts';
import { tablesOf, termsOf } from '../../domain/buying/buying-settings.ts';
import { channelName } from '../../domain/buying/channels.ts';
import { type Deal, dealWarningTexts } from '../../domain/buying/deal.ts';
import type { BuyTerms } from '../../domain/buying/resale.ts';
import type { StatusId } from '../../domain/catalog/status.ts';
import {
  agoText,
  countText,
  gainText,
  moneyText,
  percentText,
  waitText,
} from '../../domain/kernel/format.ts';
import type { Page } from '../../domain/kernel/page.ts';
import { retailers } from '../../domain/market/source-rows.ts';
import type { WebDeps } from '../deps.ts';
import { withQuery } from '../kit/address.ts';
import { csvDownload } from '../kit/csv-download.ts';
import { Choice, Field, type Typed } from '../kit/fields.tsx';
import { signClass } from '../kit/figures.tsx';
import { shareText } from '../kit/format.ts';
import { Layout } from '../kit/layout.tsx';
import { itemPath } from '../kit/links.tsx';
import { needsPlan } from '../kit/needs-plan.tsx';
import { Paging, pageOf } from '../kit/paging.tsx';
import { TableHead } from '../kit/table-head.tsx';
import { TypedFields } from '../kit/typed-fields.ts';
import { BuyTermsFields, readBuyTerms, termNames } from '../owner/buying/buy-terms.tsx';
import type { OwnRequest, PageAnswer, PageRoute } from '../page.ts';
import { dealsCsv } from './deals-csv.ts';
import { ProductLink } from './item-retail.tsx';

const pageSize = 50;

/** The most that a file holds. */
const fileRowsMax = 10_000;

/** The list of deals, as page and as file. */
export function dealRoutes(deps: WebDeps): readonly PageRoute[] {
  return [
    { access: 'own', path: '/deals', get: (request) => showDeals(deps, request) },
    { access: 'own', path: '/deals.csv', get: (request) => sendDeals(deps, request) },
  ];
}

/** What was asked for, and what was found. */
interface FoundDeals {
  readonly typed: Typed;
  readonly terms: BuyTerms;
  readonly filters: DealFilters;
  readonly deals: Page<Deal>;
}

async function showDeals(deps: WebDeps, request: OwnRequest): Promise<PageAnswer> {
  if (request.who.plan !== 'reseller') return needsPlan(request, 'Deals', 'Deals are');
  const offset = (pageOf(request.query) - 1) * pageSize;
  const [found, body] = await Promise.all([
    readDeals(deps, request, { limit: pageSize, offset }),
    deps.market.findThemes(),
  ]);
  const { themes }: ThemeList = body === null ? { themes: [] } : JSON.parse(body);
  const names = themes.map(({ theme }) => theme);
  return {
    page: <DealsPage request={request} deps={deps} themes={names} {...found} />,
    status: isGood(found) ? 200 : 400,
  };
}

async function sendDeals(deps: WebDeps, request: OwnRequest): Promise<PageAnswer> {
  if (request.who.plan !== 'reseller') return { goTo: '/deals' };
  const found = await readDeals(deps, request, { limit: fileRowsMax, offset: 0 });
  // What is wrong with the address is said on the page.
  if (!isGood(found)) return { goTo: withQuery('/deals', found.typed.values) };
  return csvDownload('deals.csv', dealsCsv(found.deals.rows));
}

function isGood({ typed }: FoundDeals): boolean {
  return Object.keys(typed.faults).length === 0;
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
  const deals = await deps.findDeals(tables, { terms, filters, at, ...range });
  return { typed, terms, filters, deals };
}

const statusIds = ['2', '3', '4'] as const;
const tiers = ['high', 'medium', 'low'] as const;

function readFilters(fields: TypedFields): DealFilters {
  const one = <T extends string>(name: string, words: readonly T[]) =>
    fields.isBlank(name) ? null : fields.word(name, words);
  const statusId = one('status', statusIds);
  return {
    retailer: one('retailer', retailers),
    theme: fields.textOrNull('theme', 100),
    statusId: statusId === null ? null : (Number(statusId) as StatusId),
    minTier: one('tier', tiers) ?? usualFilters.minTier,
    minProfitCents: fields.centsOrNull('min_profit'),
    minRoiPercent: fields.isBlank('min_roi')
      ? null
      : fields.basisPoints('min_roi', { min: 0, max: 10_000 }) / 100,
    maxPriceCents: fields.centsOrNull('max_price'),
  };
}

interface DealsProps extends FoundDeals {
  readonly request: OwnRequest;
  readonly deps: WebDeps;
  readonly themes: readonly string[];
}

function DealsPage(props: DealsProps) {
  const { request, typed, terms, deals } = props;
  const { page: _, ...asked } = typed.values;
  const confidence = shareText(Math.round(terms.share * 10_000));
  return (
    <Layout title="Deals" request={request}>
      <p>
        {`Offers at or below your max buy price at ${confidence} confidence and a margin of ` +
          `${shareText(terms.marginBasisPoints)}, sorted by profit per month. `}
        <a href="/account/buying">Buying settings</a>
      </p>
      <section class="card">
        <FilterForm {...props} />
      </section>
      <section class="card">
        {deals.rows.length === 0 ? <NoDeals {...props} /> : <DealTable {...props} />}
      </section>
      <Paging
        page={pageOf(request.query)}
        pageSize={pageSize}
        total={deals.total}
        to={(page) => withQuery('/deals', { ...asked, page })}
      />
      {deals.total > 0 && (
        <p>
          <a class="button plain" href={withQuery('/deals.csv', asked)} download>
            Export (CSV)
          </a>
        </p>
      )}
    </Layout>
  );
}

/** Whether anything was asked for. */
function isFiltered({ values }: Typed): boolean {
  return Object.entries(values).some(([name, value]) => name !== 'page' && value !== '');
}

/** Open where something has to be changed; otherwise deals come first, above all on a phone. */
function FilterForm({ deps, typed, terms, themes, deals }: DealsProps) {
  const { retailer_a: a, retailer_b: b } = deps.retailerNames;
  const amount = { typed, inputmode: 'decimal' as const };
  return (
    <details open={deals.total === 0}>
      <summary>Filters and buying terms</summary>
      <form class="stack" action="/deals">
        <div class="form-grid">
          <Choice
            name="retailer"
            label="Retailer"
            typed={typed}
            options={[
              ['', 'Any'],
              ['retailer_a', a],
              ['retailer_b', b],
            ]}
          />
          <Choice name="theme" label="Theme" typed={typed} options={themeOptions(typed, themes)} />
          <Choice
            name="status"
            label="Status"
            typed={typed}
            options={[
              ['', 'Any'],
              ['2', 'Available'],
              ['3', 'Retiring soon'],
              ['4', 'Retired'],
            ]}
          />
          <Choice
            name="tier"
            label="Data tier"
            typed={typed}
            value={usualFilters.minTier}
            options={[
              ['high', 'High'],
              ['medium', 'Medium or better'],
              ['low', 'Low or better'],
            ]}
          />
          <Field {...amount} name="min_profit" label="Min profit, $" />
          <Field {...amount} name="min_roi" label="Min ROI, %" />
          <Field {...amount} name="max_price" label="Max price, $" />
        </div>
        <div class="form-grid">
          <BuyTermsFields typed={typed} terms={terms} />
        </div>
        <div class="row">
          <button type="submit">Show deals</button>
          <a class="button plain" href="/deals">
            Reset
          </a>
        </div>
      </form>
    </details>
  );
}

/** An address may ask for any theme, also one that is gone. */
function themeOptions(
  { values }: Typed,
  themes: readonly string[],
): readonly (readonly [string, string])[] {
  const { theme = '' } = values;
  const isKnown = theme === '' || themes.includes(theme);
  const all = isKnown ? themes : [theme, ...themes];
  return [['', 'Any'], ...all.map((name) => [name, name] as const)];
}

function NoDeals({ typed, deals, request }: DealsProps) {
  if (deals.total > 0) {
    return (
      <p>
        {`There is no page ${pageOf(request.query)}. `}
        <a href={withQuery('/deals', { ...typed.values, page: '' })}>Go to the first page</a>
      </p>
    );
  }
  if (Object.keys(typed.faults).length > 0) return <p>Correct the fields marked above.</p>;
  return isFiltered(typed) ? (
    <p>
      No deals match. Lower the margin or the confidence, or <a href="/deals">reset all filters</a>.
    </p>
  ) : (
    <p>
      No deals right now: nothing in stock costs less than your max buy price. Lower the margin or
      the confidence, or include sets with a low data tier.
    </p>
  );
}

const numbers = ['Price', 'Max buy price', 'Net', 'Profit', 'Time to sell', 'Profit per month'];

function DealTable(props: DealsProps) {
  const { deals, typed } = props;
  // The same terms on the page of a set, where every line of the sum is shown.
  const asked = Object.fromEntries(termNames.map((name) => [name, typed.values[name] ?? '']));
  const termsQuery = withQuery('', asked);
  return (
    <div class="scroll">
      <table class="cards">
        <caption>{deals.total === 1 ? '1 deal' : `${countText(deals.total)} deals`}</caption>
        <TableHead columns={['Set', ...numbers]} numbers={numbers} />
        <tbody>
          {deals.rows.map((deal) => (
            <DealRow
              key={`${deal.setKey} ${deal.offer.retailer}`}
              deal={deal}
              termsQuery={termsQuery}
              {...props}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface DealRowProps extends Pick<DealsProps, 'request' | 'deps'> {
  readonly deal: Deal;
  readonly termsQuery: string;
}

function DealRow({ deal, termsQuery, request, deps }: DealRowProps) {
  const { offer, waitDays } = deal;
  return (
    <tr>
      <td data-name="Set">
        <div>
          <a href={`${itemPath('set', deal.setNumber)}${termsQuery}#pay`}>{deal.title}</a>
          <div class="quiet small">{`${deal.setNumber} · ${deal.theme}`}</div>
          {deal.warnings.map((warning) => (
            <div key={warning} class="small warning">
              {dealWarningTexts[warning]}
            </div>
          ))}
        </div>
      </td>
      <Amount name="Price" cents={offer.priceCents}>
        <ProductLink name={deps.retailerNames[offer.retailer]} url={offer.productUrl} />
        <br />
        {`seen ${agoText(request.at - offer.observedAt)}`}
      </Amount>
      <Amount name="Max buy price" cents={deal.maxBuyCents} />
      <Amount name="Net" cents={deal.medianNetCents}>
        {channelName(deal.channel)}
      </Amount>
      <td data-name="Profit" class="number">
        <div>
          <span class={signClass(deal.profitCents)}>{gainText(deal.profitCents)}</span>
          <div class="quiet small">{`${percentText(deal.roiPercent)} ROI`}</div>
        </div>
      </td>
      <td data-name="Time to sell" class="number">
        {waitText(waitDays)}
      </td>
      <Amount name="Profit per month" cents={deal.profitPerMonthCents} />
    </tr>
  );
}

/** An amount, and what goes with it below. */
function Amount(props: {
  readonly name: string;
  readonly cents: number | null;
  readonly children?: ComponentChildren;
}) {
  const { name, cents, children } = props;
  return (
    <td data-name={name} class="number">
      <div>
        {moneyText(cents)}
        {children && <div class="quiet small">{children}</div>}
      </div>
    </td>
  );
}
