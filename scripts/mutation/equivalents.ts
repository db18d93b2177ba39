/**
 * Places where a mistake changes nothing that anybody could notice, so that no test can fail. Each
 * has its reason, and every run says how many mutants it left out because of this list.
 */

/** A line, or a kind of change in it, that is left out. */
export interface Equivalent {
  /** The end of the file's path. */
  readonly file: string;
  /** A piece of the line as it is written. */
  readonly line: string;
  /** Only these operators; without it, all. */
  readonly operators?: readonly string[];
  readonly reason: string;
}

/** The list. */
export const equivalents: readonly Equivalent[] = [];

/** Why a change of a line is left out; null when it is not. */
export function equivalenceOf(file: string, line: string, operator: string): string | null {
  const found = equivalents.find(
    (each) =>
      file.endsWith(each.file) &&
      line.includes(each.line) &&
      (each.operators?.includes(operator) ?? true),
  );
  return found?.reason ?? null;
}
