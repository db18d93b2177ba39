/**
 * Parses the Markdown of our own docs: headings, paragraphs, lists, tables, code, links and
 * emphasis. Raw HTML stays text; comments and pictures are left out.
 */

/** A part of a page. */
export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly text: string; readonly id: string }
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'code'; readonly language: string; readonly text: string }
  | { readonly kind: 'list'; readonly isOrdered: boolean; readonly items: readonly Block[][] }
  | TableBlock;

/** A table; its cells are inline text. */
export interface TableBlock {
  readonly kind: 'table';
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A piece of inline text. */
export type Inline =
  | { readonly kind: 'text' | 'code'; readonly text: string }
  | { readonly kind: 'strong' | 'emphasis'; readonly inside: readonly Inline[] }
  | { readonly kind: 'link'; readonly to: string; readonly inside: readonly Inline[] };

/** The id of a heading, as Git servers make it. */
export function headingId(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');
}

/** The parts of a page, in order. */
export function parseMarkdown(text: string): Block[] {
  const lines = text.replaceAll(/^<!--[\s\S]*?-->$/gm, '').split('\n');
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length; ) {
    const [block, length] = blockAt(lines.slice(at));
    if (block) blocks.push(block);
    at += length;
  }
  return blocks;
}

/** The first block of some lines and its number of lines; null for an empty line. */
function blockAt(lines: readonly string[]): readonly [Block | null, number] {
  const [line = ''] = lines;
  if (line.trim() === '') return [null, 1];
  const [, marks, title] = /^(#{1,6}) (.+)$/.exec(line) ?? [];
  if (marks && title) {
    return [{ kind: 'heading', level: marks.length, text: title, id: headingId(title) }, 1];
  }
  if (line.startsWith('```')) return fencedCode(lines);
  if (line.startsWith('    ')) return indentedCode(lines);
  if (line.startsWith('|')) return table(lines);
  if (itemMark.test(line)) return list(lines);
  const end = lines.findIndex((each, index) => index > 0 && endsParagraph(each));
  const length = end < 0 ? lines.length : end;
  const text = lines.slice(0, length).join(' ').trim();
  return [{ kind: 'paragraph', text }, length];
}

const itemMark = /^(?:([-*])|(\d+)\.) +/;

function endsParagraph(line: string): boolean {
  return line.trim() === '' || /^(#{1,6} |```|\|)/.test(line) || itemMark.test(line);
}

function fencedCode(lines: readonly string[]): readonly [Block, number] {
  const end = lines.findIndex((line, index) => index > 0 && line.startsWith('```'));
  const length = end < 0 ? lines.length : end + 1;
  const [language = ''] = (lines[0] ?? '').slice(3).trim().split(' ');
  const text = lines.slice(1, end < 0 ? undefined : end).join('\n');
  return [{ kind: 'code', language, text }, length];
}

function indentedCode(lines: readonly string[]): readonly [Block, number] {
  const end = lines.findIndex((line) => line.trim() !== '' && !line.startsWith('    '));
  const length = end < 0 ? lines.length : end;
  const inside = lines.slice(0, length).map((line) => line.slice(4));
  return [{ kind: 'code', language: '', text: inside.join('\n').trimEnd() }, length];
}

function table(lines: readonly string[]): readonly [Block, number] {
  const end = lines.findIndex((line) => !line.startsWith('|'));
  const length = end < 0 ? lines.length : end;
  const [head = [], , ...rows] = lines.slice(0, length).map(cellsOf);
  return [{ kind: 'table', head, rows }, length];
}

/** The cells of a row; a bar inside code, or after a backslash, is part of its cell. */
function cellsOf(row: string): string[] {
  const cells = row.trim().match(/(?:`[^`]*`|\\\||[^|])+/g) ?? [];
  return cells.map((cell) => cell.trim().replaceAll('\\|', '|'));
}

function list(lines: readonly string[]): readonly [Block, number] {
  const isOrdered = /^\d/.test(lines[0] ?? '');
  const items: string[][] = [];
  let at = 0;
  for (; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const mark = itemMark.exec(line);
    if (mark) items.push([line.slice(mark[0].length)]);
    else if (/^ {2,}\S/.test(line)) items.at(-1)?.push(line.replace(/^ {2,3}/, ''));
    else if (line.trim() === '' && /^( {2,}\S)/.test(lines[at + 1] ?? '')) items.at(-1)?.push('');
    else break;
  }
  const blocks = items.map((inside) => parseMarkdown(inside.join('\n')));
  return [{ kind: 'list', isOrdered, items: blocks }, at];
}

/** Code, a picture, a link, strong and emphasized text. */
const inlineMarks = new RegExp(
  [
    /`([^`]+)`/,
    /!\[[^\]]*\]\([^)]*\)/,
    /\[((?:`[^`]*`|[^\]])+)\]\(([^)]*)\)/,
    /\*\*([^*]+)\*\*/,
    /\*([^*\s][^*]*)\*/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
);

/** The pieces of inline text. */
export function parseInline(text: string): Inline[] {
  const pieces: Inline[] = [];
  let from = 0;
  for (const found of text.matchAll(inlineMarks)) {
    if (found.index > from) pieces.push({ kind: 'text', text: text.slice(from, found.index) });
    from = found.index + found[0].length;
    const [, code, label, to, strong, emphasis] = found;
    if (code !== undefined) pieces.push({ kind: 'code', text: code });
    else if (label !== undefined && to !== undefined)
      pieces.push({ kind: 'link', to, inside: parseInline(label) });
    else if (strong !== undefined) pieces.push({ kind: 'strong', inside: parseInline(strong) });
    else if (emphasis !== undefined)
      pieces.push({ kind: 'emphasis', inside: parseInline(emphasis) });
  }
  if (from < text.length) pieces.push({ kind: 'text', text: text.slice(from) });
  return pieces;
}

/** Inline text without its marks. */
export function plainText(text: string): string {
  const plain = (pieces: readonly Inline[]): string =>
    pieces.map((piece) => ('inside' in piece ? plain(piece.inside) : piece.text)).join('');
  return plain(parseInline(text));
}
