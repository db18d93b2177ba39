/** The back-test as a report: every method, over everything and slice by slice. */
import { type Condition, conditions } from '../../domain/market.ts';
import type { Method } from './methods.ts';
import { type Accuracy, accuracyOf, bootstrap, type Interval, noiseFloor } from './metrics.ts';
import { type SalesBucket, type Score, salesBuckets } from './run.ts';

/** What the back-test found. */
export interface BacktestReport {
  /** Scores with at least one earlier sale, which every method can be asked about. */
  readonly scored: number;
  readonly noiseFloor: number;
  readonly methods: readonly {
    readonly name: string;
    readonly accuracy: Accuracy;
    /** Where the median error against the next sale lies for nine in ten resamples of items. */
    readonly saleErrorInterval: Interval;
  }[];
  /** The measured method alone. */
  readonly slices: readonly {
    readonly condition: Condition;
    readonly bucket: SalesBucket;
    readonly noiseFloor: number;
    readonly accuracy: Accuracy;
  }[];
  /** Before the first sale in a condition: the measured method, and the list price. */
  readonly coldStart: { readonly accuracy: Accuracy; readonly msrpError: number };
}

const resamples = 200;

/** Makes the report; the method that is measured comes last, the list price first. */
export function makeReport(
  scores: readonly Score[],
  methods: readonly Method[],
  nextIndex: (count: number) => number,
): BacktestReport {
  const later = scores.filter((score) => !score.isFirst);
  const first = scores.filter((score) => score.isFirst && score.condition === 'sealed');
  const measured = methods.length - 1;
  const draw = { resamples, nextIndex };
  return {
    scored: later.length,
    noiseFloor: noiseFloor(later),
    methods: methods.map(({ name }, place) => ({
      name,
      accuracy: accuracyOf(later, place),
      saleErrorInterval: bootstrap(later, (some) => accuracyOf(some, place).saleError, draw),
    })),
    slices: conditions.flatMap((condition) =>
      salesBuckets.map((bucket) => {
        const slice = later.filter((s) => s.condition === condition && s.bucket === bucket);
        const accuracy = accuracyOf(slice, measured);
        return { condition, bucket, noiseFloor: noiseFloor(slice), accuracy };
      }),
    ),
    coldStart: {
      accuracy: accuracyOf(first, measured),
      msrpError: accuracyOf(first, 0).saleError,
    },
  };
}
