/** JSON of the command line has keys with underscores, as that of the API does. */

/** A name in this spelling. */
export function snakeKey(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The same with such keys, all the way down. */
export function snakeKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snakeKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [snakeKey(key), snakeKeys(inner)]),
  );
}
