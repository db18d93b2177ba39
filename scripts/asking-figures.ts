/** The figures of docs/sources/planning.md, made from docs/backtest-sync.json. */
import type { AskingErrors, AskingRun } from '../src/valuation/backtest/sync-backtest.ts';
import { quantile } from '../src/valuation/quantile.ts';
import { type DocumentedAsking, type MeasuredAsking, tenth } from './backtest-sync.ts';
import { markdownTable, percent } from './figures.ts';

/** What can stand between markers. */
export const askingSections: Readonly<Record<string, (asking: DocumentedAsking) => string>> = {
  'asking-goals': goals,
  'asking-a-tenth': aTenth,
  'asking-by-calls': byCalls,
};

/** What was to be reached with a tenth of the calls, and in how many markets it was. */
const goal = { aboveEverything: 0.1, belowInTurn: 0.25 } as const;

function goals({ main, others }: DocumentedAsking): string {
  const markets = [main, ...others];
  const row = (of: keyof AskingErrors, words: string) => {
    const errors = markets.map((market) => errorsOf(market, tenth, of));
    const above = errors.map(({ planned, everything }) => planned / everything - 1);
    const below = errors.map(({ planned, inTurn }) => 1 - planned / inTurn);
    const possible = errors.map(({ everything, inTurn }) => 1 - everything / inTurn);
    const count = (values: readonly number[], isReached: (value: number) => boolean) =>
      `${values.filter(isReached).length} of ${markets.length}`;
    const isBelow = (value: number) => value >= goal.belowInTurn;
    return [
      words,
      spreadOf(above),
      count(above, (value) => value <= goal.aboveEverything),
      spreadOf(below),
      count(below, isBelow),
      count(possible, isBelow),
    ];
  };
  return markdownTable(
    [
      'planned, a tenth of the calls',
      'above full refresh',
      'at most 10% above',
      'below round robin',
      'at least 25% below',
      'full refresh is 25% below round robin',
    ],
    [row('filling', 'first 10 days'), row('settled', 'after a month')],
  );
}

/** The median, and from where to where. */
function spreadOf(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b);
  return `${percent(quantile(sorted, 0.5))} (${percent(sorted[0])} to ${percent(sorted.at(-1))})`;
}

/** Every market with a tenth of the calls. */
function aTenth({ main, others }: DocumentedAsking): string {
  const cells = (market: MeasuredAsking, of: keyof AskingErrors) => {
    const { everything, planned, inTurn } = errorsOf(market, tenth, of);
    return [
      percent(everything),
      `${percent(planned)} (${ratio(planned, everything)})`,
      `${percent(inTurn)} (${ratio(inTurn, everything)})`,
      `${percent(1 - planned / inTurn)}`,
    ];
  };
  return markdownTable(
    [
      'market',
      'first 10 days: full refresh',
      'planned',
      'round robin',
      'planned below round robin',
      'after a month: full refresh',
      'planned',
      'round robin',
      'planned below round robin',
    ],
    [main, ...others].map((market) => [
      `${market.world}, seed ${market.seed}`,
      ...cells(market, 'filling'),
      ...cells(market, 'settled'),
    ]),
  );
}

/** One market with every budget. */
function byCalls({ main }: DocumentedAsking): string {
  const shares = [...new Set(main.runs.map(({ share }) => share))].sort((a, b) => a - b);
  return markdownTable(
    [
      'calls',
      'first 10 days: planned',
      'round robin',
      'after a month: planned',
      'round robin',
      'equal weights: planned',
      'round robin',
    ],
    shares.map((share) => [
      percent(share, share < 0.01 ? 1 : 0),
      ...(['filling', 'settled', 'unweighted'] as const).flatMap((of) => {
        const { planned, inTurn } = errorsOf(main, share, of);
        return [percent(planned), percent(inTurn)];
      }),
    ]),
  );
}

/** With enough calls for all items, both strategies are a full refresh. */
function errorsOf({ runs }: MeasuredAsking, share: number, of: keyof AskingErrors) {
  const error = (isIt: (run: AskingRun) => boolean) => runs.find(isIt)?.[of] ?? Number.NaN;
  const everything = error(({ way }) => way === 'everything');
  const with_ = (way: AskingRun['way']) =>
    share === 1 ? everything : error((run) => run.way === way && run.share === share);
  return { everything, planned: with_('planned'), inTurn: with_('in turn') };
}

function ratio(error: number, everything: number): string {
  return `× ${(error / everything).toFixed(2)}`;
}
