/** Finds what a misspelt name was probably meant to be. */

/** The candidate closest to what was typed; null when there are none, or none that close. */
export function nearest(
  typed: string,
  candidates: readonly string[],
  distanceMax = Number.POSITIVE_INFINITY,
): string | null {
  let best: string | null = null;
  let bestDistance = distanceMax + 1;
  for (const candidate of candidates) {
    const distance = editDistance(typed.slice(0, 64).toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Levenshtein distance: insertions, deletions and replacements. */
function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const replace = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      current.push(Math.min((previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1, replace));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}
