/** The docs: pages made from the files in `docs/`, search, the files themselves, and `llms.txt`. */

import type { ComponentChildren } from 'preact';
import { assetPath } from '../assets.ts';
import { missingPage } from '../kit/fault.tsx';
import { Foot, Head, Mark } from '../kit/layout.tsx';
import type { PageAnswer, PageRequest, WebDeps } from '../page.ts';
import { routes } from '../page-table.ts';
import { htmlType, renderPage } from '../server/respond.ts';
import { PageBlocks } from './blocks.tsx';
import { docFiles, sitePages } from './files.ts';
import { type DocEntry, type DocPage, type Library, makeLibrary } from './library.ts';
import { headingId } from './markdown.ts';
import { DocsSearch, type DocsSearchResult, resultsMax, termLengthMax } from './search.ts';

/** How long browsers and proxies cache a page, and may show an old one after an update. */
const keptSeconds = 600;

/** The URL in the files, which is replaced by that of the server. */
const shownUrl = 'http://127.0.0.1:8080';

export function docsRoutes() {
  let docs: Docs | null = null;
  // The same for everyone, so they are built once, on the first request.
  const docsFor = ({ ownUrl }: PageRequest) => {
    docs ??= new Docs(ownUrl);
    return docs;
  };
  const texts = ['/llms.txt', '/llms-full.txt', ...docFiles.map(({ name }) => `/docs/${name}`)];
  const page = { get: (_: WebDeps, request: PageRequest) => docsFor(request).show(request) };
  const text = (path: string) => ({
    get: (_: WebDeps, request: PageRequest) =>
      shared(docsFor(request).textAt(path), textType(path)),
  });
  return routes('open', {
    '/docs': page,
    '/docs/{page}': page,
    '/docs/{file}/{page}': page,
    '/docs/': { get: () => ({ goTo: '/docs' }) },
    ...Object.fromEntries(texts.map((path) => [path, text(path)])),
  });
}

const textType = (path: string) =>
  `text/${path.endsWith('.md') ? 'markdown' : 'plain'}; charset=utf-8`;

const shared = (text: string, type: string) => ({ shared: text, type, seconds: keptSeconds });

class Docs {
  private readonly library: Library;
  private readonly search: DocsSearch;
  private readonly texts: ReadonlyMap<string, string>;
  private readonly rendered = new Map<DocPage, string>();

  constructor(url: string) {
    const files = docFiles.map((file) => ({ ...file, text: file.text.replaceAll(shownUrl, url) }));
    this.library = makeLibrary(files, sitePages);
    this.search = new DocsSearch(this.library.entries);
    this.texts = new Map([
      ['/llms.txt', llmsText(this.library)],
      ['/llms-full.txt', llmsFullText(this.library)],
      ...files.map(({ name, text }) => [`/docs/${name}`, text] as const),
    ]);
  }

  textAt(path: string): string {
    return this.texts.get(path) ?? '';
  }

  /** The page of a path; `/docs` with a query is a search. */
  show(request: PageRequest): PageAnswer {
    const page = this.library.findPage(request.path);
    if (!page) return missingPage(request);
    const typed = request.path === '/docs' ? request.query.get('q') : null;
    if (typed === null) return shared(this.make(page), htmlType);
    const term = typed.slice(0, termLengthMax);
    const results = <Results library={this.library} term={term} found={this.search.find(term)} />;
    return shared(renderPage(results), htmlType);
  }

  private make(page: DocPage): string {
    const { library } = this;
    const cached = this.rendered.get(page);
    if (cached !== undefined) return cached;
    const html = renderPage(
      <DocsLayout title={page.title} library={library} page={page}>
        <PageBlocks page={page} library={library} />
      </DocsLayout>,
    );
    this.rendered.set(page, html);
    return html;
  }
}

function Results(props: {
  readonly library: Library;
  readonly term: string;
  readonly found: readonly DocsSearchResult[];
}) {
  const { library, term, found } = props;
  return (
    <DocsLayout title="Search the docs" library={library} page={null} typed={term}>
      <p role="status">{countText(term, found.length)}</p>
      <ul class="docs-found">
        {found.map((finding) => (
          <Result key={hrefOf(finding.entry)} finding={finding} />
        ))}
      </ul>
    </DocsLayout>
  );
}

function countText(term: string, count: number): string {
  if (term.trim() === '') return 'Type an endpoint, a parameter, a field or an error code.';
  if (count === 0) return `Nothing matches “${term}”.`;
  if (count === resultsMax) return `The ${count} best matches for “${term}”.`;
  return count === 1 ? `1 match for “${term}”.` : `${count} matches for “${term}”.`;
}

const hrefOf = ({ page, id }: DocEntry) => `${page.path}#${id}`;

function Result({ finding: { entry, excerpt } }: { readonly finding: DocsSearchResult }) {
  return (
    <li>
      <a href={hrefOf(entry)}>{entry.name}</a>
      <span class="quiet">{` ${entry.section}`}</span>
      {excerpt !== '' && <p class="flush">{excerpt}</p>}
    </li>
  );
}

/** An index of the docs, in the format of llmstxt.org. */
export function llmsText({ files, pages }: Library): string {
  const sections = files.map((file) => {
    const shown = pages.filter((page) => page.file === file);
    const links = shown.map(({ title, path }) => `- [${title}](${path})`);
    const markdown = `- [All of it as Markdown](/docs/${file.name})`;
    return `## ${file.label}\n\n${[markdown, ...links].join('\n')}\n`;
  });
  return `${opening}\n${sections.join('\n')}`;
}

const opening = `# Brickmark

> A read-only JSON API over a LEGO catalog: market values of sets and minifigures, monthly history,
> prices at two retailers, and the caller's own collection and sales.

- Every call needs an API key: \`Authorization: Bearer bmk_…\`. A key has a daily allowance, and
  each response says how many calls remain.
- Start with the Markdown of the API below; a client can be written from it alone.
- [OpenAPI of the API](/openapi.json), [OpenAPI of the Plus API](/api/plus/v1/openapi.json)
- [Everything on this list as one text](/llms-full.txt)
`;

export function llmsFullText({ files }: Library): string {
  return files.map(({ text }) => text.replaceAll(/^<!--[\s\S]*?-->\n/gm, '')).join('\n');
}

function DocsLayout(props: {
  readonly title: string;
  readonly library: Library;
  /** The current page; null for search results. */
  readonly page: DocPage | null;
  readonly typed?: string;
  readonly children: ComponentChildren;
}) {
  const { title, library, page, typed = '', children } = props;
  return (
    <html lang="en">
      <Head title={`${title} · Brickmark docs`}>
        <link rel="stylesheet" href={assetPath('docs.css')} />
      </Head>
      <body>
        <a class="skip" href="#main">
          Skip to the content
        </a>
        <Top typed={typed} />
        <div class="docs">
          <main id="main">
            <p class="docs-jump">
              <a href="#contents">All pages</a>
            </p>
            <h1 id={page ? headingId(title) : undefined}>{title}</h1>
            {children}
          </main>
          <Contents library={library} shown={page} />
        </div>
        <Foot />
      </body>
    </html>
  );
}

function Top({ typed }: { readonly typed: string }) {
  return (
    <header class="top">
      <div class="top-in">
        <a class="brand" href="/docs" aria-label="Brickmark docs">
          <Mark />
          <span>Brickmark docs</span>
        </a>
        <search class="find">
          <form action="/docs">
            <label class="visually-hidden" for="find-docs">
              Search the docs
            </label>
            <input
              id="find-docs"
              type="search"
              name="q"
              value={typed}
              maxlength={termLengthMax}
              placeholder="Search the docs"
            />
          </form>
        </search>
        <nav class="wide-only" aria-label="Site">
          <a href="/docs">API</a>
          <a href="/docs/plus">Plus API</a>
          <a href="/openapi.json">OpenAPI</a>
          <a href="/keys">API keys</a>
        </nav>
      </div>
    </header>
  );
}

/** The contents, below the page on phones. Other files than the current have one entry. */
function Contents(props: { readonly library: Library; readonly shown: DocPage | null }) {
  const { library, shown } = props;
  return (
    <nav id="contents" class="docs-contents" aria-label="All pages">
      {library.files.map((file) => (
        <ul key={file.name}>
          {library.pages
            .filter(
              (page) => page.path === file.path || (page.file === file && file === shown?.file),
            )
            .map((page) => (
              <li key={page.path}>
                <a href={page.path} aria-current={page === shown ? 'page' : undefined}>
                  {page.path === file.path ? file.label : page.title}
                </a>
              </li>
            ))}
        </ul>
      ))}
    </nav>
  );
}
