/** Formats backtest reports as text tables. */

import { table } from '../../src/cli/table.ts';
import { nounText } from '../../src/kernel/format.ts';
import type { Attack, AttackResult, ChangeResult } from './attacks.ts';
import type { BacktestReport } from './backtest.ts';
import type { FakesReport, FallResult } from './falls.ts';
import type { Goal, MeasuredBuying } from './goals.ts';

export function presentBacktest(
  report: BacktestReport,
  made: { readonly world: string; readonly seed: number; readonly sets: number },
): string {
  return [
    `World ${made.world}, seed ${made.seed}, ${made.sets} sets, five years; ${report.scored} ` +
      'sales scored, the first of each month.\nErrors are medians; tables are in percent.',
    methodsTable(report),
    `Even the true value is off by ${percent(report.noiseFloor)} on the next sale, because sale ` +
      'prices vary.',
    comparison(report),
    slicesTable(report),
    coldStartTable(report),
    horizonsTable(report),
    probesText(report),
    goalsTable(report.goals),
  ].join('\n\n');
}

export function presentBuying(
  { shares, clearing, clearingLater, clearingMoving, waits, boxes, goals }: MeasuredBuying,
  made: { readonly world: string; readonly seed: number; readonly sets: number },
): string {
  const columns = ['resales', ...shares.map((share) => `at ${percent(share, 0)}`)];
  const cells = (of: typeof clearing) =>
    table(
      ['tier', 'channel', ...columns],
      of.map(({ tier, channel, resales, cleared }) => [
        tier,
        channel,
        resales,
        ...cleared.map((share) => percent(share)),
      ]),
    );
  return [
    `World ${made.world}, seed ${made.seed}, ${made.sets} sets, five years.`,
    `Resales that clear at max buy price, sold right away:\n${cells(clearing)}`,
    `The same, sold with the next sale in the channel:\n${cells(clearingLater)}`,
    ...(clearingMoving.length === 0
      ? []
      : [
          'Sold right away, by days since the price began to fall, or jumped:\n' +
            table(
              ['days', ...columns],
              clearingMoving.map(({ from, to, resales, cleared }) => [
                to === null ? `${from} and more` : `${from} to ${to}`,
                resales,
                ...cleared.map((share) => percent(share)),
              ]),
            ),
        ]),
    table(
      ['predicted wait', 'waits', 'unsold', 'predicted', 'seen'],
      waits.map(({ from, to, ...bucket }) => [
        to === null ? `${from} days and more` : `${from} to ${to} days`,
        bucket.waits,
        percent(bucket.unsold, 0),
        bucket.predictedDays.toFixed(1),
        Number.isFinite(bucket.seenDays) ? bucket.seenDays.toFixed(1) : '–',
      ]),
    ),
    table(
      ['items in a box', 'contents', 'boxes', 'in range', 'below', 'above', 'bias'],
      boxes.map(({ items, contents, inside, below, above, bias, ...report }) => [
        items,
        contents,
        report.boxes,
        ...[inside, below, above, bias].map((share) => percent(share)),
      ]),
    ),
    goalsTable(goals),
  ].join('\n\n');
}

export function presentAttacks(report: FakesReport, seed: number): string {
  const { attacks, changes, falls } = report;
  const rates = [...new Set(attacks.map(({ salesPerMonth }) => salesPerMonth))];
  const perMonth = rates.map((rate) => `${rate} a month`);
  const byAttack = [...Map.groupBy(attacks, attackText)];
  const attackTable = (of: (found: AttackResult) => string) =>
    table(
      ['fake sales', 'cost', ...perMonth],
      byAttack.map(([name, found]) => [name, costText(found), ...found.map(of)]),
    );
  return [
    `A set worth $100 that sells ${rates.join(', ')} times a month, seed ${seed}. The cost of ` +
      'fakes is what eBay charges for them.',
    `Largest move of the value, median:\n${attackTable((found) => percent(found.largestMove, 0))}`,
    'Days after the last fake until the value stays within 10%, median and largest:\n' +
      attackTable(({ backDays, backDaysMax }) => `${Math.round(backDays)}, ${backDaysMax}`),
    'Sets that became a deal at the honest price without a warning, sets that were more than 25% ' +
      'too high without one, and sets with tier high while more than 10% off:\n' +
      attackTable(({ unwarnedDeals, unwarned, high }) =>
        [unwarnedDeals, unwarned, high].map((share) => percent(share, 0)).join(', '),
      ),
    washTable(report),
    poisonTable(report),
    'Honest changes: sales and days from the start until the value is within 10% of the price, ' +
      'sales until then or until it is in doubt, those of the median of 90 days in parentheses, ' +
      'and the average error over 180 days, medians:\n' +
      table(
        ['change', ...perMonth],
        [...Map.groupBy(changes, ({ name }) => name)].map(([name, found]) => [
          name,
          ...found.map(changeText),
        ]),
      ),
    'Fads that crash: the average error while the price falls and in the 90 days after, of the ' +
      'value and of the medians of 90 days and of 5 sales:\n' +
      table(
        ['fall', ...perMonth, 'average'],
        [...Map.groupBy(falls, ({ name, condition }) => `${name}, ${condition}`)].map(
          ([name, found]) => [name, ...found.map(fallText), fallText(averageFall(found))],
        ),
      ),
    honestTable(report),
  ].join('\n\n');
}

function washTable({ washSales }: FakesReport): string {
  return (
    'Twelve sales by 1 seller at the honest price, 60 days: sets with tier high and days until a ' +
    'unit sells at eBay, without them and with them:\n' +
    table(
      ['sales a month', 'high', 'with them', 'days', 'with them'],
      washSales.map(({ salesPerMonth, highBefore, high, waitBefore, wait }) => [
        salesPerMonth,
        percent(highBefore, 0),
        percent(high, 0),
        waitBefore.toFixed(0),
        wait.toFixed(0),
      ]),
    )
  );
}

function poisonTable({ poisoning }: FakesReport): string {
  return (
    'Fake sales by 1 seller that teach wrong parameters, and how far they move others:\n' +
    table(
      ['fake sales', 'move'],
      poisoning.map(({ name, move }) => [name, percent(move)]),
    )
  );
}

function honestTable({ honest }: FakesReport): string {
  return (
    'Markets without fakes, nothing learned: median error against the true value, values with ' +
    'tier high, and values in doubt:\n' +
    table(
      ['world', 'known sales', 'error', 'high', 'in doubt'],
      honest.map(({ world, isBrickLinkAlone, error, high, inDoubt }) => [
        world,
        isBrickLinkAlone ? 'BrickLink alone, no seller names' : 'all',
        percent(error, 2),
        percent(high, 2),
        percent(inDoubt, 2),
      ]),
    )
  );
}

function changeText({ followed, told, medianFollowed, error }: ChangeResult): string {
  const text = ({ sales, days }: typeof followed) => `${sales} in ${days.toFixed(0)} days`;
  return `${text(followed)}, ${told.sales} (${text(medianFollowed)}), ${percent(error, 0)}`;
}

type FallErrors = Pick<FallResult, 'error' | 'medianOf90Days' | 'medianOf5Sales'>;

function fallText({ error, medianOf90Days, medianOf5Sales }: FallErrors): string {
  return [error, medianOf90Days, medianOf5Sales].map((share) => percent(share)).join(', ');
}

function averageFall(falls: readonly FallErrors[]): FallErrors {
  const average = (of: keyof FallErrors) =>
    falls.reduce((sum, fall) => sum + fall[of], 0) / falls.length;
  return {
    error: average('error'),
    medianOf90Days: average('medianOf90Days'),
    medianOf5Sales: average('medianOf5Sales'),
  };
}

/** In whole dollars; the same at each rate of sale, but for the spread of prices. */
function costText(found: readonly AttackResult[]): string {
  return `$${Math.round((found[0]?.costCents ?? 0) / 100)}`;
}

function attackText(attack: Attack): string {
  const { sellers, fakes, factor, days, unitsPerSale, isUnnamed, fellDaysAgo } = attack;
  const units = unitsPerSale > 1 ? `, ${unitsPerSale} units each` : '';
  const unnamed = attack.isMarketUnnamed ? ', unnamed like all' : ', unnamed';
  const fell = fellDaysAgo === null ? '' : `, ${fellDaysAgo} days after a fall by half`;
  return (
    `${nounText(fakes, 'sale')} by ${nounText(sellers, 'seller')} ` +
    `${attack.isRising ? 'rising to' : 'at'} ${factor} times, ` +
    `${nounText(days, 'day')}${units}${isUnnamed ? unnamed : ''}${fell}`
  );
}

const percent = (share: number | null | undefined, places = 1) =>
  share === null || share === undefined || Number.isNaN(share)
    ? '–'
    : `${(100 * share).toFixed(places)}%`;

/** Percentages without the sign, for tables of percentages. */
const bare = (share: number | null | undefined, places = 1) =>
  percent(share, places).replace('%', '');

const decimal = (value: number | undefined) =>
  value === undefined || Number.isNaN(value) ? '–' : value.toFixed(3);

function methodsTable({ methods }: BacktestReport): string {
  return table(
    [
      'method',
      'next sale',
      '(9 in 10)',
      '≤10',
      '≤20',
      'p90',
      'bias',
      '30 d',
      'truth',
      '≤10',
      'in range',
      'width',
      'Winkler',
    ],
    methods.map(({ name, accuracy, saleErrorInterval: { low, high } }) => [
      name,
      bare(accuracy.saleError),
      `${(100 * low).toFixed(1)}–${(100 * high).toFixed(1)}`,
      bare(accuracy.within10, 0),
      bare(accuracy.within20, 0),
      bare(accuracy.saleErrorP90, 0),
      bare(accuracy.bias),
      bare(accuracy.nextError),
      bare(accuracy.trueError),
      bare(accuracy.trueWithin10, 0),
      bare(accuracy.range?.coverage),
      accuracy.range ? `×${accuracy.range.width.toFixed(2)}` : '–',
      decimal(accuracy.range?.winkler),
    ]),
  );
}

function comparison({ best, bestHelped, methods }: BacktestReport): string {
  const of = (what: string, { name, ratio, ratioInterval: { low, high } }: typeof best.sale) =>
    `${what} is '${name}':\n` +
    `  the engine's error is ${decimal(ratio)} times as large ` +
    `(${decimal(low)} to ${decimal(high)}).`;
  const simple = methods.find(({ name }) => name === best.sale.name)?.saleWeighted;
  const engine = methods.at(-1)?.saleWeighted;
  return [
    of('The best simple method against the next sale', best.sale),
    of('The best simple method against the true value', best.truth),
    of('The best assisted method against the next sale', bestHelped.sale),
    of('The best assisted method against the true value', bestHelped.truth),
    'Assisted methods use the channel offsets, or the prior, that the engine has learned.',
    'Weighted by sales, the engine and the best simple method are off by ' +
      `${percent(engine?.saleError)} and ${percent(simple?.saleError)}\n  ` +
      `(true value: ${percent(engine?.trueError)} and ${percent(simple?.trueError)}); ` +
      `${percent(engine?.coverage)} are in range.`,
  ].join('\n');
}

function slicesTable({ slices }: BacktestReport): string {
  return table(
    [
      'by',
      'part',
      'scored',
      'floor',
      'next sale',
      '(simple)',
      'truth',
      '(simple)',
      'bias',
      'in range',
      'width',
    ],
    slices.map(({ by, part, noiseFloor, engine, simple }, index) => [
      by === slices[index - 1]?.by ? '' : (shortNames[by] ?? by),
      part,
      engine.count,
      bare(noiseFloor),
      bare(engine.saleError),
      bare(simple.saleError),
      bare(engine.trueError),
      bare(simple.trueError),
      bare(engine.bias),
      bare(engine.range?.coverage),
      engine.range ? `×${engine.range.width.toFixed(2)}` : '–',
    ]),
  );
}

const shortNames: Readonly<Record<string, string>> = {
  'condition and sales in 180 days': 'sales in 180 days',
};

function coldStartTable({ coldStart }: BacktestReport): string {
  return table(
    ['before the first sale', 'scored', 'next sale', '(MSRP)', 'truth', 'bias', 'in range'],
    coldStart.map(({ condition, engine, msrpError }) => [
      condition,
      engine.count,
      percent(engine.saleError),
      percent(msrpError),
      percent(engine.trueError),
      percent(engine.bias),
      percent(engine.range?.coverage),
    ]),
  );
}

function horizonsTable({ horizons }: BacktestReport): string {
  return table(
    ['days ahead', 'scored', 'next sale', '(simple)', 'truth', '(simple)'],
    horizons.map(({ days, count, engine, simple }) => [
      days,
      count,
      percent(engine.saleError),
      percent(simple.saleError),
      percent(engine.trueError),
      percent(simple.trueError),
    ]),
  );
}

function probesText({ probes: { oddSales, step, stability } }: BacktestReport): string {
  return [
    ...oddSales.map(
      ({ factor, values, moved, largestChange }) =>
        `One sale at ×${factor} moves ${moved} of ${values} established values, by at most ` +
        `${percent(largestChange)}.`,
    ),
    ...step.after.map(
      ({ sales, medianShare, lowShare }) =>
        `${sales} sales after a lasting drop of 30%, values are ${percent(medianShare, 0)} of ` +
        `the way (median of ${step.values}; nine in ten at least ${percent(lowShare, 0)}).`,
    ),
    `Days without new sales change values by ${percent(stability.medianChange, 3)} (median of ` +
      `${stability.days}).`,
  ].join('\n');
}

function goalsTable(goals: readonly Goal[]): string {
  return table(
    ['goal', 'wanted', 'measured', 'met'],
    goals.map(({ name, goal, measured, met }) => [
      name,
      goal,
      decimal(measured),
      met ? 'yes' : 'no',
    ]),
  );
}
