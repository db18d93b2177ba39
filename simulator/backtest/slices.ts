/** Accuracy by slice. */
import { dataTiers } from '../../src/market/evidence/evidence.ts';
import { conditions } from '../../src/market/source-rows/source-rows.ts';
import { supportNames } from '../../src/market/values/engine/range.ts';
import { type Accuracy, accuracyOf, noiseFloor } from './metrics.ts';
import type { Score } from './score.ts';

export interface Slice {
  readonly by: 'condition and sales in 180 days' | 'tier' | 'true value' | 'retirement';
  readonly part: string;
  readonly noiseFloor: number;
  readonly engine: Accuracy;
  readonly simple: Accuracy;
}

/** True values in dollars. */
const priceBands = [
  { part: 'below 25 $', from: 0, to: 25 },
  { part: '25 to 100 $', from: 25, to: 100 },
  { part: '100 to 300 $', from: 100, to: 300 },
  { part: '300 $ and above', from: 300, to: Number.POSITIVE_INFINITY },
] as const;

interface Part {
  readonly by: Slice['by'];
  readonly part: string;
  has(score: Score): boolean;
}

const parts: readonly Part[] = [
  ...conditions.flatMap((condition) =>
    supportNames.map(
      (support): Part => ({
        by: 'condition and sales in 180 days',
        part: `${condition}, ${support}`,
        has: (score) => score.condition === condition && score.support === support,
      }),
    ),
  ),
  ...dataTiers.map((tier): Part => ({ by: 'tier', part: tier, has: (s) => s.tier === tier })),
  ...priceBands.map(
    ({ part, from, to }): Part => ({
      by: 'true value',
      part,
      has: ({ trueLog }) => trueLog >= Math.log(from * 100) && trueLog < Math.log(to * 100),
    }),
  ),
  {
    by: 'retirement',
    part: '-3 to +12 months',
    has: ({ isAroundRetirement }) => isAroundRetirement,
  },
  { by: 'retirement', part: 'else', has: ({ isAroundRetirement }) => !isAroundRetirement },
];

/** Without empty slices. */
export function slicesOf(
  scores: readonly Score[],
  methods: { readonly engine: number; readonly simple: number },
): Slice[] {
  return parts.flatMap(({ by, part, has }) => {
    const slice = scores.filter(has);
    if (slice.length === 0) return [];
    return [
      {
        by,
        part,
        noiseFloor: noiseFloor(slice),
        engine: accuracyOf(slice, methods.engine),
        simple: accuracyOf(slice, methods.simple),
      },
    ];
  });
}
