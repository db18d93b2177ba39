/**
 * Equivalent mutants: kinds of changes that no test can detect. They match the code around the
 * change, never a file or a line, so that an entry cannot hide a mistake elsewhere. Every run
 * reports how many mutants each kind has excluded.
 */
import type { Edit } from './rules.ts';

interface EquivalentKind {
  readonly operator: string;
  /** The code around the change, which starts at the mark ▸. */
  readonly code: RegExp;
  readonly reason: string;
}

const sizeNames = [
  /\w*[rR]oom(Max|AtFirst)?/,
  /\w*[cC]acheKb/,
  /\w+(AtOnce|AtATime|PerPause)/,
  /\w*[sS]lice(Rows|Items|Sums|Chunks|Max)?|charactersMax/,
  /piece(Length|Lines)|(\w*[cC]hunk|buffer|full)Bytes|\w*[bB]atch(Rows|Size)/,
  /(cache|pages|found|kept|remembered)LengthMax|waiting(Max|Each|All)/,
].map(({ source }) => source);

export const equivalentKinds: readonly EquivalentKind[] = [
  {
    operator: 'number',
    code: /(?<!\b(second|minute|hour|day))(\bms|Ms|Seconds)(Max|Min)?( =|:) ▸\d[\d_]+(;|,| \})/,
    reason: 'A time limit that is one millisecond or second longer is as good.',
  },
  {
    operator: 'number',
    code: new RegExp(`\\b(${sizeNames.join('|')})( =|:) [\\d_ *]*▸`),
    reason: 'A cache, queue or batch with room for one more or less gives the same results.',
  },
  {
    operator: 'boundary',
    code: new RegExp(`▸< (${sizeNames.join('|')})\\) continue;`),
    reason: 'A batch that is written one item earlier or later gives the same results.',
  },
  {
    operator: 'number',
    code: /(=|:) [\d_]+ (\* 1024 )?\* ▸1024\b/,
    reason: 'A size limit in kilobytes or megabytes that is a thousandth larger is as good.',
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
    operator: 'number',
    code: /\bMath\.max\(at, [^()]*\?\? ▸0\)/,
    reason: 'Any time long ago is before now.',
  },
  {
    operator: 'number',
    code: /\bthis\.fail\([^;]*;\s+return [\w?.]+ \?\? ▸/,
    reason: 'The value of a field that was rejected is not used.',
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
    operator: 'equality',
    code: /% \w+ ▸=== 0\) await (yieldToEventLoop|pause)\(/,
    reason: 'Only how often other work gets its turn changes.',
  },
  {
    operator: 'number',
    code: /% \w+ === ▸0\) await (yieldToEventLoop|pause)\(/,
    reason: 'Only when other work gets its turn changes.',
  },
  {
    operator: 'arithmetic',
    code: /(▸% |▸\+\+\w+ % )\w+ === 0\) await (yieldToEventLoop|pause)\(/,
    reason: 'Only how much work is done between two turns of the event loop changes.',
  },
  {
    operator: 'statement',
    code: /▸f?sync(Path|Sync)\(/,
    reason: 'Only a power cut shows what had not reached the disk.',
  },
];

/** Why a change is equivalent; null if a test could detect it. */
export function equivalenceOf(source: string, { operator, start }: Edit): string | null {
  const before = source.slice(Math.max(0, start - 600), start);
  const code = `${before}▸${source.slice(start, start + 120)}`;
  const kind = equivalentKinds.find((each) => each.operator === operator && each.code.test(code));
  return kind?.reason ?? null;
}
