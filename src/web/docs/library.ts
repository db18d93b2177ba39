/** The docs as pages: which files are shown, how they are cut, where links lead. */
import { type Block, headingId, parseInline, parseMarkdown, plainText } from './markdown.ts';

/** A file of docs, as it is shown. */
export interface DocFile {
  /** Its name in `docs/`, which other files link to. */
  readonly name: string;
  readonly text: string;
  /** Where its first page is. */
  readonly path: string;
  /** What it is called in the contents. */
  readonly label: string;
  /** Whether each of its sections is a page, or all of it is one. */
  readonly isCut: boolean;
}

/** One page. */
export interface DocPage {
  readonly path: string;
  readonly title: string;
  readonly file: DocFile;
  readonly blocks: readonly Block[];
}

/** Something that can be linked to: a heading, or a name in the first column of a table. */
export interface DocEntry {
  readonly page: DocPage;
  readonly id: string;
  /** What it is called, and where: `value_range` of Set. */
  readonly name: string;
  readonly place: string;
  /** What is said of it. */
  readonly text: string;
}

/** Everything that is shown, in order. */
export interface Library {
  readonly files: readonly DocFile[];
  readonly pages: readonly DocPage[];
  readonly entries: readonly DocEntry[];
  findPage(path: string): DocPage | null;
  /** Where a link of a page leads; null where the docs have no such place. */
  resolve(from: DocPage, link: string): string | null;
}

/** Sections before this line stay together on the first page of a file. */
const cutMark = '<!-- pages -->';

/** Makes pages of files. */
export function makeLibrary(files: readonly DocFile[]): Library {
  const pages = files.flatMap(pagesOf);
  const entries = pages.flatMap(entriesOf);
  const byPath = new Map(pages.map((page) => [page.path, page]));
  const byId = new Map<string, DocEntry>();
  for (const entry of entries) {
    const name = `${entry.page.file.name}#${entry.id}`;
    if (!byId.has(name)) byId.set(name, entry);
  }
  const resolve = (from: DocPage, link: string): string | null => {
    const [name = '', id] = link.split('#');
    const file = files.find((each) => each.name === (name || from.file.name));
    if (!file) return null;
    if (id === undefined) return file.path;
    const entry = byId.get(`${file.name}#${id}`);
    if (!entry) return null;
    return entry.page === from ? `#${id}` : `${entry.page.path}#${id}`;
  };
  return { files, pages, entries, findPage: (path) => byPath.get(path) ?? null, resolve };
}

/** The pages of a file. What a file is called is the title of its first page. */
function pagesOf(file: DocFile): DocPage[] {
  const [first = '', rest] = file.text.split(cutMark);
  const [title = file.label, ...intro] = splitTitle(first);
  const head: DocPage = { path: file.path, title, file, blocks: parseMarkdown(intro.join('\n')) };
  if (!file.isCut) {
    return [{ ...head, blocks: [...head.blocks, ...parseMarkdown(rest ?? '')] }];
  }
  const sections = (rest ?? '').split(/^## /m).slice(1);
  return [
    head,
    ...sections.map((section): DocPage => {
      const [name = '', ...lines] = section.split('\n');
      const path = `${file.path}/${headingId(name)}`;
      return { path, title: name, file, blocks: parseMarkdown(lines.join('\n')) };
    }),
  ];
}

/** The title of a file, then its lines. */
function splitTitle(text: string): string[] {
  const [first = '', ...lines] = text.split('\n');
  return [first.replace(/^# /, ''), ...lines];
}

/** What can be linked to on a page. */
function entriesOf(page: DocPage): DocEntry[] {
  const { title, blocks } = page;
  const entries = new Map<string, DocEntry>();
  const add = (entry: Omit<DocEntry, 'page'>) => {
    if (!entries.has(entry.id)) entries.set(entry.id, { page, ...entry });
  };
  const top = headingId(title);
  add({ id: top, name: plainText(title), place: page.file.label, text: textAfter(blocks, -1) });
  let under = { id: top, name: plainText(title) };
  for (const [index, block] of blocks.entries()) {
    if (block.kind === 'heading') {
      under = { id: block.id, name: plainText(block.text) };
      add({ ...under, place: plainText(title), text: textAfter(blocks, index) });
    }
    if (block.kind !== 'table') continue;
    for (const [first = '', ...others] of block.rows) {
      for (const name of namesIn(first)) {
        const text = plainText(others.at(-1) ?? '');
        add({ id: rowId(under.id, name), name, place: under.name, text });
      }
    }
  }
  return [...entries.values()];
}

/** The names in the first cell of a row: what is written as code. */
export function namesIn(cell: string): string[] {
  return parseInline(cell).flatMap((piece) => (piece.kind === 'code' ? [piece.text] : []));
}

/** Under what a name in a table is linked to, such as `set.value_range`. */
export function rowId(heading: string, name: string): string {
  return `${heading}.${name.toLowerCase().replaceAll(/[^\w.-]+/g, '-')}`;
}

/** The paragraph that follows a heading. */
function textAfter(blocks: readonly Block[], index: number): string {
  const next = blocks.slice(index + 1).find(({ kind }) => kind !== 'code' && kind !== 'table');
  return next?.kind === 'paragraph' ? plainText(next.text) : '';
}
