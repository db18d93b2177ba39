/** Separates code from comments, regular expressions, strings and templates. */

const comments = /\/\/[^\n]*|\/\*[\s\S]*?\*\//y;
const regexes = /\/(\\.|\[(\\.|[^\]\\])*\]|[^/\\[\n])+\/[a-z]*/y;
const plain = /[^'"`{}/]+/y;
const textsByQuote: Readonly<Record<string, RegExp>> = {
  "'": /(\\[\s\S]|[^\\'])*/y,
  '"': /(\\[\s\S]|[^\\"])*/y,
  '`': /(\\[\s\S]|\$(?!\{)|[^\\`$])*/y,
};

/** After these, a slash starts a regular expression instead of a division. */
const beforeRegex = /(^|[^\w)\]}'"`\s]|\b(return|typeof|case|in|of|else|throw|await|yield))\s*$/;

/** Type arguments of calls, whose commas would be mistaken for those of expressions. */
const typeArguments = /(?<=\w)<[\w\s,.|[\]{}:'"]+>(?=\()/g;

/**
 * The code with comments as blanks and each character of a string as `x`, and the strings and
 * template parts with their positions.
 */
export function readCode(source: string) {
  let code = '';
  const texts: { text: string; start: number }[] = [];
  /** For each open template, the number of open braces in its current expression. */
  const templates: number[] = [];
  const match = (pattern: RegExp) => {
    pattern.lastIndex = code.length;
    return pattern.exec(source)?.[0] ?? '';
  };
  const takeText = (quote: string) => {
    const text = match(textsByQuote[quote] ?? /$/y);
    texts.push({ text, start: code.length });
    code += 'x'.repeat(text.length);
    const end = source.startsWith('${', code.length) ? '${' : quote;
    if (end === '${') templates.push(0);
    code += end;
  };
  while (code.length < source.length) {
    const start = code.length;
    code += match(plain) || ' '.repeat(match(comments).length);
    if (code.length > start) continue;
    if (beforeRegex.test(code.slice(-20))) code += 'x'.repeat(match(regexes).length);
    if (code.length > start) continue;
    const char = source[start] ?? '';
    code += char;
    const depth = templates.at(-1);
    if (char in textsByQuote) takeText(char);
    else if (char === '}' && depth === 0) {
      templates.pop();
      takeText('`');
    } else if (depth !== undefined && /[{}]/.test(char)) {
      templates[templates.length - 1] = depth + (char === '{' ? 1 : -1);
    }
  }
  return { code: code.replace(typeArguments, (types) => 'x'.repeat(types.length)), texts };
}
