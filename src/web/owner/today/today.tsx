/** Today: what happened since the last visit, and what to do about it. */

import { dayOf } from '../../../kernel/time.ts';
import { findSlowListings, type SlowListing } from '../../../portfolio/sales/slow-listings.work.ts';
import { Icon } from '../../kit/icons.tsx';
import { Layout } from '../../kit/layout.tsx';
import type { OwnRequest, WebDeps } from '../../page.ts';
import { routes } from '../../page-table.ts';
import { findOwnTables } from '../buying/own-tables.ts';
import { PortfolioCard } from '../portfolio/portfolio-card.tsx';
import type { FindPortfolio } from '../portfolio/portfolio-figures.ts';
import { Collection } from './collection-card.tsx';
import { DealsCard, readBestDeals } from './deals-card.tsx';
import { FiredAlerts, readUnseen } from './fired-alerts.tsx';
import { ListingsCard, listingsShown } from './listings-card.tsx';
import { Needs, readNeeds } from './needs-card.tsx';
import { SkippedToast } from './skip-deal.tsx';
import { FallenPrices, readFallen } from './watched-card.tsx';

/** Lots for sale that are looked at, those listed longest first. */
const listedMax = 200;

export function todayRoutes(findPortfolio: FindPortfolio) {
  return routes('own', {
    '/today': { get: (deps, request) => showToday(deps, request, findPortfolio) },
  });
}

async function showToday(deps: WebDeps, request: OwnRequest, findPortfolio: FindPortfolio) {
  const portfolio = await findPortfolio(request, changeDays(request));
  const [unseen, deals, needs, fallen, slow] = await Promise.all([
    readUnseen(deps, request),
    readBestDeals(deps, request),
    readNeeds(deps, request),
    readFallen(deps, request),
    readSlow(deps, request),
  ]);
  return (
    <Layout title="Today" request={request} actions={<ScanLink />}>
      <SkippedToast request={request} />
      <Collection portfolio={portfolio} request={request} />
      <Needs needs={needs} />
      <FiredAlerts unseen={unseen} request={request} />
      <DealsCard deals={deals} deps={deps} request={request} />
      <div class="grid halves brief">
        <FallenPrices fallen={fallen} names={deps.site.retailerNames} />
        <ListingsCard rows={slow} />
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

/** Yesterday, and the last visit if that was earlier. */
function changeDays({ who: { lastVisitAt }, at }: OwnRequest): number[] {
  const today = dayOf(at);
  const visited = lastVisitAt === null ? today : dayOf(lastVisitAt);
  return visited < today - 1 ? [today - 1, visited] : [today - 1];
}

async function readSlow(deps: WebDeps, request: OwnRequest): Promise<readonly SlowListing[]> {
  const { who, at } = request;
  const lots = await deps.accounts.listListed(who.accountId, listedMax);
  const tables = await findOwnTables(deps, request);
  const found = await findSlowListings(deps.market, lots, { tables, at });
  return found.slice(0, listingsShown);
}
