/** What somebody probably meant to type. */
import { nearest } from '../contract/nearest.ts';

/** The candidate that is close enough to be meant: at most half of the letters are others. */
export function closest(typed: string, candidates: readonly string[]): string | null {
  return nearest(typed, candidates, Math.max(1, Math.floor(typed.length / 2)));
}

/** The same as the end of a sentence; only a full stop where nothing is close. */
export function suggestion(typed: string, candidates: readonly string[], before = ''): string {
  const hint = closest(typed, candidates);
  return hint === null ? '.' : `; did you mean '${before}${hint}'?`;
}
