/** The docs as pages: how files are cut, where links lead, and what is found. */
import { describe, expect, test } from 'bun:test';
import { docFiles } from './files.ts';
import { type DocFile, type DocPage, makeLibrary } from './library.ts';
import { llmsFullText, llmsText } from './llms.ts';
import { searchDocs } from './search.ts';

const file = (name: string, text: string, isCut = true): DocFile => ({
  name: `${name}.md`,
  text,
  path: `/docs/${name}`,
  label: name,
  isCut,
});

const guide = `# Guide

First.

## Start

<!-- pages -->

## Sets

### Set

| field | type | description |
|---|---|---|
| \`value_range\` | number | The range. |
| \`low\`, \`high\` | number | Its ends. |

## Errors

Value of errors.
`;
const library = makeLibrary([file('guide', guide), file('more', '# More\n\n## Sets\n', false)]);
const pageAt = (path: string): DocPage => {
  const page = library.findPage(path);
  if (!page) throw new Error(`There is no ${path}.`);
  return page;
};

describe('pages', () => {
  test('sections after the mark are pages of their own; those before it are the first', () => {
    expect(library.pages.map(({ path, title }) => [path, title])).toEqual([
      ['/docs/guide', 'Guide'],
      ['/docs/guide/sets', 'Sets'],
      ['/docs/guide/errors', 'Errors'],
      ['/docs/more', 'More'],
    ]);
    expect(library.findPage('/docs/guide/start')).toBeNull();
  });

  test('links lead to the page that has the place, and nowhere when none has it', () => {
    const from = pageAt('/docs/guide/sets');
    const resolve = (link: string) => library.resolve(from, link);
    expect(resolve('#set.value_range')).toBe('#set.value_range');
    expect(resolve('#set.high')).toBe('#set.high');
    expect(resolve('#errors')).toBe('/docs/guide/errors#errors');
    expect(resolve('guide.md#start')).toBe('/docs/guide#start');
    expect(resolve('more.md')).toBe('/docs/more');
    expect(resolve('more.md#sets')).toBe('/docs/more#sets');
    expect(resolve('#nowhere')).toBeNull();
    expect(resolve('operations.md')).toBeNull();
    expect(resolve('https://example.com/')).toBeNull();
  });
});

describe('search', () => {
  const find = (typed: string) =>
    searchDocs(library.entries, typed).map(({ page, id }) => `${page.path}#${id}`);

  test('names come before places, and places before text', () => {
    expect(find('VALUE')).toEqual([
      '/docs/guide/sets#set.value_range',
      '/docs/guide/errors#errors',
    ]);
    expect(find('errors')[0]).toBe('/docs/guide/errors#errors');
    expect(find(' range  low ')).toEqual([]);
    expect(find('set low')).toEqual(['/docs/guide/sets#set.low']);
  });

  test('nothing is found for nothing, and no more than forty for anything', () => {
    expect(find('  ')).toEqual([]);
    expect(find('no such thing')).toEqual([]);
    const many = makeLibrary(docFiles);
    expect(searchDocs(many.entries, 'e')).toHaveLength(40);
    expect(searchDocs(many.entries, 'value_range')[0]?.id).toBe('set.value_range');
    expect(searchDocs(many.entries, 'QuotaExceeded')[0]?.page.path).toBe('/docs/errors');
  });
});

describe('our own files', () => {
  const docs = makeLibrary(docFiles);

  test('no two pages have one address, and every link between them leads somewhere', () => {
    const paths = docs.pages.map(({ path }) => path);
    expect(paths).toHaveLength(new Set(paths).size);
    const names = docFiles.map(({ name }) => name);
    const broken = docs.pages.flatMap((page) =>
      [...JSON.stringify(page.blocks).matchAll(/\]\(([^)]*)\)/g)]
        .map(([, link = '']) => link)
        .filter((link) => link.startsWith('#') || names.includes(link.split('#')[0] ?? ''))
        .filter((link) => docs.resolve(page, link) === null)
        .map((link) => `${page.path}: ${link}`),
    );
    expect(broken).toEqual([]);
  });

  test('the index for programs lists every page, and the text for them has every file', () => {
    const index = llmsText(docs);
    expect(docs.pages.filter(({ path }) => !index.includes(`(${path})`))).toEqual([]);
    const full = llmsFullText(docs);
    for (const { text } of docFiles) expect(full).toContain(text.split('\n')[0] ?? '');
    expect(full).not.toContain('<!--');
  });
});
