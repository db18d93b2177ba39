/** The frame of every page: head, navigation and footer. */

import type { ComponentChildren } from 'preact';
import { hasRole } from '../../accounts/people/role.ts';
import { type SignedIn, unseenAlertsMax } from '../../accounts/sign-in/session.ts';
import { currencyName } from '../../kernel/formats.ts';
import { type AssetName, assetPath } from '../assets.ts';
import type { PageRequest, PageTheme } from '../page.ts';
import type { MissingRate } from '../session/region.ts';
import { addressOf } from './address.ts';
import { PlainLink } from './buttons.tsx';
import { Card } from './card.tsx';
import { FormRequest, Notice, PostForm } from './fields.tsx';
import { dayText, pageFormats } from './format.ts';
import { Icon, type IconName } from './icons.tsx';
import { Menu } from './menu.tsx';
import { SearchBox } from './search-box.tsx';
import { Tabs } from './segments.tsx';
import { DoneToast } from './toast.tsx';

interface LayoutProps {
  readonly title: string;
  readonly request: FramedRequest;
  readonly actions?: ComponentChildren;
  /** The messages about the last action, by the `did` parameter of the address. */
  readonly done?: Readonly<Record<string, string>>;
  readonly tabs?: readonly Tab[];
  /** Scripts that the page needs besides `kit.js`. */
  readonly scripts?: readonly AssetName[];
  /** For short forms. */
  readonly isNarrow?: boolean;
  readonly hasOwnTitle?: boolean;
  readonly hasOwnSearch?: boolean;
  readonly children: ComponentChildren;
}

/** The part of a request that the frame needs. */
type FramedRequest = Pick<
  PageRequest,
  | 'path'
  | 'query'
  | 'who'
  | 'formToken'
  | 'once'
  | 'theme'
  | 'draft'
  | 'rejected'
  | 'access'
  | 'missingRate'
  | 'keepsData'
>;

/** A page of a section. */
export type Tab = readonly [href: string, text: string];

export const inventoryTabs: readonly Tab[] = [
  ['/inventory', 'Lots'],
  ['/purchases', 'Purchases'],
];

export const marketTabs: readonly Tab[] = [
  ['/market', 'Search'],
  ['/themes', 'Themes'],
  ['/deals', 'Deals'],
  ['/retail', 'Retail prices'],
  ['/evaluate', 'Evaluate'],
  ['/scorecard', 'Accuracy'],
];

export const watchlistTabs: readonly Tab[] = [
  ['/watchlist', 'Watchlist'],
  ['/alerts', 'Alerts'],
  ['/alerts/fired', 'Fired'],
  ['/alerts/settings', 'Notifications'],
];

export const developerTabs: readonly Tab[] = [
  ['/keys', 'API keys'],
  ['/usage', 'Usage'],
  ['/webhooks', 'Webhooks'],
  ['/keys/spreadsheets', 'Spreadsheets'],
  ['/docs', 'Docs'],
];

export function operatorTabs({ who }: Pick<PageRequest, 'who'>): readonly Tab[] {
  const tabs: readonly Tab[] = [
    ['/operator', 'Health'],
    ['/operator/accounts', 'Accounts'],
  ];
  return hasRole(who?.role ?? null, 'operator')
    ? [...tabs, ['/operator/notices', 'Notices'], ['/operator/audit', 'Audit log']]
    : tabs;
}

/** A page of one card, such as a short form or a message. */
export function CardPage({ children, ...props }: Omit<LayoutProps, 'isNarrow'>) {
  return (
    <Layout {...props} isNarrow>
      <Card>{children}</Card>
    </Layout>
  );
}

export function Layout(props: LayoutProps) {
  const { title, request, actions, done, tabs, children } = props;
  const message = request.rejected?.message;
  const { order: dateOrder } = pageFormats();
  return (
    <html
      lang="en"
      data-theme={request.theme ?? undefined}
      data-account={request.who?.accountId}
      data-dates={dateOrder === 'month first' ? undefined : dateOrder}
    >
      <Head title={`${title} · Brickmark`} theme={request.theme}>
        {[...new Set(scriptsOf(props))].map((name) => (
          <script key={name} src={assetPath(name)} defer />
        ))}
      </Head>
      <FormRequest.Provider value={request}>
        <body>
          <a class="skip" href="#main">
            Skip to content
          </a>
          <Top request={request} hasOwnSearch={props.hasOwnSearch ?? false} />
          <main id="main" class={props.isNarrow ? 'narrow' : undefined}>
            {tabs && <PageTabs tabs={tabs} path={request.path} />}
            {!props.hasOwnTitle && (
              <div class="title">
                <h1>{title}</h1>
                {actions && <div class="row">{actions}</div>}
              </div>
            )}
            {done && <DoneToast request={request} texts={done} />}
            {message && <Notice kind="bad">{message}</Notice>}
            {request.missingRate && (
              <Notice kind="warn">{missingRateText(request.missingRate)}</Notice>
            )}
            {children}
          </main>
          {isShown(request) && <Foot converted={convertedText()} />}
        </body>
      </FormRequest.Provider>
    </html>
  );
}

function scriptsOf({ request, scripts = [] }: LayoutProps): readonly AssetName[] {
  // A page that records entries also sends them, and asks before signing out deletes them.
  const isDevice = request.keepsData || scripts.includes('scan.js');
  return ['kit.js', ...scripts, ...(isDevice ? (['device.js'] as const) : [])];
}

/** Why amounts are in dollars although another currency was chosen. */
function missingRateText({ currency, date }: MissingRate): string {
  const name = currencyName(currency);
  const why =
    date === null
      ? `there is no exchange rate for ${name}`
      : `the latest exchange rate for ${name} is of ${dayText(date)}, which is too old`;
  return `Amounts are shown in US dollars: ${why}.`;
}

/** How amounts were converted; null if they were not. */
export function convertedText(): string | null {
  const { exchange } = pageFormats();
  if (exchange === null) return null;
  const { currency, perUsd, date } = exchange;
  const rate = `1 USD = ${pageFormats().rate(perUsd)} ${currency} (${dayText(date)})`;
  return `Shown in ${currencyName(currency)} at ${rate}. Your books are kept in US dollars.`;
}

/** Whether the browser may see the market and the docs. */
function isShown({ who, access }: FramedRequest): boolean {
  return who !== null || access.hasPublicPages;
}

/** The description for search engines and shared links. */
const description =
  'Market values of LEGO sets and minifigs from real sales, with your collection as a portfolio: ' +
  'cost basis, gain, sales, deals, max buy prices and an API.';

/** The color of the top bar, which phones give to their own bar. */
const barColors = { light: '#ffffff', dark: '#171c23' } as const;

export function Head(props: {
  readonly title: string;
  readonly theme?: PageTheme | null;
  readonly children: ComponentChildren;
}) {
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>{props.title}</title>
      <meta name="description" content={description} />
      {(['light', 'dark'] as const).map((name) => (
        <meta
          key={name}
          name="theme-color"
          content={barColors[props.theme ?? name]}
          media={`(prefers-color-scheme: ${name})`}
        />
      ))}
      <link rel="manifest" href="/manifest.webmanifest" />
      <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
      <link rel="apple-touch-icon" href="/touch-icon.png" />
      <link rel="stylesheet" href={assetPath('style.css')} />
      {props.children}
    </head>
  );
}

/** The tabs of a section. The longest address that the path begins with is the current one. */
function PageTabs({ tabs, path }: { readonly tabs: readonly Tab[]; readonly path: string }) {
  const here = tabs
    .map(([href]) => href)
    .filter((href) => isAt(path, href))
    .sort((a, b) => b.length - a.length)[0];
  const choices = tabs.map(([href, text]) => ({ href, text, isCurrent: href === here }));
  return <Tabs label="Section" choices={choices} />;
}

export function Foot({ converted = null }: { readonly converted?: string | null }) {
  return (
    <footer>
      {converted && <p class="converted">{converted}</p>}
      <div>
        <span>Values are estimates computed by Brickmark, not offers.</span>
        <a href="/scorecard">Accuracy</a>
        <a href="/docs">API docs</a>
        <a href="/docs/value">What a value means</a>
        <a href="/restatements">Restated history</a>
        <a href="/status">Status</a>
      </div>
      <p>
        LEGO® is a trademark of the LEGO Group of companies, which does not sponsor, authorize or
        endorse this site.
      </p>
    </footer>
  );
}

/** The main sections, each with its other paths. */
const mainPages: readonly {
  readonly href: string;
  readonly text: string;
  readonly icon: IconName;
  readonly parts: readonly string[];
}[] = [
  { href: '/today', text: 'Today', icon: 'today', parts: [] },
  { href: '/portfolio', text: 'Portfolio', icon: 'portfolio', parts: [] },
  {
    href: '/inventory',
    text: 'Inventory',
    icon: 'inventory',
    parts: ['/lots', '/photos', '/collections', '/purchases'],
  },
  { href: '/sales', text: 'Sales', icon: 'sales', parts: [] },
  {
    href: '/market',
    text: 'Market',
    icon: 'market',
    parts: [...marketTabs.map(([href]) => href), '/sets', '/minifigs'],
  },
  { href: '/watchlist', text: 'Watchlist', icon: 'watchlist', parts: ['/alerts'] },
];

const visitorPages = [
  ['/market', 'Market'],
  ['/themes', 'Themes'],
  ['/scorecard', 'Accuracy'],
  ['/docs', 'API'],
] as const;

function Top(props: { readonly request: FramedRequest; readonly hasOwnSearch: boolean }) {
  const { request, hasOwnSearch } = props;
  const { who, path } = request;
  return (
    <header class="top">
      <div class="top-in">
        <a class="brand" href={who ? '/today' : '/'} aria-label="Brickmark">
          <Mark />
          <span>Brickmark</span>
        </a>
        {who ? (
          <nav class="main" aria-label="Pages">
            {mainPages.map(({ href, text, icon, parts }) => {
              const isHere = [href, ...parts].some((each) => isAt(path, each));
              return (
                <a key={href} href={href} aria-current={isHere ? 'page' : undefined}>
                  <Icon name={icon} />
                  {text}
                </a>
              );
            })}
          </nav>
        ) : (
          isShown(request) && (
            <nav class="wide-only" aria-label="Pages">
              {visitorPages.map(([href, text]) => (
                <a key={href} href={href} aria-current={isAt(path, href) ? 'page' : undefined}>
                  {text}
                </a>
              ))}
            </nav>
          )
        )}
        {!hasOwnSearch && isShown(request) && (
          <SearchBox id="find" isBrief hasScanner={who !== null} />
        )}
        {who ? (
          <>
            <Bell count={who.unseenAlerts} isHere={isAt(path, '/alerts/fired')} />
            <OwnMenus request={request} who={who} />
          </>
        ) : (
          <>
            <PlainLink href="/sign-in">Sign in</PlainLink>
            {request.access.signUp === 'open' && (
              <a class="button wide-only" href="/sign-up">
                Create account
              </a>
            )}
          </>
        )}
      </div>
    </header>
  );
}

/** The alerts that fired, with the number of new ones. */
function Bell({ count, isHere }: { readonly count: number; readonly isHere: boolean }) {
  const shown = count >= unseenAlertsMax ? `${unseenAlertsMax - 1}+` : String(count);
  return (
    <a
      class="bell"
      href="/alerts/fired"
      aria-label={count === 0 ? 'Alerts, none new' : `Alerts, ${shown} new`}
      aria-current={isHere ? 'page' : undefined}
    >
      <Icon name="bell" />
      {count > 0 && <span aria-hidden="true">{shown}</span>}
    </a>
  );
}

function OwnMenus(props: { readonly request: FramedRequest; readonly who: SignedIn }) {
  const { request, who } = props;
  return (
    <>
      <Menu
        label={
          <>
            <span aria-hidden="true">+</span>
            <span class="wide-only">Add</span>
          </>
        }
        name="Add"
        look="button primary"
      >
        <a href="/inventory/add">Add a set or minifig</a>
        <a href="/purchases/new">Purchase of several sets</a>
        <a href="/sales/new">Record a sale</a>
        <a href="/inventory/import">Import a file</a>
      </Menu>
      <Menu label={who.email.slice(0, 1).toUpperCase()} name="Account" class="avatar">
        <div class="who">{who.email}</div>
        <a href="/account">Account</a>
        <a href="/account/buying">Buying settings</a>
        <a href="/account/sharing">Sharing</a>
        <a href="/device">This device</a>
        <a href="/alerts">Alerts</a>
        <a href="/keys">Developer</a>
        {who.role !== null && <a href="/operator">Operator</a>}
        <hr />
        <ThemeChoices request={request} />
        <hr />
        <PostForm action="/sign-out" class="plain">
          <button type="submit">Sign out</button>
        </PostForm>
      </Menu>
    </>
  );
}

const themes = [
  ['', 'System theme'],
  ['light', 'Light theme'],
  ['dark', 'Dark theme'],
] as const;

export function ThemeChoices({ request }: { readonly request: FramedRequest }) {
  return (
    <PostForm action="/theme" class="plain">
      <input type="hidden" name="next" value={addressOf(request)} />
      {themes.map(([value, text]) => (
        <button
          key={value}
          type="submit"
          name="theme"
          value={value}
          aria-pressed={(request.theme ?? '') === value}
        >
          {text}
          {(request.theme ?? '') === value && <span aria-hidden="true"> ✓</span>}
        </button>
      ))}
    </PostForm>
  );
}

function isAt(path: string, href: string): boolean {
  return path === href || path.startsWith(`${href}/`);
}

export function Mark() {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true">
      <rect x="3" y="12" width="26" height="14" rx="2" fill="currentColor" />
      <rect x="8" y="7" width="6" height="7" rx="1.5" fill="currentColor" />
      <rect x="18" y="7" width="6" height="7" rx="1.5" fill="currentColor" />
    </svg>
  );
}
