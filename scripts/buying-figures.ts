/** The figures of max buy prices in docs/valuation.md, made from docs/backtest-buying.json. */
import type { ClearingCell } from '../src/valuation/backtest/buying-backtest.ts';
import type { DocumentedBuying } from './backtest-buying.ts';
import { goalsTable, markdownTable, percent } from './figures.ts';

/** What can stand between markers. */
export const buyingSections: Readonly<Record<string, (markets: DocumentedBuying) => string>> = {
  clearing: (markets) => clearing(mainOf(markets), 'clearing'),
  'clearing-later': (markets) => clearing(mainOf(markets), 'clearingLater'),
  waits,
  boxes,
  'buying-goals': goalsTable,
};

function mainOf([main]: DocumentedBuying): DocumentedBuying[number] {
  if (!main) throw new Error('Nothing was measured of the buy side.');
  return main;
}

const channelNames: Readonly<Record<ClearingCell['channel'], string>> = {
  ebay: 'eBay',
  bricklink: 'BrickLink',
  amazon: 'Amazon',
};

function clearing(main: DocumentedBuying[number], which: 'clearing' | 'clearingLater'): string {
  return markdownTable(
    ['tier', 'channel', 'resales', ...main.shares.map((share) => `at ${percent(share, 0)}`)],
    main[which].map(({ tier, channel, resales, cleared }) => [
      tier,
      channelNames[channel],
      resales.toLocaleString('en'),
      ...cleared.map((share) => percent(share)),
    ]),
  );
}

function waits(markets: DocumentedBuying): string {
  return markdownTable(
    ['predicted', 'times to sell', 'not sold', 'median predicted', 'median observed'],
    mainOf(markets).waits.map(({ from, to, ...bucket }) => [
      to === null ? `${from} days and more` : `${from} to ${to} days`,
      bucket.waits.toLocaleString('en'),
      percent(bucket.unsold, 0),
      `${bucket.predictedDays.toFixed(1)} days`,
      // What is infinite is null in JSON.
      bucket.seenDays === null ? 'unknown' : `${bucket.seenDays.toFixed(1)} days`,
    ]),
  );
}

function boxes(markets: DocumentedBuying): string {
  return markdownTable(
    ['items in the box', 'boxes', 'in range', 'below', 'above', 'brought over the median'],
    mainOf(markets).boxes.map(({ items, inside, below, above, bias, ...report }) => [
      String(items),
      report.boxes.toLocaleString('en'),
      ...[inside, below, above, bias].map((share) => percent(share)),
    ]),
  );
}
