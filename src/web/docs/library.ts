/** The docs as pages: splits files, and resolves links. */
import type { MarkedToken } from 'marked';
import { type Cell, headingId, known, parseMarkdown, plainText } from './markdown.ts';

export interface DocFile {
  /** Its name in `docs/`. */
  readonly name: string;
  readonly text: string;
  /** The path of its first page. */
  readonly path: string;
  /** Its name in the contents. */
  readonly label: string;
  /** Whether each section is its own page. */
  readonly isCut?: boolean;
}

export interface DocPage {
  readonly path: string;
  readonly title: string;
  readonly file: DocFile;
  readonly blocks: readonly MarkedToken[];
}

/** A link target: a heading, or a name in the first column of a table. */
export interface DocEntry {
  readonly page: DocPage;
  readonly id: string;
  /** Its name and where it is, such as `value_range` of Set. */
  readonly name: string;
  readonly section: string;
  readonly isHeading: boolean;
  /** Its texts; those of a heading end at the next one, without rows that are entries. */
  readonly texts: readonly string[];
}

export interface Library {
  readonly files: readonly DocFile[];
  readonly pages: readonly DocPage[];
  readonly entries: readonly DocEntry[];
  findPage(path: string): DocPage | null;
  /** The address of a link on a page; null if it leads nowhere. */
  resolve(from: DocPage, link: string): string | null;
}

/** Sections before this line stay together on the first page of a file. */
const cutMark = '<!-- pages -->';

/** Splits files into pages. `sitePages` has the addresses of links to other files. */
export function makeLibrary(
  files: readonly DocFile[],
  sitePages: Readonly<Record<string, string>> = {},
): Library {
  const pages = files.flatMap(pagesOf);
  const entries = pages.flatMap(entriesOf);
  const byPath = new Map(pages.map((page) => [page.path, page]));
  const byId = new Map<string, DocEntry>();
  for (const entry of entries) {
    const name = `${entry.page.file.name}#${entry.id}`;
    if (!byId.has(name)) byId.set(name, entry);
  }
  const resolve = (from: DocPage, link: string): string | null => {
    if (link.startsWith('https://')) return link;
    const [name = '', id] = link.split('#');
    const file = files.find((each) => each.name === (name || from.file.name));
    if (!file) return sitePages[link] ?? null;
    if (id === undefined) return file.path;
    const entry = byId.get(`${file.name}#${id}`);
    if (!entry) return null;
    return entry.page === from ? `#${id}` : `${entry.page.path}#${id}`;
  };
  return { files, pages, entries, findPage: (path) => byPath.get(path) ?? null, resolve };
}

/** The first page has the title of the file. */
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

function entriesOf(page: DocPage): DocEntry[] {
  const entries = new Map<string, DocEntry>();
  const add = (entry: DocEntry) => {
    if (!entries.has(entry.id)) entries.set(entry.id, entry);
  };
  for (const { id, name, blocks } of sectionsOf(page)) {
    const section = id === headingId(page.title) ? page.file.label : plainText(page.title);
    add({ page, id, name, section, isHeading: true, texts: blocks.flatMap(textsOf) });
    for (const block of blocks) {
      if (block.type !== 'table') continue;
      for (const [first, ...others] of block.rows) {
        for (const named of namesIn(first)) {
          const entry = { page, id: rowId(id, named), name: named, section: name };
          add({ ...entry, isHeading: false, texts: [rowText(others)] });
        }
      }
    }
  }
  return [...entries.values()];
}

/** A heading, and the blocks up to the next one. */
interface Section {
  readonly id: string;
  readonly name: string;
  readonly blocks: MarkedToken[];
}

/** The sections of a page; the first one is under its title. */
function sectionsOf({ title, blocks }: DocPage): Section[] {
  let section: Section = { id: headingId(title), name: plainText(title), blocks: [] };
  const sections = [section];
  for (const block of blocks) {
    if (block.type !== 'heading') section.blocks.push(block);
    else {
      section = { id: headingId(block.text), name: plainText(block.tokens), blocks: [] };
      sections.push(section);
    }
  }
  return sections;
}

/** The texts of a block. Code is left out except for commands: it repeats the names of fields. */
function textsOf(block: MarkedToken): string[] {
  switch (block.type) {
    case 'paragraph':
    case 'text':
      return [plainText(block.tokens ?? [])];
    case 'code':
      return block.lang === 'sh' || !block.lang ? [block.text] : [];
    case 'list':
      return block.items.flatMap(({ tokens }) => known(tokens).flatMap(textsOf));
    case 'table':
      return block.rows.filter(([first]) => namesIn(first).length === 0).map(rowText);
    default:
      return [];
  }
}

/** The cells of a row, separated by dots unless a sentence ends. */
function rowText(cells: readonly Cell[]): string {
  return cells
    .map(({ tokens }) => plainText(tokens))
    .filter((cell) => cell !== '')
    .join(' · ')
    .replaceAll('. · ', '. ');
}

/** The names in the first cell of a row, which are written as code. */
export function namesIn(cell: Cell | undefined): string[] {
  return known(cell?.tokens).flatMap((token) => (token.type === 'codespan' ? [token.text] : []));
}

/** The ID of a name in a table, such as `set.value_range`. */
export function rowId(heading: string, name: string): string {
  return `${heading}.${name.toLowerCase().replaceAll(/[^\w.-]+/g, '-')}`;
}
