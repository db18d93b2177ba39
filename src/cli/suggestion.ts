/** What somebody probably meant to type. */
import { nearest } from '../contract/nearest.ts';

/** What was meant, as the end of a sentence; only a full stop where nothing is near. */
export function suggestion(typed: string, candidates: readonly string[], before = ''): string {
  const near = nearest(typed, candidates);
  return near === null ? '.' : `; did you mean '${before}${near}'?`;
}
