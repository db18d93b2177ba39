/** The page of a set: facts for everyone, values for users who are signed in. */

import { type BestOffer, bestOffer } from '../../buying/deals/best-offer.ts';
import type { FoundWays } from '../../buying/ways/find-ways.work.ts';
import type { ItemClass } from '../../catalog/items/item-class.ts';
import { itemKey } from '../../catalog/items/numbers.ts';
import { statusName } from '../../catalog/items/status.ts';
import type { MinifigSearchResult } from '../../contract/catalog.ts';
import type { SetRecord } from '../../contract/set.ts';
import { toCentsOrNull } from '../../kernel/money.ts';
import type { SetDetails } from '../../market/published/published-records.ts';
import type { HistoryQuery } from '../../market/retail/retail-history.ts';
import { readEffects } from '../../portfolio/returns/grade-effects.work.ts';
import { itemPath, themePath, withQuery } from '../kit/address.ts';
import { ButtonLink } from '../kit/buttons.tsx';
import { Card, Facts } from '../kit/card.tsx';
import { statusOf, untyped } from '../kit/fields.tsx';
import { countText, dayText, moneyText, usdText } from '../kit/format.ts';
import { Layout } from '../kit/layout.tsx';
import type { RangeMark } from '../kit/range-bar.tsx';
import { readWatching, WatchButton, type Watching } from '../owner/watchlist/watch-item.tsx';
import type { PageAnswer, PageRequest, WebDeps } from '../page.ts';
import { routes } from '../page-table.ts';
import { AlsoLinks, ItemLinks, type LinkedItem, missingItem, setCard } from './item-cards.tsx';
import { ItemChartCard, tradesMax } from './item-chart.tsx';
import { type Comparison, readComparison } from './item-compare.tsx';
import { ItemHead, SignInCard } from './item-head.tsx';
import { InventoryCard } from './item-inventory.tsx';
import { maxBuyFigure, type Pay, PayCard, readPay } from './item-pay.tsx';
import { RetailCard, retailPast } from './item-retail.tsx';
import { ValueBlock } from './item-value.tsx';
import { readWays, WaysCard } from './item-ways.tsx';
import { conditionOf, setWorth, type Worth } from './item-worth.ts';

export const setRoutes = routes('open', { '/sets/{number}': { get: showSet } });

async function showSet(deps: WebDeps, request: PageRequest): Promise<PageAnswer> {
  const number = request.params.number ?? '';
  const key = itemKey('set', number);
  const body = await deps.cache.findDocument('set', key);
  if (body === null) {
    return missingItem(request, { kind: 'set', number, variants: await findVariants(deps, key) });
  }
  const set: SetRecord = JSON.parse(body);
  // `75192-1` redirects to `75192`.
  if (set.set_number !== number) return { goTo: itemPath('set', set.set_number) };
  deps.cache.noteLookUp('set', key);
  const { market } = deps;
  const condition = conditionOf('set', request.query);
  const [details, variants, figs, own, pay, [ways], watching, comparison] = await Promise.all([
    market.findSetDetails(key),
    findVariants(deps, key),
    market.findSearchRows(
      'minifig',
      set.minifigs.map((fig) => itemKey('minifig', fig)),
    ),
    request.who ? readOwn(deps, set, request.who.accountId) : null,
    readPay(deps, request, { kind: 'set', number }),
    readWays(deps, request, [{ number, condition }]),
    readWatching(deps, request, { kind: 'set', number }),
    readComparison(deps, request, { kind: 'set', number, theme: set.theme }),
  ]);
  const minifigs = figs.map((row): MinifigSearchResult => JSON.parse(row));
  const shown = { set, details, variants, minifigs, own, pay, ways, watching, comparison };
  return {
    page: <SetPage request={request} deps={deps} {...shown} />,
    status: Math.max(statusOf(pay?.typed ?? untyped), statusOf(comparison.typed)),
  };
}

async function findVariants({ market }: WebDeps, key: string): Promise<LinkedItem[]> {
  return (await market.listVariants(key)).map(setCard);
}

/** Only for users who are signed in. */
type Own = Awaited<ReturnType<typeof readOwn>>;

/** The maximum number of price changes and of lots that are read. */
const changesMax = 200;
const lotsMax = 1_000;

function latestChanges(at: number): HistoryQuery {
  return { retailer: null, from: null, to: null, after: null, limit: changesMax, at };
}

async function readOwn(deps: WebDeps, set: SetRecord, accountId: number) {
  const { market, accounts } = deps;
  const key = itemKey('set', set.set_number);
  const [sealed, used, restatements, evidence, retail, months, histories, lots, trades] =
    await Promise.all([
      market.findSeries(key, 'sealed'),
      market.findSeries(key, 'used'),
      market.listRestatements(),
      market.findEvidence('set', key),
      market.findRetail({ setKey: key }),
      market.findRetailMonths(key),
      market.findRetailHistories([key], latestChanges(deps.clock())),
      accounts.listLotsOfItem(accountId, { kind: 'set', key }, lotsMax),
      accounts.listItemTrades(accountId, { kind: 'set', keys: [key] }, tradesMax),
    ]);
  const worth = (condition: Worth['condition']) =>
    setWorth(set, condition, evidence?.evidence ?? null);
  return {
    history: {
      series: { sealed: sealed?.series ?? null, used: used?.series ?? null },
      early: { sealed: [], used: [] },
      restatements,
      now: { sealed: worth('sealed'), used: worth('used') },
    },
    evidence,
    retail: retail && {
      row: JSON.parse(retail.body),
      months,
      changes: histories.get(key)?.changes ?? [],
    },
    lots,
    trades,
    effects: await readEffects(deps.portfolio.market, lots),
  };
}

interface SetPageProps {
  readonly request: PageRequest;
  readonly set: SetRecord;
  readonly details: SetDetails | null;
  readonly variants: readonly LinkedItem[];
  readonly minifigs: readonly MinifigSearchResult[];
  readonly own: Own | null;
  readonly pay: Pay | null;
  readonly ways: FoundWays | null | undefined;
  readonly watching: Watching | null;
  readonly comparison: Comparison;
  readonly deps: WebDeps;
}

function SetPage(props: SetPageProps) {
  const { request, set, details, variants, minifigs, own, pay, ways, deps } = props;
  const names = new Map(minifigs.map((fig) => [fig.minifig_number, fig.name]));
  return (
    <Layout title={`${set.set_number} ${set.title}`} request={request} hasOwnTitle>
      <ItemHead
        kind="set"
        number={set.set_number}
        name={set.title}
        about={[
          <a href={themePath(set.theme)}>{set.theme}</a>,
          details?.year ?? null,
          statusName(set.status_id),
        ]}
      >
        {own ? <OwnHead {...props} own={own} /> : <SignInCard request={request} />}
        <AlsoLinks variants={variants} />
      </ItemHead>
      {own && <SetChart {...props} own={own} />}
      {own && <RetailCard retail={own.retail} set={set} names={deps.site.retailerNames} />}
      {own && <PayCard pay={pay} />}
      {own && <WaysCard found={ways ?? null} condition={conditionOf('set', request.query)} />}
      {own && <InventoryCard {...own} kind="set" number={set.set_number} now={own.history.now} />}
      <Card title="Facts">
        <SetFacts set={set} details={details} />
      </Card>
      <ItemLinks
        title="Minifigs in this set"
        kind="minifig"
        items={set.minifigs.map((number) => ({
          number,
          name: names.get(number) ?? number,
          isUnknown: !names.has(number),
        }))}
      />
    </Layout>
  );
}

function OwnHead({ request, set, own, pay, watching, deps }: SetPageProps & { readonly own: Own }) {
  const condition = conditionOf('set', request.query);
  const offer = own.retail && bestOffer(own.retail.row);
  const listCents = toCentsOrNull(set.msrp_usd);
  return (
    <ValueBlock
      request={request}
      worth={own.history.now[condition]}
      found={own.evidence}
      marks={condition === 'sealed' ? marksOf(listCents, offer) : []}
      figures={[
        listCents !== null && ['List price', moneyText(listCents)],
        offer && [
          'Best retail offer',
          moneyText(offer.priceCents),
          deps.site.retailerNames[offer.retailer],
        ],
        maxBuyFigure(pay),
      ]}
    >
      <div class="row">
        <ButtonLink href={withQuery('/inventory/add', { set: set.set_number })}>
          Add to inventory
        </ButtonLink>
        <WatchButton watching={watching} />
      </div>
    </ValueBlock>
  );
}

function SetChart(props: SetPageProps & { readonly own: Own }) {
  const { request, set, own, pay, comparison, deps } = props;
  const past = {
    history: own.history,
    condition: conditionOf('set', request.query),
    retail: own.retail ? retailPast(own.retail, deps.site.retailerNames, request.at) : [],
    listCents: toCentsOrNull(set.msrp_usd),
    maxBuyCents: pay?.answer.maxBuyCents ?? null,
    trades: own.trades,
  };
  return <ItemChartCard request={request} past={past} comparison={comparison} />;
}

/** The best offer and the list price; only the offer if they are almost the same. */
function marksOf(listCents: number | null, offer: BestOffer | null): RangeMark[] {
  const best = offer && { cents: offer.priceCents, name: 'Best offer' };
  const list = listCents !== null && { cents: listCents, name: 'List price' };
  const isOne = best && list && Math.abs(Math.log(best.cents / list.cents)) < 0.1;
  return [best, !isOne && list].filter((mark) => mark !== false && mark !== null);
}

/** The names of item classes; null for ordinary sets. */
const classNames: Readonly<Record<ItemClass, string | null>> = {
  set: null,
  polybag: 'Polybag',
  promotional: 'Promotional item',
  sample: 'Sample',
  gear: 'Gear',
  book: 'Book',
};

function SetFacts({ set, details }: Pick<SetPageProps, 'set' | 'details'>) {
  const { box, pieces } = set;
  const sides = [box.width_in, box.height_in, box.depth_in];
  const isKnown = sides.every((side) => side !== null);
  const size = isKnown ? `${sides.map(countText).join(' × ')} in` : null;
  const weight = box.weight_lbs === null ? null : `${countText(box.weight_lbs)} lb`;
  return (
    <Facts
      isGrid
      facts={[
        ['Type', details?.itemClass ? classNames[details.itemClass] : null],
        ['Subtheme', set.subtheme],
        ['Pieces', pieces === null ? null : countText(pieces)],
        ['Minifigs', minifigsText(set, details)],
        ['Released', set.release_date && dayText(set.release_date)],
        ['Retired', set.retire_date && dayText(set.retire_date)],
        ['List price', set.msrp_usd === null ? null : usdText(set.msrp_usd)],
        ['Box', [size, weight].filter((part) => part !== null).join(', ')],
        ['UPC', set.barcodes.upc],
        ['EAN', set.barcodes.ean],
      ]}
    />
  );
}

/** The API has 0 if the number is unknown, as its contract requires. */
function minifigsText({ minifigs_count }: SetRecord, details: SetDetails | null): string {
  const isKnown = minifigs_count > 0 || details?.minifigsCount === 0;
  return isKnown ? countText(minifigs_count) : 'Unknown';
}
