/** Effects of groups on residuals, with shrinkage. */
import { compareText } from '../../../catalog/items/numbers.ts';
import { sortWeighted, weightedQuantile } from '../quantile.ts';

/** Log effects by name. */
export type Effects = Readonly<Record<string, number>>;

/** Indexes of examples by group, sorted by name. */
export type Groups = ReadonlyMap<string, readonly number[]>;

export interface GroupEffects {
  readonly effects: Effects;
  /** The remaining residuals. */
  readonly left: Float64Array;
  /** Effective degrees of freedom, less than one per shrunk effect. */
  readonly freedom: number;
}

/** Null names belong to no group. */
export function groupsOf(names: readonly (string | null)[]): Groups {
  const groups = new Map<string, number[]>();
  for (const [i, name] of names.entries()) {
    if (name !== null) groups.getOrInsert(name, []).push(i);
  }
  return new Map([...groups].sort(([a], [b]) => compareText(a, b)));
}

/**
 * Weighted median residual of each group, shrunk by `n / (n + shrinkage)`, where `n` is the total
 * weight. An example has the weight of its share in the effect, divided by its noise.
 */
export function groupEffects(
  groups: Groups,
  given: {
    readonly residuals: Float64Array;
    readonly shares: Float64Array;
    readonly noise: Float64Array;
    readonly shrinkage: number;
  },
): GroupEffects {
  const { residuals, shares, noise, shrinkage } = given;
  const left = Float64Array.from(residuals);
  const effects: [string, number][] = [];
  let freedom = 0;
  for (const [name, members] of groups) {
    const items = members.map((i) => {
      const share = shares[i] ?? 1;
      return { value: (residuals[i] ?? 0) / share, weight: share / (noise[i] ?? 1) };
    });
    const count = items.reduce((sum, { weight }) => sum + weight, 0);
    const trust = count / (count + shrinkage);
    const effect = trust * weightedQuantile(sortWeighted(items), 0.5);
    for (const i of members) left[i] = (left[i] ?? 0) - (shares[i] ?? 1) * effect;
    effects.push([name, effect]);
    freedom += trust;
  }
  return { effects: Object.fromEntries(effects), left, freedom };
}

/** Mean of each group, shrunk to its start by `n / (n + shrinkage)`, and what is left. */
export function groupMeans(
  groups: Groups,
  values: Float64Array,
  { shrinkage, start = {} }: { readonly shrinkage: number; readonly start?: Effects },
): Pick<GroupEffects, 'effects' | 'left'> {
  const left = Float64Array.from(values);
  const effects: [string, number][] = [];
  for (const [name, members] of groups) {
    const sum = members.reduce((total, i) => total + (values[i] ?? 0), 0);
    const effect = (sum + shrinkage * effectIn(start, name)) / (members.length + shrinkage);
    for (const i of members) left[i] = (left[i] ?? 0) - effect;
    effects.push([name, effect]);
  }
  return { effects: Object.fromEntries(effects), left };
}

/** Zero for groups without one. */
export function effectIn(effects: Effects, name: string | null): number {
  const effect = name === null ? 0 : effects[name];
  // A group may be named like a method of all objects.
  return typeof effect === 'number' ? effect : 0;
}
