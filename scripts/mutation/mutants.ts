/** Source files with one mistake each: all that could be made, and a sample of them by a seed. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { equivalenceOf } from './equivalents.ts';
import { applyEdit, type Edit, findEdits } from './operators.ts';

/** The folders whose rules tests are to notice. */
export const mutatedFolders = ['src/domain', 'src/valuation', 'src/api', 'src/http', 'src/store'];

/** One file with one mistake in it. */
export interface Mutant {
  readonly file: string;
  readonly line: number;
  readonly operator: string;
  readonly original: string;
  readonly mutated: string;
  /** The lines that differ, before and after. */
  readonly before: string;
  readonly after: string;
}

/** A sample, and how many mutants were drawn for it and left out. */
export interface Sample {
  readonly mutants: readonly Mutant[];
  /** Those that do not parse, or are the same program. */
  readonly discarded: number;
  /** Those that nobody could notice, by the list of equivalents. */
  readonly equivalent: number;
  /** How many could have been drawn. */
  readonly points: number;
}

/** The files below folders, or of these very names, that can be mutated. */
export function listFiles(root: string, names: readonly string[]): string[] {
  return [...new Bun.Glob('src/**/*.{ts,tsx}').scanSync(root)]
    .filter((file) => !/\.(test|d)\.tsx?$/.test(file))
    .filter((file) => names.some((name) => file === name || file.startsWith(`${name}/`)))
    .sort();
}

/** Draws mutants of files; the same ones for the same seed and the same sources. */
export function sampleMutants(
  root: string,
  files: readonly string[],
  { seed, count }: { readonly seed: number; readonly count: number },
): Sample {
  const places = files.flatMap((file) => {
    const source = readFileSync(join(root, file), 'utf8');
    return findEdits(source).map((edit) => ({ file, source, edit }));
  });
  const mutants: Mutant[] = [];
  let [discarded, equivalent] = [0, 0];
  for (const { file, source, edit } of shuffled(places, seed)) {
    if (mutants.length === count) break;
    const mutant = makeMutant(file, source, edit);
    const place = {
      file,
      operator: edit.operator,
      behind: source.slice(0, edit.start),
      ahead: source.slice(edit.start),
      line: mutant.before,
    };
    if (equivalenceOf(place) !== null) equivalent++;
    else if (isOtherProgram(mutant)) mutants.push(mutant);
    else discarded++;
  }
  return { mutants, discarded, equivalent, points: places.length };
}

/** A source with a mistake, and the lines that it is in. */
export function makeMutant(file: string, original: string, edit: Edit): Mutant {
  const mutated = applyEdit(original, edit);
  const from = original.lastIndexOf('\n', edit.start - 1) + 1;
  const endOfLine = (text: string, at: number) => {
    const end = text.indexOf('\n', at);
    return end < 0 ? text.length : end;
  };
  const shown = (text: string) => text.trim().replace(/\s+/g, ' ');
  return {
    file,
    line: original.slice(0, edit.start).split('\n').length,
    operator: edit.operator,
    original,
    mutated,
    before: shown(original.slice(from, endOfLine(original, edit.end))),
    after: shown(mutated.slice(from, endOfLine(mutated, edit.start + edit.text.length))),
  };
}

/** Whether a mutant can be read and does not only differ in types, which are gone when it runs. */
export function isOtherProgram({ file, original, mutated }: Mutant): boolean {
  const transpiler = new Bun.Transpiler({ loader: file.endsWith('.tsx') ? 'tsx' : 'ts' });
  try {
    return transpiler.transformSync(mutated) !== transpiler.transformSync(original);
  } catch {
    return false;
  }
}

/** The same items in an order that the seed decides. */
function shuffled<T>(items: readonly T[], seed: number): T[] {
  const random = randomOf(seed);
  return items
    .map((item) => ({ item, rank: random() }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}

/** Mulberry32: small, and the same everywhere. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
