/** The docs as pages: splitting files, resolving links, searching. */
import { describe, expect, test } from 'bun:test';
import { llmsFullText, llmsText } from './docs.tsx';
import { docFiles, sitePages } from './files.ts';
import { type DocFile, type DocPage, makeLibrary } from './library.ts';
import { DocsSearch, otherNames } from './search.ts';

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

Value of errors. A cause is named; a range is not.

| code | status | fix |
|---|---|---|
| \`NotSent\` | 418 | Send it. |

- Never resent.
`;
const library = makeLibrary([file('guide', guide), file('more', '# More\n\n## Sets\n', false)], {
  'account.md#keys': '/keys',
});
const pageAt = (path: string): DocPage => {
  const page = library.findPage(path);
  if (!page) throw new Error(`There is no ${path}.`);
  return page;
};

describe('pages', () => {
  test('sections after the mark are separate pages; those before it are the first page', () => {
    expect(library.pages.map(({ path, title }) => [path, title])).toEqual([
      ['/docs/guide', 'Guide'],
      ['/docs/guide/sets', 'Sets'],
      ['/docs/guide/errors', 'Errors'],
      ['/docs/more', 'More'],
    ]);
    expect(library.findPage('/docs/guide/start')).toBeNull();
  });

  test('links resolve to the page with the anchor, or to null', () => {
    const from = pageAt('/docs/guide/sets');
    const resolve = (link: string) => library.resolve(from, link);
    expect(resolve('#set.value_range')).toBe('#set.value_range');
    expect(resolve('#set.high')).toBe('#set.high');
    expect(resolve('#errors')).toBe('/docs/guide/errors#errors');
    expect(resolve('guide.md#start')).toBe('/docs/guide#start');
    expect(resolve('more.md')).toBe('/docs/more');
    expect(resolve('more.md#sets')).toBe('/docs/more#sets');
    expect(resolve('#nowhere')).toBeNull();
    expect(resolve('install.md')).toBeNull();
    expect(resolve('account.md#keys')).toBe('/keys');
    expect(resolve('https://example.com/')).toBe('https://example.com/');
    expect(resolve('javascript:alert(1)')).toBeNull();
  });
});

describe('search', () => {
  const search = new DocsSearch(library.entries);
  const find = (typed: string) =>
    search.find(typed).map(({ entry: { page, id } }) => `${page.path}#${id}`);

  test('names rank above places, and places above text', () => {
    expect(find('VALUE')).toEqual([
      '/docs/guide/sets#set.value_range',
      '/docs/guide/errors#errors',
    ]);
    expect(find('errors')[0]).toBe('/docs/guide/errors#errors');
    expect(find('set low')[0]).toBe('/docs/guide/sets#set.low');
  });

  test('all text is searched, by the beginnings of words', () => {
    expect(find('418')).toEqual(['/docs/guide/errors#errors.notsent']);
    expect(find('resent')).toEqual(['/docs/guide/errors#errors']);
    expect(find('notsent')[0]).toBe('/docs/guide/errors#errors.notsent');
    expect(find('sent')).toEqual(['/docs/guide/errors#errors.notsent']);
    expect(find('ange')).toEqual([]);
    expect(search.find('resent')[0]?.excerpt).toBe('Never resent.');
  });

  test('a term without words has no results', () => {
    expect(find('  ')).toEqual([]);
    expect(find('_ / ?')).toEqual([]);
    expect(find('no such thing')).toEqual([]);
  });
});

describe('our own files', () => {
  const docs = makeLibrary(docFiles, sitePages);
  const search = new DocsSearch(docs.entries);

  /** Common searches, and an entry that must be among the first ten results. */
  test.each([
    ['value_range', '/docs/sets#set.value_range'],
    ['QuotaExceeded', '/docs/errors#errors.quotaexceeded'],
    ['401', '/docs/errors#errors.missingapikey'],
    ['429', '/docs/errors#errors.quotaexceeded'],
    ['overlap', '/docs/retail-prices#polling'],
    ['cursor', '/docs/paging#paging'],
    ['pagination', '/docs/paging#paging'],
    ['time zone', '/docs#the-brickmark-api'],
    ['sdk', '/docs/client#typescript-client'],
    ['expire', '/docs/authentication#expiration'],
    ['revoke', '/docs/authentication#authentication'],
    ['data_tier low', '/docs/status-and-data-tier#data-tier.low'],
    ['data tier', '/docs/status-and-data-tier#data-tier'],
    ['rate limit', '/docs/quota-and-costs#quota-and-costs'],
    ['demo', '/docs#quick-start'],
    ['sse', '/docs/plus/event-stream#event-stream'],
    ['utc', '/docs#the-brickmark-api'],
    ['ean', '/docs/sets#barcodes.ean'],
    ['If-None-Match', '/docs/requests-and-responses#caching'],
  ])('%s is found', (typed, wanted) => {
    const found = search.find(typed).map(({ entry: { page, id } }) => `${page.path}#${id}`);
    expect(found.slice(0, 10)).toContain(wanted);
  });

  test('there are at most forty results, none for the middle of a word', () => {
    expect(search.find('e')).toHaveLength(40);
    const names = (typed: string) => search.find(typed).map(({ entry }) => entry.name);
    expect(names('sse')).not.toContain('guessed_postage');
    expect(names('utc')).not.toContain('OutcomeCounts');
    expect(names('ean')).not.toContain('Nulls');
  });

  test('every heading with other names exists', () => {
    const headings = docs.entries.filter(({ isHeading }) => isHeading).map(({ id }) => id);
    expect(Object.keys(otherNames).filter((id) => !headings.includes(id))).toEqual([]);
  });

  test('no heading of a record is also the title of a page', () => {
    const titles = docs.pages.map(({ title }) => title);
    const headings = docs.pages.flatMap(({ blocks }) =>
      blocks.flatMap((block) =>
        block.type === 'heading' && block.depth === 4 ? [block.text] : [],
      ),
    );
    expect(headings.filter((text) => titles.includes(text))).toEqual([]);
  });

  test('paths of pages are unique, and no link between pages is broken', () => {
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

  test('llms.txt lists every page, and llms-full.txt has every file', () => {
    const index = llmsText(docs);
    expect(docs.pages.filter(({ path }) => !index.includes(`(${path})`))).toEqual([]);
    const full = llmsFullText(docs);
    for (const { text } of docFiles) expect(full).toContain(text.split('\n')[0] ?? '');
    expect(full).not.toContain('<!--');
  });
});
