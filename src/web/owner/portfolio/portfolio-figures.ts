/** The figures of a portfolio, for the pages Portfolio and Today. */

import { findEachItem } from '../../../catalog/items/find-each-item.ts';
import { itemKinds, refText } from '../../../catalog/items/numbers.ts';
import { yieldToEventLoop } from '../../../kernel/event-loop.ts';
import { dayOf } from '../../../kernel/time.ts';
import type { ListedItem } from '../../../market/published/published-records.ts';
import { totalOf, valueTier } from '../../../portfolio/lots/holdings.ts';
import {
  type PositionGroup,
  readPositions,
  stakesOf,
} from '../../../portfolio/returns/analytics.work.ts';
import {
  countGaps,
  estimatedShares,
  moversOf,
  type NamedGroup,
  themeShares,
} from '../../../portfolio/returns/breakdown.ts';
import { changeSince, type DayChange } from '../../../portfolio/returns/daily-change.work.ts';
import { FigureCache } from '../../../portfolio/returns/figure-cache.work.ts';
import {
  firstPurchase,
  performanceOf,
  withMonths,
} from '../../../portfolio/returns/performance.work.ts';
import { type Range, ranges, spanOf } from '../../../portfolio/returns/periods.ts';
import type { OwnRequest, WebDeps } from '../../page.ts';
import { readActivity } from './activity.tsx';
import { marksOf } from './portfolio-chart.tsx';

const moversShown = 5;

export type Portfolio = NonNullable<Awaited<ReturnType<typeof readPortfolio>>>;

/**
 * Finds the figures for the range in the address, with the changes since some days before today;
 * null if there are neither lots nor sales.
 */
export type FindPortfolio = (
  request: OwnRequest,
  changeDays?: readonly number[],
) => Promise<Portfolio | null>;

/**
 * Kept until the account's data, a publication or the day changes: after an edit, they take 30 to
 * 60 ms of CPU time for 5,000 lots, and over a second for 100,000.
 */
export function portfolioFigures(deps: WebDeps): FindPortfolio {
  // Their approximate size in memory, in characters; the daily sums take the most.
  const kept = new FigureCache<Portfolio | null>(deps, (portfolio) => {
    if (portfolio === null) return 0;
    const { performance, shares, marks, activity } = portfolio;
    return 50 * (performance.sums.length + shares.length + marks.length) + 250 * activity.length;
  });
  return ({ who: { accountId }, query, at, formats }, changeDays = []) => {
    const chosenRange = ranges.find((known) => known === query.get('range')) ?? '90d';
    const today = dayOf(at);
    const name = `${chosenRange} ${changeDays} ${formats.key}`;
    return kept.find({ accountId, name, day: today }, () =>
      readPortfolio(deps, accountId, { chosenRange, today, changeDays }),
    );
  };
}

interface FiguresQuestion {
  readonly chosenRange: Range;
  readonly today: number;
  readonly changeDays: readonly number[];
}

async function readPortfolio(
  deps: WebDeps,
  accountId: number,
  { chosenRange, today, changeDays }: FiguresQuestion,
) {
  const read = await readPositions(deps.portfolio, accountId, itemKinds);
  const sales = await deps.accounts.listSaleResults(accountId);
  await yieldToEventLoop();
  if (read.length === 0 && sales.length === 0) return null;
  const first = firstPurchase(read);
  // Without any purchase date, `all` has no first day.
  const offered = ranges.filter((each) => each !== 'all' || Number.isFinite(first));
  const range = offered.includes(chosenRange) ? chosenRange : '90d';
  const span = spanOf(range, today, first);
  const lines = await withMonths(deps.portfolio, read, span);
  const itemOf = await findEachItem(read, (kind, keys) =>
    deps.portfolio.market.findListedItems(kind, keys),
  );
  await yieldToEventLoop();
  const performance = await performanceOf(lines, sales, { range, span });
  const groups = lines.map((line) => namedGroup(line, itemOf(line)));
  const since = span.days[0] ?? today;
  await yieldToEventLoop();
  const movers = moversOf(groups, { since, today, count: moversShown });
  await yieldToEventLoop();
  const stakes = stakesOf(read);
  const changes: DayChange[] = [];
  for (const since of changeDays) {
    changes.push(await changeSince(deps.portfolio, read, { since, today }));
  }
  return {
    range,
    offered,
    total: totalOf(stakes),
    performance,
    shares: themeShares(groups),
    gaps: countGaps(groups),
    estimated: estimatedShares(groups),
    movers,
    marks: marksOf(groups, span),
    /** The items of the movers, by `refText`. */
    items: new Map(
      [...movers.best, ...movers.worst].flatMap((mover) => {
        const item = itemOf(mover);
        return item ? [[refText(mover), item] as const] : [];
      }),
    ),
    activity: await readActivity(deps, accountId, {
      today,
      heldKeys: stakes.flatMap(({ kind, key }) => (kind === 'set' ? key : [])),
    }),
    /** Whether there are lots, also if they are sold out. */
    hasLots: read.length > 0,
    /** Since each day of `changeDays`, in the same order. */
    changes,
  };
}

function namedGroup(line: PositionGroup, item: ListedItem | null): NamedGroup {
  const { kind, key, condition, share, history, positions } = line;
  const tier = valueTier(item, condition, share);
  return { kind, key, theme: item?.theme ?? '', history, tier, positions };
}
