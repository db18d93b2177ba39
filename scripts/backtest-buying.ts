/**
 * Measures what docs tell of what may be paid: `npm run backtest:buying`, some minutes. It writes
 * docs/backtest-buying.json, from which `npm run docs` makes tables. With seeds, as in
 * `npm run backtest:buying -- 7 8`, only those markets are measured, and the others stay.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Measured, measureBuying } from '../src/cli/backtest.ts';
import type { MeasuredBuying } from '../src/valuation/backtest/goals.ts';

/** What docs/backtest-buying.json holds: markets, the first of them shown in full. */
export type DocumentedBuying = readonly (Measured & MeasuredBuying)[];

/** Cells of 4,000 resales take a larger market than values do. */
const markets: readonly Measured[] = [
  { world: 'A', seed: 101, sets: 4_000 },
  { world: 'A', seed: 102, sets: 1_000 },
  // Nothing was ever chosen by looking at these two.
  { world: 'A', seed: 7, sets: 2_000 },
  { world: 'A', seed: 8, sets: 1_000 },
];

/** Figures are told to this many places. */
const places = 4;

if (import.meta.main) {
  const path = join(import.meta.dir, '..', 'docs', 'backtest-buying.json');
  const seeds = process.argv.slice(2).map(Number);
  const known: DocumentedBuying = seeds.length > 0 ? JSON.parse(readFileSync(path, 'utf8')) : [];
  const measured = new Map(known.map((market) => [market.seed, market]));
  for (const market of markets) {
    if (seeds.length > 0 && !seeds.includes(market.seed)) continue;
    console.log(`World ${market.world}, seed ${market.seed}`);
    measured.set(market.seed, { ...market, ...(await measureBuying(market, () => {})) });
    writeFileSync(path, `${JSON.stringify([...measured.values()], rounded, 1)}\n`);
  }
}

function rounded(_key: string, value: unknown): unknown {
  return typeof value === 'number' ? Math.round(value * 10 ** places) / 10 ** places : value;
}
