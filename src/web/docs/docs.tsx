/** The docs: pages made from the files in `docs/`, search, the files themselves, and `llms.txt`. */

import { missingPage } from '../kit/fault.tsx';
import type { PageAnswer, PageRequest, WebDeps } from '../page.ts';
import { routes } from '../page-table.ts';
import { htmlType, renderPage } from '../server/respond.ts';
import { PageBlocks } from './blocks.tsx';
import { DocsLayout } from './docs-layout.tsx';
import { docFiles, sitePages } from './files.ts';
import { type DocEntry, type DocPage, type Library, makeLibrary } from './library.ts';
import { llmsFullText, llmsText } from './llms.ts';
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
    const found = this.search.find(term);
    const results = <Results library={this.library} term={term} found={found} />;
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
