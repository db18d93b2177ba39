/** Fees, shipping and exchange rates, for callers who compute for themselves. */

import { type BuyingSettings, tablesOf } from '../../buying/prices/buying-settings.ts';
import type { FeeTables } from '../../buying/prices/selling-channels.ts';
import { bad } from '../../contract/input-messages.ts';
import type { FeeSchedules } from '../../contract/plus/fees.ts';
import type { ExchangeRates } from '../../contract/plus/rates.ts';
import { toUsd, toUsdOrNull } from '../../kernel/money.ts';
import { formatDay, parseDay } from '../../kernel/time.ts';
import { cubicInchesPerPound } from '../../market/fees/fba.ts';
import {
  type FeeSchedule,
  feeSchedules,
  peakSeason,
  type SizeTier,
  standardTiers,
} from '../../market/fees/fba-fees.ts';
import {
  type StorageRates,
  type StorageSchedule,
  storageSchedules,
} from '../../market/fees/fba-storage-fees.ts';
import type { PlatformFees } from '../../market/fees/fee-table.ts';
import { type PostageTable, piecesWeight } from '../../market/fees/postage.ts';
import { dataOf } from '../answer-data.ts';
import { ownSettings } from '../buying-terms.ts';
import type { Handler, Handlers } from '../handler.ts';
import type { HandlerDeps } from '../handler-deps.ts';

export function feeHandlers(deps: HandlerDeps) {
  return {
    getFees: () => ({
      read: async (caller) => {
        const settings = await ownSettings(deps, caller);
        return dataOf(presentFees(tablesOf(deps.tables, settings), settings, deps.clock()));
      },
    }),
    listRates: listRates(deps),
  } satisfies Partial<Handlers>;
}

/** `GET /rates` */
function listRates({ market: { store }, clock }: HandlerDeps): Handler<'listRates'> {
  return ({ query }) => {
    if (query.date !== undefined && parseDay(query.date) === null) {
      throw bad(`The query parameter 'date' must be a day that exists; got '${query.date}'.`);
    }
    return {
      read: async () => {
        // Not before: prepared work is kept for later calls of the same URL, also on other days.
        const { date = formatDay(clock()) } = query;
        const rates = await store.listLatestRates(date);
        const answer: ExchangeRates = {
          date,
          rates: rates.map(({ currency, date: day, usdPerUnit }) => {
            return { currency, date: day, usd_per_unit: usdPerUnit };
          }),
        };
        return dataOf(answer);
      },
    };
  };
}

function presentFees(tables: FeeTables, settings: BuyingSettings, at: number): FeeSchedules {
  return {
    date: formatDay(at),
    sales_tax_percent: toPercent(tables.fees.taxBasisPoints),
    platforms: tables.fees.rows.map(presentPlatform),
    postage: tables.postage.map(presentPostage),
    fba: feeSchedules.map(presentFba),
    fba_storage: storageSchedules.map(presentStorage),
    buying_costs: {
      sales_tax_percent: toPercent(settings.taxBasisPoints),
      cashback_percent: toPercent(settings.cashbackBasisPoints),
      inbound_usd: toUsd(settings.inboundCents),
      cost_of_capital_percent: toPercent(settings.moneyBasisPoints),
    },
  };
}

function toPercent(basisPoints: number): number {
  return basisPoints / 100;
}

type Row<Name extends keyof FeeSchedules> = FeeSchedules[Name] extends (infer Item)[]
  ? Item
  : never;

function presentPlatform(fees: PlatformFees): Row<'platforms'> {
  return {
    platform: fees.platform,
    from: fees.from,
    source: fees.source,
    base: fees.base,
    steps_per: fees.stepsPer,
    steps: fees.steps.map(({ upToCents, basisPoints }) => {
      return { up_to_usd: toUsdOrNull(upToCents), percent: toPercent(basisPoints) };
    }),
    per_order: fees.perOrder.map(({ upToCents, feeCents }) => {
      return { up_to_usd: toUsdOrNull(upToCents), fee_usd: toUsd(feeCents) };
    }),
    minimum_usd: toUsd(fees.minCents),
    payments: fees.payments.map(({ name, base, basisPoints, feeCents }) => {
      return { name, base, percent: toPercent(basisPoints), fee_usd: toUsd(feeCents) };
    }),
  };
}

/** Weights are stored in hundredths of a pound. */
function presentPostage(table: PostageTable): Row<'postage'> {
  return {
    from: table.from,
    source: table.source,
    packing_usd: toUsd(table.packingCents),
    packing_lbs: table.packingWeight / 100,
    cubic_inches_per_pound: table.cubicInchesPerPound,
    rates: table.rates.map(({ upTo, cents }) => ({ up_to_lbs: upTo / 100, usd: toUsd(cents) })),
    above_per_lb_usd: toUsd(table.abovePerPoundCents),
    pieces_factor: piecesWeight.factor,
    pieces_power: piecesWeight.power,
  };
}

function presentFba(schedule: FeeSchedule): Row<'fba'> {
  const { middlePriceCents } = schedule;
  return {
    from: formatDay(schedule.effectiveFrom),
    source: schedule.source,
    referral_percent: schedule.referralPercent,
    referral_minimum_usd: toUsd(schedule.referralMinCents),
    middle_price_from_usd: toUsd(middlePriceCents.from),
    middle_price_to_usd: toUsd(middlePriceCents.to),
    surcharge_percent: schedule.surchargePerMille / 10,
    cubic_inches_per_pound: cubicInchesPerPound,
    peak_from: peakSeason.from,
    peak_to: peakSeason.to,
    sizes: schedule.tiers.map(presentSize),
  };
}

function presentSize(tier: SizeTier): Row<'fba'>['sizes'][number] {
  const { limits, step } = tier;
  return {
    size: tier.name,
    standard_size: standardTiers.has(tier),
    longest_in: limits?.longestIn ?? null,
    median_in: limits?.medianIn ?? null,
    shortest_in: limits?.shortestIn ?? null,
    length_and_girth_in: limits?.lengthAndGirthIn ?? null,
    volume_side_min_in: tier.volumeSideMinIn,
    rows: tier.rows.map(([upToOz, low, middle, high]) => ({
      up_to_oz: finite(upToOz),
      low_price_usd: toUsd(low),
      middle_price_usd: toUsd(middle),
      high_price_usd: toUsd(high),
    })),
    step: step && { above_oz: step.aboveOz, every_oz: step.everyOz, usd: toUsd(step.cents) },
    peak: tier.peak.map(([upToOz, cents]) => ({ up_to_oz: finite(upToOz), usd: toUsd(cents) })),
  };
}

/** Null for no limit. */
function finite(limit: number): number | null {
  return Number.isFinite(limit) ? limit : null;
}

function presentStorage(schedule: StorageSchedule): Row<'fba_storage'> {
  return {
    from: formatDay(schedule.effectiveFrom),
    source: schedule.source,
    january_to_september: presentRates(schedule.usual),
    october_to_december: presentRates(schedule.peak),
    aged: schedule.aged.map(({ fromDay, perCubicFoot, minCents }) => {
      return { from_day: fromDay, usd: toUsd(perCubicFoot), minimum_usd: toUsd(minCents) };
    }),
  };
}

function presentRates({ standardSize, larger }: StorageRates) {
  return { standard_size_usd: toUsd(standardSize), larger_usd: toUsd(larger) };
}
