/** Mutants: source files with one change each, sampled by a seed. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { equivalenceOf } from './equivalents.ts';
import { applyEdit, findEdits } from './operators.ts';
import type { Edit } from './rules.ts';

export interface Mutant {
  readonly file: string;
  readonly line: number;
  readonly operator: string;
  readonly original: string;
  readonly mutated: string;
  /** The changed lines, before and after. */
  readonly before: string;
  readonly after: string;
}

/** Mutants, and the number of excluded equivalent ones by reason. */
export interface Sample {
  readonly mutants: readonly Mutant[];
  readonly equivalent: ReadonlyMap<string, number>;
}

const client = 'clients/typescript/src';

/** The source files with these names, or in folders with these names. */
export function listFiles(root: string, names: readonly string[]): string[] {
  return [...new Bun.Glob('{src,clients}/**/*.{ts,tsx}').scanSync(root)]
    .filter((file) => !/\.(test|d)\.ts$/.test(file))
    .filter((file) => names.some((name) => file === name || file.startsWith(`${name}/`)))
    .sort();
}

/** Every folder of src, and the TypeScript client. */
export function listFolders(root: string): string[] {
  const entries = readdirSync(join(root, 'src'), { withFileTypes: true });
  const folders = entries.flatMap((entry) => (entry.isDirectory() ? `src/${entry.name}` : []));
  return [client, ...folders.sort()];
}

export function folderOf(file: string): string {
  return file.startsWith(`${client}/`) ? client : file.split('/').slice(0, 2).join('/');
}

/** Draws mutants from each top-level folder; deterministic for a seed and a tree. */
export function sampleMutants(
  root: string,
  files: readonly string[],
  { seed, each }: { readonly seed: number; readonly each: number },
): Sample {
  const equivalent = new Map<string, number>();
  const mutants = [...Map.groupBy(files, folderOf).values()].flatMap((own) => {
    const drawn: Mutant[] = [];
    for (const { file, source, edit } of listEdits(root, own, seed)) {
      if (drawn.length === each) break;
      const mutant = makeMutant(file, source, edit);
      if (!isOtherProgram(mutant)) continue;
      const reason = equivalenceOf(source, edit);
      if (reason === null) drawn.push(mutant);
      else equivalent.set(reason, (equivalent.get(reason) ?? 0) + 1);
    }
    return drawn;
  });
  return { mutants, equivalent };
}

/** All possible changes, in an order that depends on the seed. */
function listEdits(root: string, files: readonly string[], seed: number) {
  const places = files.flatMap((file) => {
    const source = readFileSync(join(root, file), 'utf8');
    return findEdits(source, isJsx(file)).map((edit) => {
      const rank = Bun.hash(`${seed} ${file} ${edit.start} ${edit.operator}`);
      return { file, source, edit, rank: Number(rank) };
    });
  });
  return places.sort((a, b) => a.rank - b.rank);
}

/** Applies a change, and finds its lines. */
export function makeMutant(file: string, original: string, edit: Edit): Mutant {
  const mutated = applyEdit(original, edit);
  const from = original.lastIndexOf('\n', edit.start - 1) + 1;
  const shown = (text: string, end: number) =>
    (text.slice(from, end) + text.slice(end).split('\n', 1)).trim().replace(/\s+/g, ' ');
  return {
    file,
    line: original.slice(0, edit.start).split('\n').length,
    operator: edit.operator,
    original,
    mutated,
    before: shown(original, edit.end),
    after: shown(mutated, edit.start + edit.text.length),
  };
}

/** Whether a mutant parses and differs in more than types. */
export function isOtherProgram({ file, original, mutated }: Mutant): boolean {
  const transpiler = transpilers[isJsx(file) ? 'tsx' : 'ts'];
  try {
    return transpiler.transformSync(mutated) !== transpiler.transformSync(original);
  } catch {
    return false;
  }
}

const transpilers = {
  ts: new Bun.Transpiler({ loader: 'ts' }),
  tsx: new Bun.Transpiler({ loader: 'tsx' }),
};

function isJsx(file: string): boolean {
  return file.endsWith('.tsx');
}
