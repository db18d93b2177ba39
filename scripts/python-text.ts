/** Lays out Python code and docstrings within the line length, one element per line if needed. */

const lineLengthMax = 100;
const step = '    ';

/** Code: a word, a list in brackets, a union, or code between two words. */
export type Part =
  | string
  | { readonly open: string; readonly items: readonly Part[]; readonly close: string }
  | { readonly union: readonly Part[] }
  | { readonly before: string; readonly inner: Part; readonly after: string };

export function list(open: string, items: readonly Part[], close: string): Part {
  return { open, items, close };
}

/** A union of types; a single one is itself. */
export function union(types: readonly Part[]): Part {
  const [only = '', ...others] = types;
  return others.length === 0 ? only : { union: types };
}

export function literal(values: readonly unknown[]): Part {
  return list('Literal[', values.map(literalText), ']');
}

function literalText(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return JSON.stringify(value);
}

/** On one line. */
export function flat(part: Part): string {
  if (typeof part === 'string') return part;
  if ('union' in part) return part.union.map(flat).join(' | ');
  if ('inner' in part) return `${part.before}${flat(part.inner)}${part.after}`;
  return `${part.open}${part.items.map(flat).join(', ')}${part.close}`;
}

/** On one line if it fits; `before` starts the line, with its indentation. */
export function laidOut(before: string, part: Part, after = ''): string {
  const line = `${before}${flat(part)}${after}`;
  if (line.length <= lineLengthMax || typeof part === 'string') return line;
  const [indent = ''] = /^ */.exec(before) ?? [];
  if ('inner' in part)
    return laidOut(`${before}${part.before}`, part.inner, `${part.after}${after}`);
  if ('union' in part) {
    const lines = part.union.map((each, index) =>
      laidOut(`${indent}${step}${index === 0 ? '' : '| '}`, each),
    );
    return [`${before}(`, ...lines, `${indent})${after}`].join('\n');
  }
  const lines = part.items.map((each) => laidOut(`${indent}${step}`, each, ','));
  return [`${before}${part.open}`, ...lines, `${indent}${part.close}${after}`].join('\n');
}

/** A docstring; blocks of lines follow, each after an empty line. */
export function docText(
  text: string,
  indent: string,
  blocks: readonly (readonly string[])[] = [],
): string {
  const line = `${indent}"""${escaped(text)}"""`;
  if (blocks.length === 0 && line.length <= lineLengthMax) return line;
  const lines = blocks.flatMap((block) => [
    '',
    ...block.map((each) => wrapped(escaped(each), indent)),
  ]);
  return [wrapped(`"""${escaped(text)}`, indent), ...lines, `${indent}"""`].join('\n');
}

function wrapped(text: string, indent: string): string {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1) ?? indent}${lines.length > 0 ? ' ' : ''}${word}`;
    if (lines.length === 0 || longer.length > lineLengthMax) lines.push(`${indent}${word}`);
    else lines[lines.length - 1] = longer;
  }
  return lines.join('\n');
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"""', '\\"\\"\\"').replace(/"$/, '\\"');
}
