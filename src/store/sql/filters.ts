/** Queries with conditions that are only sometimes needed. */
import type { Value } from './operation.ts';

/** `?` in the condition stands for the value; null does not filter. */
export type Filter = readonly [condition: string, value: Value | null];

export interface Filtered {
  readonly from: string;
  readonly values: readonly Value[];
}

/** Adds conditions to a `FROM … WHERE …`. */
export function withFilters({ from, values }: Filtered, filters: readonly Filter[]): Filtered {
  const used = filters.filter(([, value]) => value !== null);
  const conditions = used.map(
    ([condition], index) => ` AND ${condition.replace('?', `$${values.length + index + 1}`)}`,
  );
  return {
    from: from + conditions.join(''),
    values: [...values, ...used.map(([, value]) => value)],
  };
}

/** Items as a value of `itemFilter`. */
export const itemFilter = `kind || ' ' || key = ANY(?::text[])`;
