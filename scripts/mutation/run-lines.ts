/**
 * Which lines have to be run for a mistake to matter. What is inside a function matters when its
 * line is run. A constant of the file is made whenever the file is imported, which says nothing:
 * it matters where it is used.
 */

/** A constant that begins at the left margin, as only those of the file do. */
const constant = /^(?:export )?const (\w+)\b(?!.*=>)/;

/** The lines, counted from 1, of which one has to be run. */
export function linesToRun(source: string, line: number): number[] {
  const lines = source.split('\n');
  const found = new Set<number>();
  const visited = new Set<string>();
  const visit = (at: number) => {
    const name = constantAt(lines, at);
    if (name === null) found.add(at);
    if (name === null || visited.has(name)) return;
    visited.add(name);
    const use = new RegExp(`\\b${name}\\b`);
    for (const [index, text] of lines.entries()) {
      if (use.test(text) && constantAt(lines, index + 1) !== name) visit(index + 1);
    }
  };
  visit(line);
  return found.size > 0 ? [...found].sort((a, b) => a - b) : [line];
}

/** The constant of the file that a line is in; null when it is in something else. */
function constantAt(lines: readonly string[], line: number): string | null {
  for (let at = line - 1; at >= 0; at--) {
    const text = lines[at] ?? '';
    // Whatever else begins at the margin is no part of a constant, but what closes one is.
    if (/^[\w/@]/.test(text)) return constant.exec(text)?.[1] ?? null;
  }
  return null;
}
