/** Names in snake case, as in most of the API. */

export function snakeKey(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
