/** What is around every page: the head, the way to other pages, and the foot. */

import type { ComponentChildren } from 'preact';
import type { PageRequest } from '../page.ts';
import { type AssetName, assetPath } from './assets.ts';
import { SearchBox } from './search-box.tsx';

/** What a page tells its frame. */
export interface LayoutProps {
  readonly title: string;
  readonly request: Pick<PageRequest, 'path' | 'who' | 'formToken'>;
  /** Scripts that the page needs. */
  readonly scripts?: readonly AssetName[];
  readonly styles?: readonly AssetName[];
  /** Forms of a few fields read better in a narrow column. */
  readonly isNarrow?: boolean;
  /** Whether the page has a search field of its own, so that there are not two. */
  readonly hasOwnSearch?: boolean;
  readonly children: ComponentChildren;
}

/** A whole page. */
export function Layout(props: LayoutProps) {
  const { title, request, scripts = [], styles = [], children } = props;
  const { isNarrow = false, hasOwnSearch = false } = props;
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`${title} · Brickmark`}</title>
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        {(['style.css', ...styles] as const).map((name) => (
          <link key={name} rel="stylesheet" href={assetPath(name)} />
        ))}
        {(['search.js', ...scripts] as const).map((name) => (
          <script key={name} src={assetPath(name)} defer />
        ))}
      </head>
      <body>
        <a class="skip" href="#main">
          Skip to the content
        </a>
        <Top request={request} hasOwnSearch={hasOwnSearch} />
        <main id="main" class={isNarrow ? 'narrow' : undefined}>
          <h1>{title}</h1>
          {children}
        </main>
        <Foot />
      </body>
    </html>
  );
}

/** What is below every page. */
export function Foot() {
  return (
    <footer>
      <div>
        <span>Brickmark computes its values itself; they are estimates, not offers.</span>
        <a href="/docs">API docs</a>
        <a href="/openapi.json">OpenAPI</a>
        <a href="/restatements.json">Restated history</a>
      </div>
    </footer>
  );
}

const ownPages = [
  ['/overview', 'Overview'],
  ['/collections', 'Collections'],
  ['/sales', 'Sales'],
  ['/deals', 'Deals'],
  ['/watchlist', 'Watch lists'],
  ['/evaluate', 'Evaluate'],
  ['/retail', 'Retail watch'],
  ['/alerts', 'Alerts'],
  ['/keys', 'API keys'],
  ['/usage', 'Usage'],
  ['/webhooks', 'Webhooks'],
] as const;

const openPages = [
  ['/themes', 'Themes'],
  ['/scorecard', 'Accuracy'],
] as const;

function Top({ request, hasOwnSearch }: Pick<LayoutProps, 'request' | 'hasOwnSearch'>) {
  const { path, who, formToken } = request;
  const pages = [
    ...(who ? ownPages : []),
    ...openPages,
    ...(who?.isOperator ? ([['/operator', 'Operator']] as const) : []),
    who ? (['/account', 'Account'] as const) : (['/sign-in', 'Sign in'] as const),
  ];
  return (
    <header class="top">
      <div class="top-in">
        <a class="brand" href={who ? '/overview' : '/'}>
          <Mark />
          Brickmark
        </a>
        {!hasOwnSearch && <SearchBox id="find" isBrief />}
        {who && (
          <form class="sign-out" method="post" action="/sign-out">
            <input type="hidden" name="token" value={formToken} />
            <button class="plain" type="submit">
              Sign out
            </button>
          </form>
        )}
        <nav aria-label="Pages">
          {pages.map(([href, name]) => (
            <a key={href} href={href} aria-current={isAt(path, href) ? 'page' : undefined}>
              {name}
            </a>
          ))}
        </nav>
      </div>
    </header>
  );
}

function isAt(path: string, href: string): boolean {
  return path === href || path.startsWith(`${href}/`);
}

/** The brick, as in the icon. */
export function Mark() {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true">
      <rect x="3" y="12" width="26" height="14" rx="2" fill="currentColor" />
      <rect x="8" y="7" width="6" height="7" rx="1.5" fill="currentColor" />
      <rect x="18" y="7" width="6" height="7" rx="1.5" fill="currentColor" />
    </svg>
  );
}
