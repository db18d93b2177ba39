/** Mutations that replace a few characters, found by patterns in formatted code and in SQL. */

/** The replacement of a range of the source. */
export interface Edit {
  readonly operator: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

interface Rule {
  readonly operator: string;
  readonly pattern: RegExp;
  /** The replacement of a match; null to skip it. Default: its counterpart. */
  readonly change?: (match: string, before: string) => string | null;
}

/** Pairs that replace each other. */
const pairs: readonly (readonly [string, string])[] = [
  ['<', '<='],
  ['>', '>='],
  ['===', '!=='],
  ['=', '<>'],
  ['&&', '||'],
  ['+', '-'],
  ['*', '/'],
  ['+=', '-='],
  ['*=', '/='],
  ['++', '--'],
  ['true', 'false'],
  ['min', 'max'],
  ['floor', 'ceil'],
  ['some', 'every'],
  ['least', 'greatest'],
  ['AND', 'OR'],
  ['IS NULL', 'IS NOT NULL'],
  ['EXISTS', 'NOT EXISTS'],
];
const counterparts: ReadonlyMap<string, string> = new Map([
  ...pairs,
  ...pairs.map(([one, other]) => [other, one] as const),
  ['%', '*'],
  ['??=', '='],
  ['DESC', 'ASC'],
]);

const remove = () => '';
const counterpart = (match: string) => counterparts.get(match) ?? null;

const codeRules: readonly Rule[] = [
  { operator: 'boundary', pattern: /(?<=\s)[<>]=?(?=\s)/g },
  { operator: 'equality', pattern: /[!=]==/g },
  { operator: 'logic', pattern: /(&&|\|\|)(?!=)/g },
  // The star of an import is not an operator.
  { operator: 'arithmetic', pattern: /(?<=\s)(?<!\w+port )([-+*/]=?|%)(?=\s)|\+\+|--/g },
  { operator: 'default', pattern: /\?\?=/g },
  { operator: 'negation', pattern: /(?<![\w)\]])!(?!=)/g, change: remove },
  { operator: 'boolean', pattern: /(?<![\w.])(true|false)\b(?!:)/g },
  {
    operator: 'number',
    pattern: /(?<![\w.])\d[\d_]*(\.[\d_]+)?(e-?\d+)?\b(?!:)/g,
    change: (digits) => {
      const value = Number(digits.replaceAll('_', ''));
      // Odd numbers decrease and others increase, so that 1 becomes 0 and none becomes negative.
      return String(value % 2 === 1 ? value - 1 : value + 1);
    },
  },
  { operator: 'method', pattern: /(?<=\.)(min|max|floor|ceil|some|every)\b/g },
  { operator: 'await', pattern: /(?<!for )\bawait (?=\S)/g, change: remove },
];

/** Changes of code with masked strings and comments. */
export function codeEdits(code: string): Edit[] {
  return matchRules(codeRules, code, 0);
}

const sqlRules: readonly Rule[] = [
  { operator: 'sql boundary', pattern: /(?<![<>=!-])(<=|>=|<|>)(?![>=])/g },
  {
    operator: 'sql equality',
    pattern: /(?<![<>!:=])=(?!=)|<>/g,
    change: (mark, before) => (isAssigned(before) ? null : counterpart(mark)),
  },
  { operator: 'sql logic', pattern: /(?<!\bBETWEEN\b[^;]{0,40}|\bCREATE\s)\b(AND|OR)\b/g },
  { operator: 'sql order', pattern: /\bDESC\b/g },
  {
    operator: 'sql order',
    pattern: /\bORDER BY\s+[\w."]+(?=\s*(,|\)|$|LIMIT))(?![\w.",\s]*\sFOR\b)/g,
    change: (text) => `${text} DESC`,
  },
  {
    operator: 'sql lock',
    pattern: /\bORDER BY\s+[\w."]+(?!\s+DESC\b)(?=[\w.",\s]*\sFOR\b)/g,
    change: (text) => `${text} DESC`,
  },
  { operator: 'sql null', pattern: /\bIS (NOT )?NULL\b/g },
  { operator: 'sql exists', pattern: /\bNOT EXISTS\b|(?<!\b(NOT|IF) )\bEXISTS\b(?=\s*\()/g },
  { operator: 'sql lock', pattern: /\bFOR (NO KEY )?UPDATE( SKIP LOCKED)?\b/g, change: remove },
  { operator: 'sql method', pattern: /\b(min|max|least|greatest)(?=\()/g },
  {
    operator: 'sql number',
    // In `SELECT 1`, any number works.
    pattern: /(?<![\w$?.:']|\bSELECT\s+)\d+(?![\w.:'])/g,
    change: (digits) => String(Number(digits) + 1),
  },
  { operator: 'sql arithmetic', pattern: /(?<=[\w)] )[+-](?= [\w(?$])/g },
];

/** Keywords that occur in upper case only in SQL. */
const sqlWords =
  /\b(SELECT|INSERT|UPDATE|DELETE|FROM|WHERE|AND|OR|JOIN|VALUES|ORDER BY|LIMIT|EXISTS|SET)\b/;

/** Changes of a string, if it is SQL; `offset` is its position in the source. */
export function sqlEdits(text: string, offset: number): Edit[] {
  if (!sqlWords.test(text) || /\b(CREATE|ALTER) TABLE\b/.test(text)) return [];
  // Comments become blanks, so that positions stay the same.
  const bare = text.replace(/--[^\n]*/g, (comment) => ' '.repeat(comment.length));
  return matchRules(sqlRules, bare, offset);
}

/** Whether `=` is an assignment, in a SET clause. */
function isAssigned(before: string): boolean {
  const clauses = before.match(/\b(SET|WHERE|ON|AND|OR|WHEN|HAVING|WITH|SELECT)\b/g);
  return /^(SET|WITH)$/.test(clauses?.at(-1) ?? 'SET');
}

function matchRules(rules: readonly Rule[], code: string, offset: number): Edit[] {
  return rules.flatMap(({ operator, pattern, change = counterpart }) =>
    [...code.matchAll(pattern)].flatMap((match) => {
      const text = change(match[0], code.slice(0, match.index));
      const start = offset + match.index;
      return text === null ? [] : [{ operator, start, end: start + match[0].length, text }];
    }),
  );
}
