/** A real site for tests, and visitors that keep cookies and submit forms. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Plan } from '../../src/accounts/keys/quota.ts';
import { findMatches, recordMatches } from '../../src/alerts/conditions/matches.work.ts';
import { MarketCache } from '../../src/api/memory/market-cache.ts';
import { startServer } from '../../src/api/server.ts';
import { toItem } from '../../src/buying/prices/resale-item.work.ts';
import { FreeAnswers } from '../../src/http/free-answers.ts';
import { previewBudget } from '../../src/http/pools.ts';
import { makeEncrypter } from '../../src/kernel/encryption.ts';
import { hourMs } from '../../src/kernel/time.ts';
import { builtInFees } from '../../src/market/fees/fee-table.ts';
import { builtInPostage } from '../../src/market/fees/postage.ts';
import type { ResaleRecord } from '../../src/market/published/published-records.ts';
import type { ValueEngine } from '../../src/market/values/estimator.ts';
import { makePhoto } from '../../src/portfolio/photos/make-photo.ts';
import type { WebDeps } from '../../src/web/page.ts';
import type { PageRoute } from '../../src/web/page-table.ts';
import { pageRoutes } from '../../src/web/pages.ts';
import { makeFront } from '../../src/web/server/front.ts';
import { servePages as serveOnSocket } from '../../src/web/server/page-server.ts';
import type { OpenStore } from './engines.ts';
import { unescaped } from './page-text.ts';
import { addAccountWithPassword, lowestCost, password } from './passwords.ts';
import { serverSettings, testSigner } from './server-settings.ts';
import { startWorld, type World } from './world.ts';

export { textOf } from './page-text.ts';
export { password };

export interface Site {
  readonly world: World;
  /** The base URL of pages and API, without a trailing slash. */
  readonly url: string;
  readonly routes: readonly PageRoute[];
  /** Adds an account that can sign in; returns its ID. */
  addAccount(email: string, facts?: { plan?: Plan; isOperator?: boolean }): Promise<number>;
  /** A visitor who is not signed in. */
  visitor(): Visitor;
  /** A signed-in visitor; the account is added if necessary. */
  signedIn(email: string, facts?: { plan?: Plan; isOperator?: boolean }): Promise<Visitor>;
  close(): Promise<void>;
}

/** Timeout of pages and files, generous since other suites may keep the machine busy. */
const patienceMs = hourMs;

/** Options; by default no pictures are fetched. */
export interface SiteOptions extends Partial<Pick<WebDeps, 'sleep' | 'sendMail'>> {
  readonly site?: Partial<WebDeps['site']>;
  readonly secrets?: Partial<WebDeps['secrets']>;
  readonly pictures?: Partial<WebDeps['pictures']>;
  readonly alerts?: Partial<WebDeps['alerts']>;
}

const randomBytes = (count: number) => crypto.getRandomValues(new Uint8Array(count));

const testSecrets: WebDeps['secrets'] = {
  encrypter: makeEncrypter(new Uint8Array(32).fill(7), (count) => new Uint8Array(count).fill(9)),
  factorEncrypter: makeEncrypter(new Uint8Array(32).fill(8), randomBytes),
  sheetSigner: testSigner,
};

/** Starts a site, by default with the plain engine on a new store. */
export async function startSite(
  options: SiteOptions = {},
  engine?: ValueEngine,
  open?: OpenStore,
): Promise<Site> {
  const world = await startWorld(undefined, engine, open);
  const { store } = world;
  const clock = () => world.now;
  const { server, routes } = servePages(world, options);
  const site: Site = {
    world,
    url: server.url,
    routes,
    addAccount: async (email, { plan = 'free', isOperator = false } = {}) => {
      const account = { email, plan, isOperator, at: clock() };
      const made = await addAccountWithPassword(store.accounts, account);
      return (made ?? (await store.accounts.findAccount(email, clock())))?.id ?? 0;
    },
    visitor: () => new Visitor(server.url),
    signedIn: async (email, facts) => {
      await site.addAccount(email, facts);
      const visitor = site.visitor();
      const signIn = await visitor.get('/sign-in');
      await visitor.submit(signIn, '/sign-in', { email, password });
      return visitor;
    },
    close: async () => {
      await server.stop();
      await world.close();
    },
  };
  return site;
}

/**
 * A second server on the store of a world: API and pages behind a socket as in production, but in
 * one process.
 */
function servePages(world: World, options: SiteOptions) {
  const { store } = world;
  const clock = () => world.now;
  const folder = mkdtempSync(join(tmpdir(), 'brickmark-site-'));
  const socket = join(folder, 'pages');
  const tables = { fees: builtInFees, postage: builtInPostage };
  const matching = {
    market: store.market,
    accounts: store.accounts,
    findTables: () => tables,
    readResale: (record: ResaleRecord) => toItem('set', record).resale.sealed,
  };
  const cache = new MarketCache(store, clock);
  const deps: WebDeps = {
    market: store.market,
    cache: cache.forPages(),
    accounts: store.accounts,
    portfolio: cache.portfolio,
    sync: store.sync,
    alerts: {
      findMatches: (accountId, rule) => findMatches(matching, accountId, rule, clock()),
      recordMatches: (accountId, listId, setKeys) =>
        recordMatches(matching, accountId, listId, { setKeys, at: clock() }),
      ...options.alerts,
    },
    site: {
      access: { signUp: 'open', hasPublicPages: true, requires: 'none' },
      baseUrl: null,
      provider: null,
      securityContact: 'mailto:security@example.com',
      retailerNames: { retailer_a: 'Retailer A', retailer_b: 'Retailer B' },
      tables,
      allowedNetworks: [],
      exampleBox: null,
      isReplicaUsed: () => store.isReplicaUsed(),
      readingMsMax: patienceMs,
      previewBudget,
      ...options.site,
    },
    secrets: { ...testSecrets, ...options.secrets },
    pictures: {
      hosts: [],
      fetchOutside: fetch,
      folder: null,
      draw: null,
      makePhoto,
      photoBytesMax: 100 * 1024 * 1024,
      ...options.pictures,
    },
    sendMail: options.sendMail,
    clock,
    sleep: options.sleep ?? (async () => {}),
    randomBytes,
    passwordCost: lowestCost,
    // Mail servers and identity providers of tests fail on purpose.
    onFailure: (what, error) => {
      if (what === 'device entry') world.failures.push(error);
    },
  };
  const pages = serveOnSocket(deps, {
    socket,
    onFault: (error) => world.failures.push(error),
  });
  const server = startServer(store, {
    ...serverSettings(clock, world.failures),
    sheetSigner: deps.secrets.sheetSigner,
    hasPublicPages: deps.site.access.hasPublicPages,
    answerPage: makeFront({
      pages: { socket: async () => socket, giveUp: () => {} },
      accounts: store.accounts,
      // Tests request pages faster than a person; src/web/server/front.test.ts tests the limit.
      freeAnswers: new FreeAnswers(() => performance.now() * 100),
      clock,
      patience: { turnMs: patienceMs, answerMs: patienceMs },
    }),
  });
  const stop = async () => {
    await server.stop();
    await pages.stop();
    rmSync(folder, { recursive: true });
  };
  return { server: { ...server, stop }, routes: pageRoutes(deps) };
}

/** A response. */
export interface Seen {
  readonly status: number;
  readonly headers: Headers;
  readonly html: string;
  /** The Location of a redirect. */
  readonly goTo: string | null;
}

export type Fields = Readonly<Record<string, string>>;

/** A browser session. */
export class Visitor {
  readonly cookies = new Map<string, string>();

  constructor(private readonly url: string) {}

  get(path: string): Promise<Seen> {
    return this.send(path, { method: 'GET' });
  }

  /** Submits a form of a page with its default values, overridden by `typed`. */
  submit(seen: Seen, action: string, typed: Fields = {}): Promise<Seen> {
    return this.post(action, { ...readForm(seen.html, action), ...typed });
  }

  /** Posts fields; `headers` override those that a browser would send. */
  post(action: string, fields: Fields | [string, string][], headers: Fields = {}): Promise<Seen> {
    const body = new URLSearchParams(fields);
    return this.send(action, { method: 'POST', body, headers: { Origin: this.url, ...headers } });
  }

  private async send(path: string, init: RequestInit): Promise<Seen> {
    const cookie = [...this.cookies].map((pair) => pair.join('=')).join('; ');
    const headers = { ...(init.headers as Fields), Cookie: cookie };
    const response = await fetch(this.url + path, { ...init, headers, redirect: 'manual' });
    for (const set of response.headers.getSetCookie()) {
      const [name = '', value = ''] = (set.split(';')[0] ?? '').split('=');
      if (value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    const html = await response.text();
    expectCounted(path, html);
    return {
      status: response.status,
      headers: response.headers,
      html,
      goTo: response.headers.get('Location'),
    };
  }
}

/** A multipart form with a file. */
export interface FileForm {
  readonly visitor: Visitor;
  readonly action: string;
  readonly fields: Fields;
  readonly file: File | undefined;
  readonly headers?: Fields | undefined;
}

export async function sendFile(site: Site, form: FileForm): Promise<Seen> {
  const { visitor, action, fields, file } = form;
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  if (file) body.set('file', file);
  const Cookie = [...visitor.cookies].map((pair) => pair.join('=')).join('; ');
  const headers = { Origin: site.url, Cookie, ...form.headers };
  const init = { method: 'POST', body, headers, redirect: 'manual' } as const;
  const response = await fetch(site.url + action, init);
  const goTo = response.headers.get('Location');
  const { status } = response;
  return { status, headers: response.headers, html: await response.text(), goTo };
}

/** The fields that a browser would submit for an unchanged form. */
export function readForm(html: string, action: string): Fields {
  const forms = html.matchAll(/<form\b([^>]*)>(.*?)<\/form>/gs);
  const form = [...forms].find(([, about = '']) => about.includes(`action="${action}"`));
  if (!form) throw new Error(`There is no form for ${action}.`);
  const fields: Record<string, string> = {};
  for (const [input] of (form[2] ?? '').matchAll(/<input\b(?:"[^"]*"|[^">])*>/g)) {
    const name = attributeOf(input, 'name');
    const isLeftOut = /type="(checkbox|radio)"/.test(input) && !/ checked\b/.test(input);
    if (name && !isLeftOut) fields[name] = attributeOf(input, 'value') ?? '';
  }
  for (const [, about = '', inside = ''] of (form[2] ?? '').matchAll(
    /<select\b([^>]*)>(.*?)<\/select>/gs,
  )) {
    const options = [...inside.matchAll(/(<option\b(?:"[^"]*"|[^">])*>)([^<]*)/g)];
    const chosen = options.find(([, tag = '']) => / selected\b/.test(tag)) ?? options[0];
    const [, tag = '', text = ''] = chosen ?? [];
    // Without a value, an option submits its text; an empty value is rendered as a bare `value`.
    const missing = / value[\s>]/.test(tag) ? '' : unescaped(text);
    fields[attributeOf(about, 'name') ?? ''] = attributeOf(tag, 'value') ?? missing;
  }
  for (const [, about = '', text = ''] of (form[2] ?? '').matchAll(
    /<textarea\b((?:"[^"]*"|[^">])*)>(.*?)<\/textarea>/gs,
  )) {
    // A line break at the start is not part of the text.
    fields[attributeOf(about, 'name') ?? ''] = unescaped(text.replace(/^\n/, ''));
  }
  return fields;
}

function attributeOf(tag: string, name: string): string | null {
  const found = new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1];
  return found === undefined ? null : unescaped(found);
}

/** The path of the confirmation link in a mail; empty if there is none. */
export function confirmLinkIn(mail: string): string {
  return /\/alerts\/confirm\/\d+\/[\da-z]+-[\w-]{43}(?=\r?\n)/.exec(mail)?.[0] ?? '';
}

/** Throws if a page has a plural after 1, such as "1 sets". */
function expectCounted(path: string, html: string): void {
  const nouns =
    'alerts|calls|collections|columns|days|files|items|keys|lists|lots|minifigs|months|numbers|' +
    'rows|sales|sets|themes|times|units|weeks';
  const [wrong] = new RegExp(`(?<![\\w.,$–-])1 (${nouns})\\b[^<]*`).exec(html) ?? [];
  if (wrong) throw new Error(`${path} says "${wrong}".`);
}
