/**
 * Splits TypeScript into tokens, as far as mutating it needs: comments, regular expressions and the
 * text of strings and templates are told from code, and brackets can be matched.
 */

/** `text` is what stands in a string, or in one piece of a template, without its quotes. */
export type TokenKind = 'word' | 'number' | 'text' | 'mark' | 'regex';

/** A piece of source that is not a comment. */
export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Longest first, so that `===` is not read as `==` and `=`. */
const marks = [
  ['>>>=', '...', '===', '!==', '**=', '<<=', '>>=', '>>>', '&&=', '||=', '??='],
  ['=>', '==', '!=', '<=', '>=', '&&', '||', '??', '?.', '++', '--', '+=', '-=', '*=', '/='],
  ['%=', '**', '<<', '>>', '&=', '|=', '^='],
].flat();

/** Words after which a slash begins a regular expression. */
const beforeRegex = /^(return|typeof|case|in|of|do|else|void|delete|throw|new|await|yield)$/;

/** The tokens of a source text, in order. A template has a mark for each backtick and brace. */
export function tokenize(source: string): Token[] {
  const tokens: Token[] = [];
  /** For each template that is open: how many braces are open in its present expression. */
  const templates: number[] = [];
  let at = 0;
  const add = (kind: TokenKind, end: number) => {
    tokens.push({ kind, text: source.slice(at, end), start: at, end });
    at = end;
  };
  const addTemplateText = () => {
    const end = endOfTemplateText(source, at);
    if (end > at) add('text', end);
    if (source[at] === '`') add('mark', at + 1);
    else {
      add('mark', at + 2);
      templates.push(0);
    }
  };
  while (at < source.length) {
    const rest = source.slice(at, at + 2);
    const char = rest[0] ?? '';
    if (/\s/.test(char)) at++;
    else if (rest === '//') at = endOf(source, '\n', at);
    else if (rest === '/*') at = endOf(source, '*/', at + 2);
    else if (char === "'" || char === '"') {
      add('mark', at + 1);
      add('text', endOfString(source, at, char));
      add('mark', at + 1);
    } else if (char === '`') {
      add('mark', at + 1);
      addTemplateText();
    } else if (char === '}' && templates.at(-1) === 0) {
      templates.pop();
      add('mark', at + 1);
      addTemplateText();
    } else if (/[\w$#]/.test(char) || (char === '.' && /\d/.test(rest[1] ?? ''))) {
      const pattern = /\d|\./.test(char) ? numberPattern : /[\w$#]+/y;
      pattern.lastIndex = at;
      const word = pattern.exec(source)?.[0] ?? char;
      add(/\d|\./.test(char) ? 'number' : 'word', at + word.length);
    } else if (char === '/' && canBeRegex(tokens.at(-1))) {
      add('regex', endOfRegex(source, at));
    } else {
      countBrace(templates, char);
      const mark = marks.find((each) => source.startsWith(each, at)) ?? char;
      // `a ?.5 : b` is the one place where these two marks are not one.
      const isNumber = mark === '?.' && /\d/.test(source[at + 2] ?? '');
      add('mark', at + (isNumber ? 1 : mark.length));
    }
  }
  return tokens;
}

const numberPattern = /0[xob][\da-f_]+n?|(\d[\d_]*)?\.?\d[\d_]*(e[+-]?\d+)?n?/iy;

function countBrace(templates: number[], char: string): void {
  const last = templates.length - 1;
  if (last < 0) return;
  if (char === '{') templates[last] = (templates[last] ?? 0) + 1;
  if (char === '}') templates[last] = (templates[last] ?? 0) - 1;
}

function endOf(source: string, what: string, from: number): number {
  const found = source.indexOf(what, from);
  return found < 0 ? source.length : found + what.length;
}

/** Where the text of a string ends, whose quote is at `at`, behind the first mark. */
function endOfString(source: string, at: number, quote: string): number {
  let end = at;
  while (end < source.length && source[end] !== quote) end += source[end] === '\\' ? 2 : 1;
  return end;
}

function endOfTemplateText(source: string, at: number): number {
  let end = at;
  while (end < source.length && source[end] !== '`' && !source.startsWith('${', end)) {
    end += source[end] === '\\' ? 2 : 1;
  }
  return end;
}

function endOfRegex(source: string, at: number): number {
  let isInClass = false;
  let end = at + 1;
  for (; end < source.length && (isInClass || source[end] !== '/'); end++) {
    if (source[end] === '\\') end++;
    else if (source[end] === '[') isInClass = true;
    else if (source[end] === ']') isInClass = false;
  }
  end++;
  while (/[a-z]/.test(source[end] ?? '')) end++;
  return end;
}

/** Whether a slash after this token begins a regular expression, rather than divides. */
function canBeRegex(before: Token | undefined): boolean {
  if (!before) return true;
  if (before.kind === 'word') return beforeRegex.test(before.text);
  return before.kind === 'mark' && !/^[)\]}'"`]$|^(\+\+|--)$/.test(before.text);
}
