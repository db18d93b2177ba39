/** Figures as tables and sentences in the docs, between markers; here those of made-up markets. */
import type { Slice } from '../src/valuation/backtest/slices.ts';
import type { BacktestSummary, DocumentedBacktest } from './backtest.ts';

/** A page with the figures between its markers made anew; other text stays as it is. */
export function withFigures(page: string, figureOf: (name: string) => string | null): string {
  return page.replace(/<!-- figures: ([\w-]+) -->\n[\s\S]*?<!-- end -->/g, (_, name: string) => {
    const figure = figureOf(name);
    if (figure === null) throw new Error(`There are no figures called '${name}'.`);
    return `<!-- figures: ${name} -->\n${figure}\n<!-- end -->`;
  });
}

/** What can stand between markers, made from docs/backtest.json. */
export const madeUpSections: Readonly<Record<string, (backtest: DocumentedBacktest) => string>> = {
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
  goals,
};

function summary({ main }: DocumentedBacktest): string {
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

const columnsMax = 120;

/** Text in lines like those of the docs; numbers stay with their unit. */
function wrap(sentences: string): string {
  const lines = [''];
  for (const word of sentences.split(/ (?!%)/)) {
    const line = lines.at(-1) ?? '';
    if (line.length + 1 + word.length > columnsMax) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines.join('\n');
}

function methods({ main }: DocumentedBacktest): string {
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

function weighted({ main }: DocumentedBacktest): string {
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

function slices({ main }: DocumentedBacktest, by: Slice['by']): string {
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

function coldStart({ main }: DocumentedBacktest): string {
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

function horizons({ main }: DocumentedBacktest): string {
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

function probes({ main: { probes } }: DocumentedBacktest): string {
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

function worlds({ main, others }: DocumentedBacktest): string {
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

const worldNames: Readonly<Record<BacktestSummary['world'], string>> = {
  A: 'as assumed',
  B: 'jumps only',
  C: 'mean-reverting, more noise',
  D: '12% outliers',
  E: 'channels shift midway',
  F: 'high volatility',
};

function goals({ main, others }: DocumentedBacktest): string {
  return goalsTable([main, ...others]);
}

/** A line for each goal in each world, with what was measured with every seed. */
export function goalsTable(markets: readonly Pick<BacktestSummary, 'world' | 'goals'>[]): string {
  const all = markets.flatMap(({ world, goals: ofWorld }) =>
    ofWorld.map((goal) => ({ world, ...goal })),
  );
  const lines = Map.groupBy(all, ({ world, name }) => `${world} ${name}`);
  return markdownTable(
    ['world', 'goal', 'target', 'measured', 'met'],
    [...lines.values()].flatMap((same) => {
      const [first] = same;
      if (!first) return [];
      const measured = same.map((one) => one.measured.toFixed(3)).join(', ');
      const missed = same.filter(({ met }) => !met).length;
      const met = missed === 0 ? 'yes' : missed < same.length ? '**not always**' : '**no**';
      return [[first.world, asWritten(first.name), signed(first.goal), signed(measured), met]];
    }),
  );
}

function engineOf({ methods: all }: DocumentedBacktest['main']): BacktestSummary['engine'] {
  const engine = all.at(-1);
  if (!engine) throw new Error('No method was measured.');
  return engine;
}

/** A table in Markdown. */
export function markdownTable(
  heading: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(heading), `|${'---|'.repeat(heading.length)}`, ...rows.map(line)].join('\n');
}

/** A share in per cent. */
export function percent(share: number | null | undefined, places = 1): string {
  const text = bare(share, places);
  return text === '' ? '' : `${text}%`;
}

/** A label of the reports as prose has it: `$25 to $100` and `50%`. */
export function asWritten(label: string): string {
  return label
    .replace(/(\d+) to (\d+) \$/, '$$$1 to $$$2')
    .replace(/(\d+) \$/, '$$$1')
    .replaceAll(' %', '%');
}

function bare(share: number | null | undefined, places = 1): string {
  if (share === null || share === undefined) return '';
  return signed((100 * share).toFixed(places));
}

/** With minus signs that are ones. */
function signed(text: string): string {
  return text.replaceAll('-', '−');
}
