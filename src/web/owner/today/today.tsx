/** Today: what happened since the last visit, and what to do about it. */
import { type CollectionChange, readChanges } from '../../../accounts/daily-change.ts';
import { FigureCache } from '../../../accounts/figure-cache.ts';
import { findSlowListings, type SlowListing } from '../../../buying/slow-listings.ts';
import { dayOf } from '../../../domain/kernel/time.ts';
import type { WebDeps } from '../../deps.ts';
import { Icon } from '../../kit/icons.tsx';
import { Layout } from '../../kit/layout.tsx';
import type { OwnRequest, PageAnswer } from '../../page.ts';
import { routes } from '../../page-table.ts';
import { findOwnTables } from '../buying/own-tables.ts';
import { PortfolioCard } from '../portfolio/portfolio-card.tsx';
import type { FindPortfolio, Portfolio } from '../portfolio/portfolio-figures.ts';
import { Collection } from './collection-card.tsx';
import { DealsCard, readBestDeals } from './deals-card.tsx';
import { FiredAlerts, readUnseen } from './fired-alerts.tsx';
import { ListingsCard, listingsShown } from './listings-card.tsx';
import { Needs, readNeeds } from './needs-card.tsx';
import { SkippedToast } from './skip-deal.tsx';
import { type Fallen, FallenPrices, readFallen } from './watched-card.tsx';

/** Lots for sale that are looked at, those listed longest first. */
const listedMax = 200;

/** Slow parts, cached until the account's lots and lists or the market change. */
interface TodayFigures {
  readonly change: CollectionChange | null;
  readonly slow: readonly SlowListing[];
  readonly fallen: Fallen;
}

export function todayRoutes(deps: WebDeps, findPortfolio: FindPortfolio) {
  const kept = new FigureCache<TodayFigures>(deps, roomOf);
  return routes('own', {
    '/today': {
      get: async (_, request) =>
        showToday(deps, request, {
          figures: await findFigures(deps, kept, request),
          portfolio: await findPortfolio(request),
        }),
    },
  });
}

/** The approximate size in memory, in characters. */
function roomOf({ slow, fallen }: TodayFigures): number {
  return 200 + 1_000 * slow.length + 200 * fallen.prices.length;
}

async function showToday(
  deps: WebDeps,
  request: OwnRequest,
  { figures, portfolio }: { readonly figures: TodayFigures; readonly portfolio: Portfolio | null },
): Promise<PageAnswer> {
  const [unseen, deals, needs] = await Promise.all([
    readUnseen(deps, request),
    readBestDeals(deps, request),
    readNeeds(deps, request),
  ]);
  return (
    <Layout title="Today" request={request} actions={<ScanLink />}>
      <SkippedToast request={request} />
      <Collection change={figures.change} request={request} />
      <Needs needs={needs} />
      <FiredAlerts unseen={unseen} request={request} />
      <DealsCard deals={deals} deps={deps} request={request} />
      <div class="grid halves brief">
        <FallenPrices fallen={figures.fallen} names={deps.site.retailerNames} />
        <ListingsCard rows={figures.slow} />
      </div>
      {portfolio && <PortfolioCard request={request} portfolio={portfolio} />}
    </Layout>
  );
}

/** For phones: elsewhere, the search in the bar has one. */
function ScanLink() {
  return (
    <a class="button plain phone-only" href="/scan">
      <Icon name="scan" />
      Scan
    </a>
  );
}

function findFigures(
  deps: WebDeps,
  kept: FigureCache<TodayFigures>,
  request: OwnRequest,
): Promise<TodayFigures> {
  const { accountId, lastVisitAt } = request.who;
  const today = dayOf(request.at);
  const visited = lastVisitAt === null ? today : dayOf(lastVisitAt);
  // Since yesterday, and since the last visit if that was earlier.
  const days = visited < today - 1 ? [today - 1, visited] : [today - 1];
  return kept.find({ accountId, name: days.join(' '), day: today }, async () => ({
    change: await readChanges(deps.portfolio, accountId, { today, days }),
    slow: await readSlow(deps, request),
    fallen: await readFallen(deps, accountId, today),
  }));
}

async function readSlow(deps: WebDeps, request: OwnRequest): Promise<readonly SlowListing[]> {
  const { who, at } = request;
  const lots = await deps.accounts.listListed(who.accountId, listedMax);
  const tables = await findOwnTables(deps, request);
  const found = await findSlowListings(deps.market, lots, { tables, at });
  return found.slice(0, listingsShown);
}
