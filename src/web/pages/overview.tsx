/** The overview: what the collection is worth, how it did, and what happened lately. */
import { type Analytics, analyticsOf, readPositions } from '../../accounts/analytics.ts';
import { type Performance, performanceOf } from '../../accounts/performance.ts';
import { readRetailWatch } from '../../accounts/retail-watch.ts';
import type { RetailRow } from '../../contract/retail.ts';
import type { ApiKey } from '../../domain/account/account-store.ts';
import { yieldToEventLoop } from '../../domain/kernel/event-loop.ts';
import { dayMs, parseInstant } from '../../domain/kernel/time.ts';
import { type Period, periods } from '../../domain/portfolio/periods.ts';
import type { WebDeps } from '../deps.ts';
import type { OwnRequest } from '../page-request.ts';
import type { PageAnswer } from '../respond.ts';
import type { PageRoute } from '../routes.ts';
import { OverviewPage } from './overview-view.tsx';

/** Price changes that are shown, and how old they may be. */
const changesShown = 5;
const changesMs = 30 * dayMs;

/** Everything that the overview shows. */
export interface Overview {
  readonly period: Period;
  readonly analytics: Analytics;
  readonly performance: Performance;
  readonly keys: readonly ApiKey[];
  /** Latest first. */
  readonly changes: readonly RetailChange[];
}

/** A price that changed at a retailer, of a set that is held. */
export interface RetailChange {
  readonly setNumber: string;
  readonly name: string;
  /** The retailer's display name. */
  readonly retailer: string;
  readonly at: number;
  /** In dollars, as documents write them; null when there is no offer now. */
  readonly price: number | null;
  readonly change: number;
  readonly isLowest: boolean;
  readonly paidCents: number | null;
}

/** The page that whoever signs in comes to. */
export function overviewRoutes(deps: WebDeps): readonly PageRoute[] {
  return [{ access: 'own', path: '/overview', get: (request) => showOverview(deps, request) }];
}

async function showOverview(deps: WebDeps, request: OwnRequest): Promise<PageAnswer> {
  const { who, at, query } = request;
  const period = periods.find((known) => known === query.get('period')) ?? '30d';
  const when = { period, at };
  const [lines, sales, changes, keys] = await Promise.all([
    readPositions(deps.portfolio, who.accountId),
    deps.accounts.listSaleResults(who.accountId),
    readChanges(deps, request),
    deps.accounts.listKeys(who.email, at),
  ]);
  await yieldToEventLoop();
  const analytics = await analyticsOf(deps.portfolio, lines, when);
  await yieldToEventLoop();
  const performance = performanceOf(lines, sales, when);
  const overview = { period, analytics, performance, changes, keys: keys ?? [] };
  return { page: <OverviewPage request={request} overview={overview} /> };
}

/** The latest changes are among the rows that changed last, two in each at most. */
async function readChanges(
  { portfolio, retailerNames }: WebDeps,
  { who, at }: OwnRequest,
): Promise<RetailChange[]> {
  const options = { changedSince: at - changesMs, asinKeys: null, barcodeKeys: null };
  const rows = (await readRetailWatch(portfolio, who.accountId, options)).slice(0, changesShown);
  const changes = rows.flatMap(({ record, paidCents }) => {
    const row: RetailRow = JSON.parse(record.body);
    return (['retailer_a', 'retailer_b'] as const).flatMap((retailer) => {
      const { changedAt, lastChange, price, atLowest } = row[retailer];
      const changed = changedAt === null ? null : parseInstant(changedAt);
      if (changed === null || lastChange === null || changed < options.changedSince) return [];
      return {
        setNumber: row.setNumber,
        name: row.name,
        retailer: retailerNames[retailer],
        at: changed,
        price,
        change: lastChange,
        isLowest: atLowest,
        paidCents,
      };
    });
  });
  return changes.sort((a, b) => b.at - a.at).slice(0, changesShown);
}
