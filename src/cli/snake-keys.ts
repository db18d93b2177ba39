/** Keys of JSON output in snake case, as in the API. */
import { snakeKey } from '../domain/kernel/snake-key.ts';

/** Recursive. */
export function snakeKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snakeKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [snakeKey(key), snakeKeys(inner)]),
  );
}
