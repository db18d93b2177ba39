/** Tells code from comments, regular expressions and the text of strings and templates. */

const comments = /\/\/[^\n]*|\/\*[\s\S]*?\*\//y;
const regexes = /\/(\\.|\[(\\.|[^\]\\])*\]|[^/\\[\n])+\/[a-z]*/y;
const plain = /[^'"`{}/]+/y;
const textsByQuote: Readonly<Record<string, RegExp>> = {
  "'": /(\\[\s\S]|[^\\'])*/y,
  '"': /(\\[\s\S]|[^\\"])*/y,
  '`': /(\\[\s\S]|\$(?!\{)|[^\\`$])*/y,
};

/** What a slash follows when it begins a regular expression, rather than divides. */
const beforeRegex = /(^|[^\w)\]}'"`\s]|\b(return|typeof|case|in|of|else|throw|await|yield))\s*$/;

/** Type arguments of calls, whose commas would be taken for those of expressions. */
const typeArguments = /(?<=\w)<[\w\s,.|[\]{}:'"]+>(?=\()/g;

/**
 * The code of a source text, in which comments are blanks and every character of a text is an `x`;
 * and the texts of strings and pieces of templates, with where they begin.
 */
export function readCode(source: string) {
  let code = '';
  const texts: { text: string; start: number }[] = [];
  /** For each open template, how many braces are open in its current expression. */
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
