/** The layout of the docs, which is the same for everyone and has no script. */
import type { ComponentChildren } from 'preact';
import { assetPath } from '../assets.ts';
import { Foot, Head, Mark } from '../kit/layout.tsx';
import type { DocPage, Library } from './library.ts';
import { headingId } from './markdown.ts';
import { termLengthMax } from './search.ts';

export function DocsLayout(props: {
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
