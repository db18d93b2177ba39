/** Simulated weekly exchange rates. */

import { dayMs, formatDay } from '../../src/kernel/time.ts';
import type { ExchangeRate } from '../../src/market/source-rows/source-rows.ts';
import { Random } from './random.ts';
import { type World, yearMs } from './world.ts';

const weekMs = 7 * dayMs;

/** Rates start before the first sale. */
const weeksBefore = 2;

/** Frequencies and approximate rates. */
export const currencies = [
  { code: 'EUR', weight: 5, usdPerUnit: 1.09 },
  { code: 'GBP', weight: 3, usdPerUnit: 1.27 },
  { code: 'CAD', weight: 2, usdPerUnit: 0.735 },
] as const;

export type Currency = (typeof currencies)[number];

export class Rates {
  private readonly from: number;
  private readonly byCurrency: ReadonlyMap<Currency, readonly number[]>;

  constructor(world: World) {
    this.from = world.salesFrom - weeksBefore * weekMs;
    const weeks = Math.ceil((world.today - this.from) / weekMs);
    this.byCurrency = new Map(
      currencies.map((currency) => [currency, weeklyRates(world, currency, weeks)]),
    );
  }

  /** The latest rate on or before an instant. */
  usdPerUnit(currency: Currency, at: number): number {
    const rate = this.byCurrency.get(currency)?.[Math.floor((at - this.from) / weekMs)];
    if (rate === undefined) throw new Error(`There is no ${currency.code} rate at ${at}.`);
    return rate;
  }

  /** By currency and date. */
  list(): ExchangeRate[] {
    return [...this.byCurrency].flatMap(([currency, rates]) =>
      rates.map((usdPerUnit, week) => ({
        date: formatDay(this.from + week * weekMs),
        currency: currency.code,
        usdPerUnit,
      })),
    );
  }
}

/** Two slow waves with noise. */
function weeklyRates(world: World, currency: Currency, weeks: number): number[] {
  const random = new Random(world.seed, 'fx', currency.code);
  const waves = [2.9, 0.8].map((years) => ({
    weeks: (years * random.between(0.8, 1.2) * yearMs) / weekMs,
    phase: random.fraction(),
    height: 0.018 * years ** 0.5,
  }));
  return Array.from({ length: weeks }, (_, week) => {
    let log = random.normal(0, 0.002);
    for (const wave of waves) {
      log += wave.height * Math.sin(2 * Math.PI * (week / wave.weeks + wave.phase));
    }
    return Math.round(currency.usdPerUnit * Math.exp(log) * 10_000) / 10_000;
  });
}
