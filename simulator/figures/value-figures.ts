/** The figures about values in docs/valuation.md, from docs/backtest.json. */
import type { Slice } from '../backtest/slices.ts';
import { asWritten, bare, goalsTable, markdownTable, percent, wrap } from './markdown.ts';
import type { BacktestSummary, ValueMeasurements } from './measure.ts';

/** By the names of their markers. */
export const valueSections: Readonly<Record<string, (backtest: ValueMeasurements) => string>> = {
  summary,
  methods,
  weighted,
  'sales-in-180-days': (backtest) => slices(backtest, 'condition and sales in 180 days'),
  tiers: (backtest) => slices(backtest, 'tier'),
  prices: (backtest) => slices(backtest, 'true value'),
  retirement: (backtest) => slices(backtest, 'retirement'),
  'cold-start': coldStart,
  horizons,
  probes,
  worlds,
  goals: ({ main, others }) => goalsTable([main, ...others]),
};

function summary({ main }: ValueMeasurements): string {
  const { accuracy } = engineOf(main);
  const { sale, truth } = main.best;
  return wrap(
    `In a simulated market, the median error is ${percent(accuracy.saleError)} against the next ` +
      `sale, where even the true value would be off by ${percent(main.noiseFloor)}, and ` +
      `${percent(accuracy.trueError)} against the true value. The best simple methods are at ` +
      `${percent(sale.error)} (${sale.name}) and ${percent(truth.error)} (${truth.name}). ` +
      `The 80% range contains ${percent(accuracy.range?.coverage)} of sales.`,
  );
}

function methods({ main }: ValueMeasurements): string {
  const last = main.methods.length - 1;
  return markdownTable(
    [
      'method',
      'next sale',
      'within 10%',
      'within 20%',
      '90% within',
      'bias',
      'next 30 days',
      'true value',
      'in range',
      'Winkler',
    ],
    main.methods.map(({ name, accuracy, saleErrorInterval: { low, high } }, place) => [
      place === last ? `**\`${name}\`**` : name,
      `${percent(accuracy.saleError)} (${bare(low)} to ${bare(high)})`,
      percent(accuracy.within10, 0),
      percent(accuracy.within20, 0),
      percent(accuracy.saleErrorP90, 0),
      percent(accuracy.bias),
      percent(accuracy.nextError),
      percent(accuracy.trueError),
      accuracy.range ? percent(accuracy.range.coverage) : '',
      accuracy.range ? accuracy.range.winkler.toFixed(3) : '',
    ]),
  );
}

function weighted({ main }: ValueMeasurements): string {
  const engine = engineOf(main).saleWeighted;
  const simple = main.methods.find(({ name }) => name === main.best.sale.name)?.saleWeighted;
  const {
    best: { sale, truth },
    bestHelped: helped,
  } = main;
  const range = ({ low, high }: typeof sale.ratioInterval) =>
    `${low.toFixed(3)} to ${high.toFixed(3)}`;
  return wrap(
    `The error against the next sale is ${sale.ratio.toFixed(3)} times that of the best simple ` +
      `method (${range(sale.ratioInterval)}), against the true value ${truth.ratio.toFixed(3)} ` +
      `times (${range(truth.ratioInterval)}). If the first sale of a month is weighted by ` +
      `the number of sales in the month, errors are ${percent(engine.saleError)} and ` +
      `${percent(engine.trueError)}, those of the simple method ` +
      `${percent(simple?.saleError)} and ${percent(simple?.trueError)}, and ` +
      `${percent(engine.coverage)} of sales are in range. ` +
      'Compared with the best helped methods, the errors are ' +
      `${helped.sale.ratio.toFixed(3)} times (${range(helped.sale.ratioInterval)}) and ` +
      `${helped.truth.ratio.toFixed(3)} times (${range(helped.truth.ratioInterval)}) as large.`,
  );
}

function slices({ main }: ValueMeasurements, by: Slice['by']): string {
  return markdownTable(
    [
      by,
      'scored',
      'noise floor',
      'next sale',
      'simple',
      'true value',
      'simple',
      'bias',
      'in range',
      'width',
    ],
    main.slices
      .filter((slice) => slice.by === by)
      .map(({ part, noiseFloor, engine, simple }) => [
        asWritten(part),
        engine.count.toLocaleString('en'),
        percent(noiseFloor),
        percent(engine.saleError),
        percent(simple.saleError),
        percent(engine.trueError),
        percent(simple.trueError),
        percent(engine.bias),
        percent(engine.range?.coverage),
        engine.range ? `× ${engine.range.width.toFixed(2)}` : '',
      ]),
  );
}

function coldStart({ main }: ValueMeasurements): string {
  return markdownTable(
    ['before the first sale', 'scored', 'next sale', 'MSRP', 'true value', 'bias', 'in range'],
    main.coldStart.map(({ condition, engine, msrpError }) => [
      condition,
      engine.count.toLocaleString('en'),
      percent(engine.saleError),
      percent(msrpError),
      percent(engine.trueError),
      percent(engine.bias),
      percent(engine.range?.coverage),
    ]),
  );
}

function horizons({ main }: ValueMeasurements): string {
  return markdownTable(
    ['days ahead', 'scored', 'next sale', 'simple', 'true value', 'simple'],
    main.horizons.map(({ days, count, engine, simple }) => [
      String(days),
      count.toLocaleString('en'),
      percent(engine.saleError),
      percent(simple.saleError),
      percent(engine.trueError),
      percent(simple.trueError),
    ]),
  );
}

function probes({ main: { probes } }: ValueMeasurements): string {
  const { step, stability } = probes;
  return [
    ...probes.oddSales.map(
      ({ factor, values, moved, largestChange }) =>
        `- One sale at ${factor} times the value moves ${moved} of ` +
        `${values.toLocaleString('en')} established values by more than 1%, ` +
        `and none by more than ${percent(largestChange)}.`,
    ),
    ...step.after.map(
      ({ sales, medianShare, lowShare }) =>
        `- ${sales} sales after a lasting 30% drop in price, the median \`high\` value has ` +
        `followed ${percent(medianShare, 0)} of it, and nine in ten more than ` +
        `${percent(lowShare, 0)} (${step.values} tested).`,
    ),
    '- Without new sales, the median change of a value from one day to the next is ' +
      `${percent(stability.medianChange, 2)}.`,
  ].join('\n');
}

function worlds({ main, others }: ValueMeasurements): string {
  const all: readonly BacktestSummary[] = [{ ...main, engine: engineOf(main) }, ...others];
  return markdownTable(
    [
      'world',
      'seed',
      'noise floor',
      'next sale',
      'best simple',
      'true value',
      'best simple',
      'in range',
    ],
    all.map(({ world, seed, noiseFloor, engine: { accuracy }, best: { sale, truth } }) => [
      `${world}: ${worldNames[world]}`,
      String(seed),
      percent(noiseFloor),
      percent(accuracy.saleError),
      `${percent(sale.error)} (${sale.name})`,
      percent(accuracy.trueError),
      `${percent(truth.error)} (${truth.name})`,
      percent(accuracy.range?.coverage),
    ]),
  );
}

const worldNames: Partial<Record<BacktestSummary['world'], string>> = {
  A: 'as assumed',
  B: 'jumps only',
  C: 'mean-reverting, more noise',
  D: '12% outliers',
  E: 'channels shift midway',
  F: 'high volatility',
};

function engineOf({ methods: all }: ValueMeasurements['main']): BacktestSummary['engine'] {
  const engine = all.at(-1);
  if (!engine) throw new Error('No method was measured.');
  return engine;
}
