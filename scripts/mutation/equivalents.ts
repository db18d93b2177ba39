/**
 * Kinds of mutants that no test can notice. They are told by how the code around the change is
 * written, never by a file or a line, so that a mistake elsewhere cannot hide behind an entry.
 * Every run reports how many mutants each kind has excluded.
 */
import type { Edit } from './rules.ts';

/** A kind of change that makes no difference wherever it occurs. */
interface EquivalentKind {
  readonly operator: string;
  /** The code around the change, which begins at the mark ▸. */
  readonly code: RegExp;
  readonly reason: string;
}

const sizeNames = [
  /\w*[rR]oom(Max|AtFirst)?/,
  /\w*[cC]acheKb/,
  /\w+(AtOnce|AtATime|PerPause)/,
  /\w*[sS]lice(Rows|Items|Sums|Chunks)?/,
  /piece(Length|Lines)|(\w*[cC]hunk|buffer|full)Bytes|\w*[bB]atch(Rows|Size)/,
  /(cache|pages|found|kept|remembered)LengthMax|waiting(Max|Each|All)/,
].map(({ source }) => source);

/** The kinds. */
export const equivalentKinds: readonly EquivalentKind[] = [
  {
    operator: 'number',
    code: /(?<!\b(second|minute|hour|day))(Ms|Seconds)(Max|Min)?( =|:) ▸\d[\d_]+(;|,| \})/,
    reason: 'A time limit that is one millisecond or second longer is as good.',
  },
  {
    operator: 'number',
    code: new RegExp(`\\b(${sizeNames.join('|')})( =|:) [\\d_ *]*▸`),
    reason: 'A cache, queue or batch with room for one more or less gives the same results.',
  },
  {
    operator: 'number',
    code: /(\]|\.at\([^()]*\)) \?\? -?▸|\b(const|let) \[[^\]]*= ▸[^\]]*\] = /,
    reason: 'The compiler asks for a default where the index is within the list.',
  },
  {
    operator: 'number',
    code: /\w\?\.(n|count|total) \?\? ▸/,
    reason: 'The compiler asks for a default where a query always returns a row.',
  },
  {
    operator: 'sql number',
    code: /(\bfirst(<[^`']*>)?\(\s*(`[^`]*|'[^']*)|\bSELECT 1 [^`']*)\bLIMIT ▸1\s*[`']/,
    reason: 'Only the first row is read, or whether there is one.',
  },
  {
    operator: 'guard',
    code: /▸if \([\w.]+\.(length|size)( \+ \w+\.length)? === 0\) return (\[\]|new \w+\(\));/,
    reason: 'Nothing is found for an empty list anyway: the guard saves work.',
  },
  {
    operator: 'guard',
    code: /▸if \((\w+\.)?(\w*[rR]ows|ids|missing|takes|unknown)\.(length|size) === 0\) return;/,
    reason: 'Nothing is written for an empty list anyway: the guard saves a statement.',
  },
  {
    operator: 'guard',
    code: /▸if \((known|cached)( !== undefined)?\) return \1;/,
    reason: 'A value that is not taken from memory is computed again, and is the same.',
  },
  {
    operator: 'statement',
    code: /▸(this\.)?(known|made|cached)\.set\(/,
    reason: 'A value that is not remembered is computed again, and is the same.',
  },
  {
    operator: 'statement',
    code: /▸f?sync(Path|Sync)\(/,
    reason: 'Only a power cut shows what had not reached the disk.',
  },
];

/** Why no test can notice a change; null: a test could. */
export function equivalenceOf(source: string, { operator, start }: Edit): string | null {
  const before = source.slice(Math.max(0, start - 600), start);
  const code = `${before}▸${source.slice(start, start + 120)}`;
  const kind = equivalentKinds.find((each) => each.operator === operator && each.code.test(code));
  return kind?.reason ?? null;
}
