/** Separates code from comments, regular expressions, strings, templates and the text of JSX. */

const comments = /\/\/[^\n]*|\/\*[\s\S]*?\*\//y;
const regexes = /\/(\\.|\[(\\.|[^\]\\])*\]|[^/\\[\n])+\/[a-z]*/y;
const plain = /[^'"`{}/<]+/y;
const textsByQuote: Readonly<Record<string, RegExp>> = {
  "'": /(\\[\s\S]|[^\\'])*/y,
  '"': /(\\[\s\S]|[^\\"])*/y,
  '`': /(\\[\s\S]|\$(?!\{)|[^\\`$])*/y,
};

const blanks = /\s+/y;
const nameOfTag = /<[\w.]*/y;
const attribute = /[\w:-]+/y;
const attributeText = /=("[^"]*")?/y;
const endOfTag = /\/?>/y;
const closingTag = /<\/[\w.]*\s*>/y;
const textOfElement = /[^<{]+/y;

/** After these, a slash starts a regular expression and `<` an element, instead of operators. */
const beforeOperand = /(^|[^\w)\]}'"`\s]|\b(return|typeof|case|in|of|else|throw|await|yield))\s*$/;

/** Type arguments of calls, whose commas would be mistaken for those of expressions. */
const typeArguments = /(?<=\w)<[\w\s,.|[\]{}:'"]+>(?=\()/g;

/** A range of the source. */
export type CodeRange = Readonly<{ start: number; end: number }>;

/**
 * The code with comments as blanks and each character of strings, tags and text between tags as
 * `x`; the strings and template parts with their positions; of JSX, attributes without a value, and
 * components without children in other elements.
 */
export function readCode(source: string, isJsx = false) {
  const { code, texts, flags, parts } = new Reader(source, isJsx);
  return {
    code: code.replace(typeArguments, (types) => 'x'.repeat(types.length)),
    texts,
    flags,
    parts,
  };
}

class Reader {
  code = '';
  readonly texts: { text: string; start: number }[] = [];
  readonly flags: CodeRange[] = [];
  readonly parts: CodeRange[] = [];

  constructor(
    private readonly source: string,
    private readonly isJsx: boolean,
  ) {
    this.takeBlock();
  }

  /** Up to the brace that closes the block, or to the end. */
  private takeBlock(): void {
    for (let depth = 0; this.code.length < this.source.length; ) {
      const start = this.code.length;
      this.code += this.match(plain) || ' '.repeat(this.match(comments).length);
      if (this.code.length > start) continue;
      const char = this.source[start] ?? '';
      const isExpression = /[/<]/.test(char) && beforeOperand.test(this.code.slice(-20));
      if (isExpression && char === '<' && this.isJsx) this.takeElement();
      else if (isExpression) this.mask(regexes);
      if (this.code.length > start) continue;
      if (char === '{') depth++;
      if (char === '}' && depth-- === 0) return;
      this.code += char;
      if (char in textsByQuote) this.takeText(char);
    }
  }

  /** A string up to its quote, or a template with the code inside. */
  private takeText(quote: string): void {
    const start = this.code.length;
    this.mask(textsByQuote[quote] ?? /$/y);
    this.texts.push({ text: this.source.slice(start, this.code.length), start });
    if (!this.source.startsWith('${', this.code.length)) {
      this.code += quote;
      return;
    }
    this.code += '$';
    this.takeBraces();
    this.takeText(quote);
  }

  private takeBraces(): void {
    this.code += '{';
    this.takeBlock();
    this.code += '}';
  }

  /** An element from its first tag to its last; whether it is a component without children. */
  private takeElement(): boolean {
    const name = this.mask(nameOfTag);
    for (let end = this.mask(endOfTag); end !== '>'; end = this.mask(endOfTag)) {
      if (end === '/>') return /^<[A-Z]/.test(name);
      this.takeAttribute();
    }
    while (this.mask(closingTag) === '') {
      const start = this.code.length;
      if (this.source[start] === '{') this.takeBraces();
      else if (this.source[start] !== '<') this.mask(textOfElement);
      else if (this.takeElement()) this.parts.push({ start, end: this.code.length });
      this.expectBehind(start);
    }
    return false;
  }

  private takeAttribute(): void {
    const before = this.code.length;
    this.code += this.match(blanks);
    this.code += ' '.repeat(this.match(comments).length);
    const start = this.code.length;
    if (this.mask(attribute) !== '' && this.mask(attributeText) === '') {
      this.flags.push({ start, end: this.code.length });
    }
    if (this.source[this.code.length] === '{') this.takeBraces();
    this.expectBehind(before);
  }

  private expectBehind(start: number): void {
    if (this.code.length > start) return;
    throw new Error(`This is not JSX: ${this.source.slice(start, start + 40)}`);
  }

  /** Adds what matches as `x`, and returns it. */
  private mask(pattern: RegExp): string {
    const text = this.match(pattern);
    this.code += 'x'.repeat(text.length);
    return text;
  }

  private match(pattern: RegExp): string {
    pattern.lastIndex = this.code.length;
    return pattern.exec(this.source)?.[0] ?? '';
  }
}
