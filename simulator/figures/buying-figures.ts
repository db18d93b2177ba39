/** The figures about max buy prices in docs/valuation.md, from docs/backtest-buying.json. */
import type { ClearingCell } from '../backtest/buying-backtest.ts';
import { goalsTable, markdownTable, percent } from './markdown.ts';
import type { BuyingMeasurements } from './measure.ts';

/** By the names of their markers. */
export const buyingSections: Readonly<Record<string, (markets: BuyingMeasurements) => string>> = {
  clearing: (markets) => clearing(mainOf(markets), 'clearing'),
  'clearing-later': (markets) => clearing(mainOf(markets), 'clearingLater'),
  waits,
  boxes,
  'buying-goals': goalsTable,
};

function mainOf([main]: BuyingMeasurements): BuyingMeasurements[number] {
  if (!main) throw new Error('docs/backtest-buying.json is empty.');
  return main;
}

const channelNames: Readonly<Record<ClearingCell['channel'], string>> = {
  ebay: 'eBay',
  bricklink: 'BrickLink',
  amazon: 'Amazon',
};

function clearing(main: BuyingMeasurements[number], which: 'clearing' | 'clearingLater'): string {
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

function waits(markets: BuyingMeasurements): string {
  return markdownTable(
    ['predicted', 'times to sell', 'not sold', 'median predicted', 'median observed'],
    mainOf(markets).waits.map(({ from, to, ...bucket }) => [
      to === null ? `${from} days and more` : `${from} to ${to} days`,
      bucket.waits.toLocaleString('en'),
      percent(bucket.unsold, 0),
      `${bucket.predictedDays.toFixed(1)} days`,
      // Infinity is null in JSON.
      bucket.seenDays === null ? 'unknown' : `${bucket.seenDays.toFixed(1)} days`,
    ]),
  );
}

function boxes(markets: BuyingMeasurements): string {
  return markdownTable(
    ['items in the box', 'contents', 'boxes', 'in range', 'below', 'above', 'over the median'],
    mainOf(markets).boxes.map(({ items, contents, inside, below, above, bias, ...report }) => [
      String(items),
      contents,
      report.boxes.toLocaleString('en'),
      ...[inside, below, above, bias].map((share) => percent(share)),
    ]),
  );
}
