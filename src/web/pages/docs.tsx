/**
 * The docs: pages made from the files in `docs/`, a search over them, the files themselves for
 * programs that read, and `llms.txt`. The same for everybody: each page is made once and kept.
 */
import type { WebDeps } from '../deps.ts';
import { PageBlocks } from '../docs/blocks.tsx';
import { DocsLayout } from '../docs/docs-layout.tsx';
import { docFiles } from '../docs/files.ts';
import { type DocEntry, type DocPage, type Library, makeLibrary } from '../docs/library.ts';
import { llmsFullText, llmsText } from '../docs/llms.ts';
import { resultsMax, searchDocs, termLengthMax } from '../docs/search.ts';
import type { OpenRoute, PageAnswer, PageRequest, PageRoute } from '../page.ts';
import { htmlType, renderPage } from '../respond.ts';
import { missingPage } from './fault.tsx';

/** How long others may keep a page: after an update, the old one is seen for this long. */
const keptSeconds = 600;

/** The address that the files show, in place of which readers see that of their server. */
const shownUrl = 'http://127.0.0.1:8080';

/** The pages of the docs. */
export function docsRoutes({ baseUrl }: WebDeps): readonly PageRoute[] {
  const files = docFiles.map((file) => ({
    ...file,
    text: file.text.replaceAll(shownUrl, baseUrl ?? shownUrl),
  }));
  const docs = new Docs(makeLibrary(files));
  const texts = new Map([
    ['/llms.txt', llmsText(docs.library)],
    ['/llms-full.txt', llmsFullText(docs.library)],
    ...files.map(({ name, text }) => [`/docs/${name}`, text] as const),
  ]);
  return [
    open('/docs', (request) => docs.show(request)),
    open('/docs/{page}', (request) => docs.show(request)),
    open('/docs/{file}/{page}', (request) => docs.show(request)),
    ...[...texts].map(([path, text]) => open(path, () => shared(text, textType(path)))),
  ];
}

const open = (path: string, get: (request: PageRequest) => PageAnswer): OpenRoute => ({
  access: 'open',
  path,
  get: async (request) => get(request),
});

const textType = (path: string) =>
  `text/${path.endsWith('.md') ? 'markdown' : 'plain'}; charset=utf-8`;

const shared = (text: string, type: string) => ({ shared: text, type, seconds: keptSeconds });

class Docs {
  private readonly made = new Map<DocPage, string>();

  constructor(readonly library: Library) {}

  /** The page of a path; what is asked of the first one may be a search. */
  show(request: PageRequest): PageAnswer {
    const page = this.library.findPage(request.path);
    if (!page) return missingPage(request);
    const typed = request.path === '/docs' ? request.query.get('q') : null;
    if (typed === null) return shared(this.make(page), htmlType);
    return shared(renderPage(<Results library={this.library} typed={typed} />), htmlType);
  }

  private make(page: DocPage): string {
    const { library } = this;
    const kept = this.made.get(page);
    if (kept !== undefined) return kept;
    const html = renderPage(
      <DocsLayout title={page.title} library={library} page={page}>
        <PageBlocks page={page} library={library} />
      </DocsLayout>,
    );
    this.made.set(page, html);
    return html;
  }
}

function Results({ library, typed }: { readonly library: Library; readonly typed: string }) {
  const term = typed.slice(0, termLengthMax);
  const found = searchDocs(library.entries, term);
  return (
    <DocsLayout title="Search the docs" library={library} page={null} typed={term}>
      <p role="status">{countText(term, found.length)}</p>
      <ul class="docs-found">
        {found.map((entry) => (
          <Result key={`${entry.page.path}#${entry.id}`} entry={entry} />
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

function Result({ entry: { page, id, name, place, text } }: { readonly entry: DocEntry }) {
  return (
    <li>
      <a href={`${page.path}#${id}`}>{name}</a>
      <span class="quiet">{` ${place}`}</span>
      {text !== '' && <p class="flush">{text}</p>}
    </li>
  );
}
