/**
 * What mutation testing changes: every place of a source text where a small mistake could have been
 * made, with the mistake. What is no program, or changes a type alone, is found out later, by
 * transpiling it. Fault messages and comments are never touched.
 */
import { sqlEdits } from './sql-operators.ts';
import { type Token, tokenize } from './tokens.ts';

/** A piece of text that takes the place of another. */
export interface Edit {
  readonly operator: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Every mistake that could be made in a source text, in the order of the text. */
export function findEdits(source: string): Edit[] {
  const tokens = tokenize(source);
  const code = new Code(source, tokens);
  const edits = tokens.flatMap((token, index) => [
    ...swappedMarks(code, index),
    ...literals(token, code.at(index - 1), code.at(index + 1)),
    ...swappedNames(token, code.at(index - 1)),
    ...defaults(code, index),
    ...guards(code, index),
    ...ternaries(code, index),
    ...awaits(code, index),
    ...statements(code, index),
    ...(token.kind === 'text' ? sqlEdits(token.text, token.start) : []),
  ]);
  return edits.sort((a, b) => a.start - b.start || a.end - b.end);
}

/** The source text with a mistake in it. */
export function applyEdit(source: string, { start, end, text }: Edit): string {
  return source.slice(0, start) + text + source.slice(end);
}

/** Tokens, and where the expressions and brackets that begin at them end. */
class Code {
  constructor(
    readonly source: string,
    readonly tokens: readonly Token[],
  ) {}

  at(index: number): Token | undefined {
    return this.tokens[index];
  }

  text(index: number): string {
    const token = this.tokens[index];
    return token && token.kind !== 'text' ? token.text : '';
  }

  /** Whether there are blanks around a mark, as around comparisons and not around types. */
  isSpaced(index: number): boolean {
    const token = this.tokens[index];
    const around = token && [this.source[token.start - 1], this.source[token.end]];
    return around?.every((char) => /\s/.test(char ?? '')) ?? false;
  }

  /** The index behind the bracket that closes the one at `index`. */
  behindBracket(index: number): number {
    let depth = 0;
    for (let i = index; i < this.tokens.length; i++) {
      if (this.isOpening(i)) depth++;
      if (this.isClosing(i) && --depth === 0) return i + 1;
    }
    return this.tokens.length;
  }

  /** The index of the first token behind `index` at its depth that is one of the marks. */
  find(index: number, isEnd: (text: string) => boolean): number {
    for (let i = index; i < this.tokens.length; ) {
      if (isEnd(this.text(i)) || this.isClosing(i)) return i;
      i = this.isOpening(i) ? this.behindBracket(i) : i + 1;
    }
    return this.tokens.length;
  }

  private isOpening(index: number): boolean {
    const text = this.text(index);
    return /^([([{]|\$\{)$/.test(text) || (text === '<' && !this.isSpaced(index));
  }

  /** The end of an arrow is one mark, so that a bracket of types is told from it. */
  private isClosing(index: number): boolean {
    const text = this.text(index);
    return /^[)\]}]$/.test(text) || (text === '>' && !this.isSpaced(index));
  }
}

const isExpressionEnd = (text: string) => /^([,;:?]|\?\?)$/.test(text);

const swaps: ReadonlyMap<string, readonly [operator: string, text: string]> = new Map([
  ['<', ['boundary', '<=']],
  ['<=', ['boundary', '<']],
  ['>', ['boundary', '>=']],
  ['>=', ['boundary', '>']],
  ['===', ['equality', '!==']],
  ['!==', ['equality', '===']],
  ['&&', ['logic', '||']],
  ['||', ['logic', '&&']],
  ['+', ['arithmetic', '-']],
  ['-', ['arithmetic', '+']],
  ['*', ['arithmetic', '/']],
  ['/', ['arithmetic', '*']],
  ['%', ['arithmetic', '*']],
  ['+=', ['arithmetic', '-=']],
  ['-=', ['arithmetic', '+=']],
  ['*=', ['arithmetic', '/=']],
  ['/=', ['arithmetic', '*=']],
  ['++', ['arithmetic', '--']],
  ['--', ['arithmetic', '++']],
  ['??=', ['default', '=']],
  ['!', ['negation', '']],
]);

function swappedMarks(code: Code, index: number): Edit[] {
  const token = code.at(index);
  const swap = token?.kind === 'mark' ? swaps.get(token.text) : undefined;
  if (!token || !swap) return [];
  const [operator, text] = swap;
  // What follows no operand is a sign, or the star of a generator or an import.
  if (operator === 'arithmetic' && token.text.length === 1 && !isOperandEnd(code.at(index - 1))) {
    return [];
  }
  if (operator === 'boundary' && !code.isSpaced(index)) return [];
  return [{ operator, start: token.start, end: token.end, text }];
}

function isOperandEnd(token: Token | undefined): boolean {
  if (!token) return false;
  if (token.kind !== 'mark') {
    return !/^(return|case|typeof|yield|await|function|import|export|of|in)$/.test(token.text);
  }
  return /^[)\]}'"`]$/.test(token.text);
}

function literals(token: Token, before: Token | undefined, after: Token | undefined): Edit[] {
  const isName = before?.text === '.' || before?.text === '?.' || after?.text === ':';
  const { start, end, kind } = token;
  if (kind === 'word' && /^(true|false)$/.test(token.text) && (!isName || before?.text === '?')) {
    const text = token.text === 'true' ? 'false' : 'true';
    return [{ operator: 'boolean', start, end, text }];
  }
  const value = Number(token.text.replaceAll('_', ''));
  if (kind !== 'number' || !Number.isFinite(value)) return [];
  // Odd ones go down and all others up, so that 1 becomes 0, and nothing becomes negative.
  const text = String(value % 2 === 1 ? value - 1 : value + 1);
  return [{ operator: 'number', start, end, text }];
}

const otherNames: ReadonlyMap<string, string> = new Map([
  ['min', 'max'],
  ['max', 'min'],
  ['floor', 'ceil'],
  ['ceil', 'floor'],
  ['some', 'every'],
  ['every', 'some'],
]);

function swappedNames({ kind, text, start, end }: Token, before: Token | undefined): Edit[] {
  const other = kind === 'word' && before?.text === '.' ? otherNames.get(text) : undefined;
  return other === undefined ? [] : [{ operator: 'method', start, end, text: other }];
}

/** `a ?? b` without `?? b`. */
function defaults(code: Code, index: number): Edit[] {
  const token = code.at(index);
  if (!token || code.text(index) !== '??') return [];
  const last = code.at(code.find(index + 1, isExpressionEnd) - 1) ?? token;
  return [{ operator: 'default', start: token.start, end: last.end, text: '' }];
}

const leaves = /^(return|continue|break)$/;

/** `if (…) return …;` without all of it. */
function guards(code: Code, index: number): Edit[] {
  const token = code.at(index);
  if (!token || code.text(index) !== 'if' || code.text(index - 1) === 'else') return [];
  const body = code.behindBracket(index + 1);
  const isBlock = code.text(body) === '{';
  if (!isBlock && !leaves.test(code.text(body))) return [];
  const behind = isBlock ? code.behindBracket(body) : code.find(body, (text) => text === ';') + 1;
  if (code.text(behind) === 'else' || (isBlock && !endsByLeaving(code, body, behind))) return [];
  const last = code.at(behind - 1) ?? token;
  return [{ operator: 'guard', start: token.start, end: last.end, text: '' }];
}

/** Whether the last statement of a block leaves what the block is in. */
function endsByLeaving(code: Code, body: number, behind: number): boolean {
  let last = body + 1;
  for (let i = body + 1; i < behind - 1; ) {
    last = i;
    i = code.find(i, (text) => text === ';') + 1;
  }
  return leaves.test(code.text(last));
}

/** `a ? b : c` with b and c in each other's place. */
function ternaries(code: Code, index: number): Edit[] {
  if (code.text(index) !== '?' || /^[:),=\]]$/.test(code.text(index + 1))) return [];
  const colon = findColon(code, index + 1);
  if (code.text(colon) !== ':') return [];
  const behind = findEnd(code, colon + 1);
  const slice = (from: number, to: number) => {
    const [first, last] = [code.at(from), code.at(to - 1)];
    return first && last ? code.source.slice(first.start, last.end) : '';
  };
  const [one, other] = [slice(index + 1, colon), slice(colon + 1, behind)];
  const start = code.at(index)?.end ?? 0;
  const end = code.at(behind - 1)?.end ?? 0;
  return [{ operator: 'ternary', start, end, text: ` ${other} : ${one}` }];
}

/** The colon of a ternary, past those of ternaries in its first branch. */
function findColon(code: Code, from: number): number {
  let open = 1;
  let at = from;
  for (;;) {
    at = code.find(at, (text) => /^[,;:?]$/.test(text));
    if (code.text(at) === '?') open++;
    else if (code.text(at) !== ':' || --open === 0) return at;
    at++;
  }
}

/** The end of the last branch of a ternary, past those in it. */
function findEnd(code: Code, from: number): number {
  const end = code.find(from, (text) => /^[,;:?]$/.test(text));
  return code.text(end) === '?' ? findEnd(code, findColon(code, end + 1) + 1) : end;
}

function awaits(code: Code, index: number): Edit[] {
  const [token, next] = [code.at(index), code.at(index + 1)];
  if (!token || !next || code.text(index) !== 'await' || code.text(index - 1) === 'for') return [];
  return [{ operator: 'await', start: token.start, end: next.start, text: '' }];
}

const notCalled = /^(return|throw|if|for|while|switch|super|import|const|let|function|new)$/;

/** A statement that is nothing but a call, taken out. */
function statements(code: Code, index: number): Edit[] {
  const token = code.at(index);
  if (token?.kind !== 'word' || notCalled.test(token.text)) return [];
  if (!/^[;{})]?$/.test(code.text(index - 1))) return [];
  let at = code.text(index) === 'await' ? index + 2 : index + 1;
  while (/^([.[(]|\?\.)$/.test(code.text(at))) {
    at = /^[[(]$/.test(code.text(at)) ? code.behindBracket(at) : at + 2;
    if (/^[[(]$/.test(code.text(at - 1))) at = code.behindBracket(at - 1);
  }
  if (code.text(at - 1) !== ')' || code.text(at) !== ';') return [];
  const end = code.at(at)?.end ?? token.end;
  // An empty block stays, where a statement has to be: an `if` takes no empty one.
  return [{ operator: 'statement', start: token.start, end, text: '{}' }];
}
