/** How far two words are apart, in letters that were left out, added, replaced or swapped. */

/** How many mistakes a word may have: one from four letters on, two from eight. */
export function typosAllowed(word: string): number {
  if (word.length < 4 || !/^\p{L}+$/u.test(word)) return 0;
  return word.length < 8 ? 1 : 2;
}

/**
 * The number of edits that make one word of the other, two neighbors swapped counting as one; more
 * than `most` is not told apart from `most + 1`.
 */
export function editDistance(a: string, b: string, most: number): number {
  if (Math.abs(a.length - b.length) > most) return most + 1;
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const next = [row];
    let least = row;
    for (let column = 1; column <= b.length; column++) {
      const cost = a[row - 1] === b[column - 1] ? 0 : 1;
      let edits = Math.min(
        (last[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + cost,
      );
      const isSwapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      if (isSwapped && row > 1 && column > 1) {
        edits = Math.min(edits, (beforeLast[column - 2] ?? 0) + 1);
      }
      next.push(edits);
      least = Math.min(least, edits);
    }
    if (least > most) return most + 1;
    beforeLast = last;
    last = next;
  }
  return Math.min(last[b.length] ?? 0, most + 1);
}
