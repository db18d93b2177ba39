/** What mutation testing changes inside the text of statements: the store is half SQL. */
import type { Edit } from './operators.ts';

/** Words that are written like this in statements and in pieces of them, and nowhere else. */
const sqlWords =
  /\b(SELECT|INSERT|UPDATE|DELETE|FROM|WHERE|AND|OR|JOIN|VALUES|ORDER BY|LIMIT|EXISTS|SET)\b/;

interface Operator {
  readonly operator: string;
  readonly pattern: RegExp;
  /** What takes the place of the match; null: nothing can. */
  change(match: RegExpExecArray, before: string): string | null;
}

const operators: readonly Operator[] = [
  {
    operator: 'sql boundary',
    pattern: /(?<![<>=!-])(<=|>=|<|>)(?![>=])/g,
    change: ([mark]) => (mark.length === 2 ? mark.slice(0, 1) : `${mark}=`),
  },
  {
    operator: 'sql equality',
    pattern: /(?<![<>!:=])=(?!=)|<>/g,
    // What SET assigns is no comparison.
    change: ([mark], before) => (isAssigned(before) ? null : mark === '=' ? '<>' : '='),
  },
  {
    operator: 'sql logic',
    pattern: /\b(AND|OR)\b/g,
    change: ([word], before) =>
      /\bBETWEEN\b[^;]*$/.test(before.slice(-40)) || /\bCREATE\s*$/.test(before)
        ? null
        : word === 'AND'
          ? 'OR'
          : 'AND',
  },
  { operator: 'sql order', pattern: /\bDESC\b/g, change: () => 'ASC' },
  {
    operator: 'sql order',
    pattern: /\bORDER BY\s+[\w."]+(?=\s*(,|\)|$|LIMIT|FOR))/g,
    change: ([text]) => `${text} DESC`,
  },
  { operator: 'sql null', pattern: /\bIS NULL\b/g, change: () => 'IS NOT NULL' },
  { operator: 'sql null', pattern: /\bIS NOT NULL\b/g, change: () => 'IS NULL' },
  { operator: 'sql exists', pattern: /\bNOT EXISTS\b/g, change: () => 'EXISTS' },
  {
    operator: 'sql exists',
    pattern: /\bEXISTS\b(?=\s*\()/g,
    change: (_, before) => (/\b(NOT|IF)\s*$/.test(before) ? null : 'NOT EXISTS'),
  },
  { operator: 'sql lock', pattern: /\bFOR (NO KEY )?UPDATE( SKIP LOCKED)?\b/g, change: () => '' },
  { operator: 'sql method', pattern: /\b(min|max|least|greatest)(?=\()/g, change: otherMethod },
  {
    operator: 'sql number',
    pattern: /(?<![\w$?.:'])\d+(?![\w.:'])/g,
    // What is selected only to be there is the same as any other number.
    change: ([digits], before) => (/\bSELECT\s+$/.test(before) ? null : String(Number(digits) + 1)),
  },
  {
    operator: 'sql arithmetic',
    pattern: /(?<=[\w)] )[+-](?= [\w(?$])/g,
    change: ([mark]) => (mark === '+' ? '-' : '+'),
  },
];

const methods: ReadonlyMap<string, string> = new Map([
  ['min', 'max'],
  ['max', 'min'],
  ['least', 'greatest'],
  ['greatest', 'least'],
]);

function otherMethod([name]: RegExpExecArray): string | null {
  return methods.get(name) ?? null;
}

/** Whether what follows is assigned: the last clause that began is SET. */
function isAssigned(before: string): boolean {
  const clauses = [...before.matchAll(/\b(SET|WHERE|ON|AND|OR|WHEN|HAVING|WITH|SELECT)\b/g)];
  const last = clauses.at(-1)?.[1];
  return last === undefined || last === 'SET' || last === 'WITH';
}

/** Every mistake that could be made in a text, if it is one of SQL. */
export function sqlEdits(text: string, offset: number): Edit[] {
  if (!sqlWords.test(text) || /\b(CREATE|ALTER) TABLE\b/.test(text)) return [];
  // Comments of SQL become blanks, so that places stay what they are.
  const bare = text.replace(/--[^\n]*/g, (comment) => ' '.repeat(comment.length));
  return operators.flatMap(({ operator, pattern, change }) =>
    [...bare.matchAll(pattern)].flatMap((match) => {
      const changed = change(match as RegExpExecArray, bare.slice(0, match.index));
      const start = offset + match.index;
      return changed === null
        ? []
        : [{ operator, start, end: start + match[0].length, text: changed }];
    }),
  );
}
