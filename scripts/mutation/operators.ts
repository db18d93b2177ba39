/**
 * Mutation operators: those of rules.ts, and those that remove or swap whole expressions and
 * statements. Mutants that do not parse or only affect types are excluded later.
 */
import { type CodeRange, readCode } from './code.ts';
import { codeEdits, type Edit, sqlEdits } from './rules.ts';

/** All possible changes of a source text, in order. */
export function findEdits(source: string, isJsx = false): Edit[] {
  const { code, texts, flags, parts } = readCode(source, isJsx);
  const edits = [
    ...codeEdits(code),
    ...texts.flatMap(({ text, start }) => sqlEdits(text, start)),
    ...editsAt(code, /\s\?\?(?=\s)/g, removeDefault),
    ...editsAt(code, /(?<!else )\bif \(/g, removeGuard),
    ...editsAt(code, /(?<=\s)\?(?=\s)/g, (_, { end }) => swapBranches(code, end, source)),
    ...editsAt(code, /(?<=^|[;{})]\s*|\belse )(?!super\b)(await )?[\w$#]+/g, removeCall),
    ...flags.map((range) => removal('attribute', range)),
    ...parts.map((range) => removal('component', range)),
  ];
  return edits.sort((a, b) => a.start - b.start || a.end - b.end);
}

export function applyEdit(source: string, { start, end, text }: Edit): string {
  return source.slice(0, start) + text + source.slice(end);
}

function removal(operator: string, { start, end }: CodeRange): Edit {
  return { operator, start, end, text: '' };
}

function editsAt(
  code: string,
  pattern: RegExp,
  edit: (code: string, at: CodeRange) => Edit | null,
) {
  return [...code.matchAll(pattern)].flatMap(
    ({ 0: text, index }) => edit(code, { start: index, end: index + text.length }) ?? [],
  );
}

/** `a ?? b` becomes `a`. */
function removeDefault(code: string, { start, end }: CodeRange): Edit {
  const last = findEnd(code, end, /[,;]|(?<=\s)[?:](?=\s)|\s\?\?/y);
  return removal('default', { start, end: last });
}

const leaves = /^(\{[\s\S]*[;{}]\s*|\{\s*)?(return|continue|break)\b[^;]*;(\s*\})?$/;

/** Removes `if (…) return …;`, also as a block that ends with return, continue or break. */
function removeGuard(code: string, range: CodeRange): Edit | null {
  const behind = behindBracket(code, range.end - 1);
  const body = behind + code.slice(behind).search(/\S/);
  const end = code[body] === '{' ? behindBracket(code, body) : findEnd(code, body, /;/y) + 1;
  if (/^\s*else\b/.test(code.slice(end, end + 100))) return null;
  const isGuard = leaves.test(code.slice(body, end));
  return isGuard ? removal('guard', { start: range.start, end }) : null;
}

/** `a ? b : c` becomes `a ? c : b`; `start` is where b begins. */
function swapBranches(code: string, start: number, source: string): Edit | null {
  const colon = branchEnd(code, start);
  const end = branchEnd(code, colon + 1);
  const [one, other] = [source.slice(start, colon).trim(), source.slice(colon + 1, end).trim()];
  return code[colon] === ':'
    ? { operator: 'ternary', start, end, text: ` ${other} : ${one}` }
    : null;
}

/** The end of a ternary branch, including nested ternaries. */
function branchEnd(code: string, from: number): number {
  const at = findEnd(code, from, /[,;]|(?<=\s)[?:](?=\s)/y);
  return code[at] === '?' ? branchEnd(code, branchEnd(code, at + 1) + 1) : at;
}

const memberAccess = /\s*\??\.[\w$#]*/y;

/** Removes a statement that is only a call. */
function removeCall(code: string, { start, end }: CodeRange): Edit | null {
  let at = end;
  for (;;) {
    if (/[[(]/.test(code[at] ?? '')) at = behindBracket(code, at);
    else if (isAt(code, memberAccess, at)) at = memberAccess.lastIndex;
    else break;
  }
  // An empty block, since an `if` needs a statement.
  const isCall = code.startsWith(');', at - 1);
  return isCall ? { operator: 'statement', start, end: at + 1, text: '{}' } : null;
}

function isAt(code: string, pattern: RegExp, at: number): boolean {
  pattern.lastIndex = at;
  return pattern.test(code);
}

/** The index after the bracket that closes the one at `at`. */
function behindBracket(code: string, at: number): number {
  let depth = 0;
  for (let i = at; i < code.length; i++) {
    if (/[([{]/.test(code[i] ?? '')) depth++;
    if (/[)\]}]/.test(code[i] ?? '') && --depth === 0) return i + 1;
  }
  return code.length;
}

/** The first index from `at` on, outside brackets, of an end or a closing bracket. */
function findEnd(code: string, at: number, ends: RegExp): number {
  for (let i = at; i < code.length; ) {
    if (/[)\]}]/.test(code[i] ?? '') || isAt(code, ends, i)) return i;
    i = /[([{]/.test(code[i] ?? '') ? behindBracket(code, i) : i + 1;
  }
  return code.length;
}
