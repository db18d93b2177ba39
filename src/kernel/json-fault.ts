/**
 * Finds where and why a text is not valid JSON, or has a name twice; `JSON.parse` does not say.
 */
import { shortText } from './text.ts';

/** The first fault of a text, in words that follow its location. */
export interface JsonFault {
  /** The index in UTF-16 units. */
  readonly index: number;
  readonly problem: string;
}

/** Line and column, both from 1, in characters. */
export interface TextLocation {
  readonly line: number;
  readonly column: number;
}

export function locationIn(text: string, index: number): TextLocation {
  const lines = text.slice(0, index).split('\n');
  return { line: lines.length, column: [...(lines.at(-1) ?? '')].length + 1 };
}

/** The first fault; null if the text is valid. */
export function findJsonFault(text: string): JsonFault | null {
  const open: ('{' | '[')[] = [];
  let expected: Expected = 'value';
  let index = 0;
  for (;;) {
    index = skipSpace(text, index);
    if (index === text.length) {
      return expected === 'end'
        ? null
        : { index, problem: `it ends where ${inWords[expected]} should be` };
    }
    const token = readToken(text, index);
    if (typeof token !== 'number') return token;
    const next = step(expected, text[index] ?? '', open);
    if (next === null) return { index, problem: unexpected(text, index, expected) };
    expected = next;
    index = token;
  }
}

/** The first name that an object of a valid text has twice, at its second location; null: none. */
export function findRepeatedName(text: string): { index: number; name: string } | null {
  /** The names of each open object; a list has none. */
  const open: Set<string>[] = [];
  let index = skipSpace(text, 0);
  while (index < text.length) {
    const first = text[index] ?? '';
    const end = tokenEnd(text, index);
    const next = skipSpace(text, end);
    if (first === '{' || first === '[') open.push(new Set());
    if (first === '}' || first === ']') open.pop();
    if (first === '"' && text[next] === ':') {
      const name: string = JSON.parse(text.slice(index, end));
      if (open.at(-1)?.has(name)) return { index, name };
      open.at(-1)?.add(name);
    }
    index = next;
  }
  return null;
}

function tokenEnd(text: string, start: number): number {
  const token = readToken(text, start);
  return typeof token === 'number' ? token : text.length;
}

/** The tokens that may come next. */
type Expected = keyof typeof inWords;

const inWords = {
  value: 'a value',
  firstItem: "a value or ']'",
  name: 'a name in double quotes',
  firstName: "a name in double quotes or '}'",
  colon: "':'",
  afterItem: "',' or ']'",
  afterField: "',' or '}'",
  end: 'the end',
} as const;

/** The next expectation after a token; null if the token was not expected. */
function step(expected: Expected, first: string, open: ('{' | '[')[]): Expected | null {
  switch (expected) {
    case 'colon':
      return first === ':' ? 'value' : null;
    case 'name':
      return first === '"' ? 'colon' : null;
    case 'firstName':
      if (first === '}') return close(open);
      return first === '"' ? 'colon' : null;
    case 'afterField':
      if (first === '}') return close(open);
      return first === ',' ? 'name' : null;
    case 'afterItem':
      if (first === ']') return close(open);
      return first === ',' ? 'value' : null;
    case 'end':
      return null;
    case 'firstItem':
      return first === ']' ? close(open) : afterValue(first, open);
    case 'value':
      return afterValue(first, open);
  }
}

function afterValue(first: string, open: ('{' | '[')[]): Expected | null {
  if (first === '{' || first === '[') {
    open.push(first);
    return first === '{' ? 'firstName' : 'firstItem';
  }
  return /["\-\dtfn]/.test(first) ? afterClosed(open) : null;
}

function close(open: ('{' | '[')[]): Expected {
  open.pop();
  return afterClosed(open);
}

function afterClosed(open: readonly ('{' | '[')[]): Expected {
  const around = open.at(-1);
  if (around === undefined) return 'end';
  return around === '{' ? 'afterField' : 'afterItem';
}

function skipSpace(text: string, from: number): number {
  let index = from;
  while (index < text.length && ' \t\n\r'.includes(text[index] ?? '')) index++;
  return index;
}

const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const literal = /true|false|null/y;
const escaped = /["\\/bfnrt]|u[\da-fA-F]{4}/y;

/** The end of a token, or a fault inside it. Unknown characters are left to the caller. */
function readToken(text: string, start: number): number | JsonFault {
  const first = text[start] ?? '';
  if (first === '"') return readString(text, start);
  const pattern = /[-\d]/.test(first) ? number : /[tfn]/.test(first) ? literal : null;
  if (pattern === null) return start + 1;
  pattern.lastIndex = start;
  const end = start + (pattern.exec(text)?.[0].length ?? 0);
  // Without a match, this is the first character again, which belongs to a word.
  const isWhole = !/[\w.+-]/.test(text[end] ?? '');
  return isWhole ? end : { index: start, problem: unexpected(text, start, 'value') };
}

function readString(text: string, start: number): number | JsonFault {
  for (let index = start + 1; index < text.length; index++) {
    const character = text[index] ?? '';
    if (character === '"') return index + 1;
    if (character < ' ') {
      return { index, problem: 'a control character in a string must be escaped' };
    }
    if (character !== '\\') continue;
    escaped.lastIndex = index + 1;
    const [found] = escaped.exec(text) ?? [];
    if (found === undefined) return { index, problem: 'a backslash in a string must be escaped' };
    index += found.length;
  }
  return { index: start, problem: 'a string is not closed' };
}

const shownLengthMax = 20;

function unexpected(text: string, index: number, expected: Expected): string {
  const rest = text.slice(index, index + shownLengthMax + 1);
  const [word = ''] = /^[\w'.+-]+|^./su.exec(rest) ?? [];
  return `expected ${inWords[expected]}, not '${shortText(word, shownLengthMax)}'`;
}
