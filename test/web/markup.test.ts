/** Every page: external text is escaped, and links lead to pages that exist. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { docFiles } from '../../src/web/docs/files.ts';
import { AlertOwner } from '../support/alerts.ts';
import type { OwnersText } from '../support/builders.ts';
import { sellingEngine } from '../support/plain-engine.ts';
import { addLink, addMember } from '../support/sharing.ts';
import { readForm, type Site, sendFile, startSite, textOf, type Visitor } from '../support/site.ts';
import { findDeadLinks, linksIn, type Visited, visitPages } from '../support/visit-pages.ts';
import type { FeedLine } from '../support/world.ts';

/** Breaks out of text, attributes and addresses if it is not escaped. */
const evil = (place: string) =>
  `"'><img src=x onerror=alert('${place}')><script>alert(1)</script>&lt;b&gt;`;

/** The same in a web address. */
const address = (place: string) =>
  `https://x.example.com/"'onload='alert(1)'><script>alert('${place}')</script>`;

const email = 'ann@example.com';
const otherEmail = 'bob@example.com';
const number = '66"><script>alert(1)</script>';

const details: Readonly<Record<OwnersText, unknown>> = {
  notes: evil('note'),
  tags: [evil('tag').replace(/[,;]/g, '').slice(0, 40)],
  place: evil('place').slice(0, 100),
  bought_at: evil('shop').slice(0, 100),
  listing_url: address('listing'),
  own_fields: { '<script>1</script>': evil('value').slice(0, 200) },
};

const lines: readonly FeedLine[] = [
  {
    kind: 'minifig',
    minifig_number: 'fig"><img src=x onerror=alert(1)>',
    name: evil('minifig'),
    category: evil('category'),
    color: evil('colour'),
    image_url: address('minifig'),
  },
  ...[number, '7001'].map((set_number) => ({
    kind: 'set',
    set_number,
    title: evil('title'),
    theme: evil('theme'),
    subtheme: evil('subtheme'),
    upc: '673419000017',
    msrp_usd: 50,
    minifigs: ['fig"><img src=x onerror=alert(1)>', `nobody${evil('number')}`.slice(0, 60)],
    image_url: address('set'),
  })),
  ...['retailer_a', 'retailer_b'].map((retailer) => ({
    kind: 'offer',
    retailer,
    set_number: '7001',
    observed_at: '2026-11-14T10:00:00Z',
    price: 20,
    seller_type: 'retailer',
    asin: '"><script>1',
    product_url: address('product'),
  })),
  {
    kind: 'sale',
    source: evil('source').slice(0, 60),
    source_id: evil('id').slice(0, 60),
    item_type: 'set',
    item: '7001',
    condition: 'sealed',
    price: 60,
    sold_at: '2026-11-10T10:00:00Z',
    seller: evil('seller').slice(0, 60),
  },
  { kind: 'brickfolio', account: email, name: evil('shelf'), description: evil('description') },
  { kind: 'brickfolio', account: email, name: evil('attic') },
  { kind: 'brickfolio', account: otherEmail, name: evil('lent shelf') },
  // One with sales, and one that can be deleted.
  ...['2026-10-20', '2026-10-21'].map((purchase_date) => ({
    kind: 'holding',
    account: email,
    source_id: purchase_date,
    brickfolio: evil('shelf'),
    condition: 'sealed',
    quantity: 2,
    set_number: '7001',
    purchase_price_usd: 45,
    purchase_date,
    ...details,
  })),
  {
    kind: 'ledger_sale',
    account: email,
    source_id: 's',
    set_number: '7001',
    platform: 'ebay',
    sale_date: '2026-11-02',
    quantity: 1,
    gross_proceeds_usd: 80,
  },
];

let site: Site;
let ann: Visitor;

beforeAll(async () => {
  site = await startSite({}, sellingEngine);
  await site.addAccount(email, { plan: 'reseller', isOperator: true });
  await site.addAccount(otherEmail);
  const report = await site.world.load(lines);
  expect(report).toMatchObject({ added: lines.length, rejected: 0 });
  await site.world.store.market.logImport({
    format: 'keepa',
    files: [evil('file')],
    startedAt: site.world.now,
    endedAt: site.world.now,
    added: 0,
    updated: 0,
    unchanged: 0,
    rejected: 1,
    gone: null,
    rejects: [{ where: evil('where'), reason: evil('reason') }],
    warned: 1,
    warnings: [{ where: evil('place'), reason: evil('warning') }],
    error: evil('error'),
  });
  ann = await site.signedIn(email);
  await ann.submit(await ann.get('/keys'), '/keys', { name: evil('key') });
  const link = { name: evil('link').slice(0, 100) };
  await ann.submit(await ann.get('/keys/spreadsheets'), '/keys/spreadsheets', link);
  for (const list of ['list', 'other list']) {
    await ann.submit(await ann.get('/watchlist'), '/watchlist', { name: evil(list) });
  }
  const watched = { item: '7001', target: '15', note: evil('note') };
  await ann.submit(await ann.get('/watchlist/1'), '/watchlist/1/items', watched);
  const notice = { title: evil('notice').slice(0, 120), text: evil('text') };
  const page = '/operator/notices';
  await ann.submit(await ann.get(page), page, { ...notice, severity: 'info' });
  await addAlerts();
  await addBought();
  await addShared();
});

let sharedLinks: readonly string[] = [];

/** Links to a collection and a box, and a collection of another account. */
async function addShared(): Promise<void> {
  const named = { with: 'link', name: evil('reader').slice(0, 60) };
  await ann.submit(await ann.get('/evaluate/1/share'), '/evaluate/1/share', named);
  const boxes = [false, true].map((costs) => addLink(ann, '/evaluate/1', { costs }));
  const lots = await addLink(ann, '/collections/1', { costs: true });
  sharedLinks = [...(await Promise.all(boxes)), `${lots}/sales`, lots];
  const bob = await site.signedIn(otherEmail);
  const edit = /\/collections\/\d+/.exec((await bob.get('/inventory/collections')).html)?.[0] ?? '';
  const received = await addMember(bob, ann, edit, { costs: true });
  sharedLinks = [...sharedLinks, `${received}/sales/2026.csv`];
}

/** A box with a row to mend, one that can be bought, and a purchase. */
async function addBought(): Promise<void> {
  const box = { items: `7001 sealed ${evil('words')}\n${evil('line')}`, cost: '20' };
  await ann.submit(await ann.get('/evaluate'), '/evaluate', box);
  await ann.submit(await ann.get('/evaluate/1'), '/evaluate/1', { name: evil('box').slice(0, 80) });
  await ann.submit(await ann.get('/evaluate'), '/evaluate', { items: '7001 sealed' });
  const purchase = { items: '7001 used $20', store: evil('store') };
  await ann.submit(await ann.get('/purchases/new'), '/purchases/new', purchase);
  const { accounts } = site.world.store;
  const picture = new TextEncoder().encode(evil('photo'));
  const photo = { content: picture, thumb: picture, width: 4, height: 3 };
  const given = { photo, bytesMax: 1_000_000, at: site.world.now };
  expect(await accounts.addPhoto(await site.addAccount(email), 1, given)).toBe('added');
}

/** A triggered alert, a channel, and a webhook with a delivery. */
async function addAlerts(): Promise<void> {
  const { accounts } = site.world.store;
  const { now } = site.world;
  const id = await site.addAccount(email);
  const owner = new AlertOwner(accounts, id, now);
  const listId = await owner.list(evil('third list').slice(0, 100));
  const scope = { kind: 'list', listId } as const;
  const ruleId = await owner.rule({ name: evil('rule').slice(0, 100), scope });
  const typed = { kind: 'ntfy', address: 'https://ntfy.sh/topic', name: evil('n').slice(0, 60) };
  await ann.submit(await ann.get('/alerts/settings'), '/alerts/channels', typed);
  const hook = { address: address('hook').replace('"', ''), name: evil('h').slice(0, 60) };
  await ann.submit(await ann.get('/webhooks'), '/webhooks', hook);
  const webhook = (await accounts.listDeliveryChannels(id)).find(({ kind }) => kind === 'webhook');
  await accounts.addTest(id, webhook?.id ?? 0, now);
  const item = { itemKind: 'set', itemKey: '7001', number: '7001', title: evil('title') } as const;
  const when = { at: now, dueAt: now, dayStart: now, heldFor: null };
  const say = () => ({ reason: evil('reason'), facts: '{}' });
  await accounts.settleAlerts(
    { kind: 'log', from: null, to: now },
    {
      notifications: [{ ruleId, ...item, ...when, retailer: null, say }],
      reported: [],
      ended: [],
      rules: [{ id: ruleId, since: now }],
    },
  );
  expect(await accounts.listNotifications(id, { before: null, limit: 2 })).toHaveLength(1);
}

afterAll(() => site.close());

/** An import draft with markup in its name, a column and a row. */
async function addDraft(): Promise<string> {
  const action = '/inventory/import';
  const cell = evil('cell').replaceAll('"', '""');
  const table = `"Number","${evil('column').replaceAll('"', '""')}"\n7001,"${cell}"\n"${cell}",1\n`;
  const file = new File([table], `${evil('file').replaceAll('/', '')}.csv`);
  const fields = readForm((await ann.get(action)).html, action);
  return (await sendFile(site, { visitor: ann, action, fields, file })).goTo ?? '';
}

test('an address that only takes a form about something leads to the page above it', async () => {
  const forms = site.routes.filter(({ get, isAboutOne }) => isAboutOne && !get);
  expect(forms.length).toBeGreaterThan(10);
  for (const { path } of forms) {
    const address = path.replace(/\{\w+\}/g, '1');
    const { status, goTo } = await ann.get(address);
    expect([address, status]).toEqual([address, 303]);
    expect(address).toStartWith(`${goTo}/`);
  }
});

test('every reachable page escapes it, and links only to pages of this site', async () => {
  const draft = await addDraft();
  const from = [
    ...sharedLinks,
    `/shared/invitations/${encodeURIComponent(evil('invitation'))}`,
    draft,
    `${draft}/undo`,
    `${draft}/rejected.csv`,
    '/market?q=alert',
    '/search?q=alert',
    '/search.json?q=alert',
    `/market?q=${encodeURIComponent(evil('typed'))}`,
    '/deals?tier=low&margin=0&share=50',
    `/deals?theme=${encodeURIComponent(evil('theme'))}&min_roi=${encodeURIComponent(evil('roi'))}`,
    `/retail?asin=${encodeURIComponent(evil('asin'))}&since=${evil('since')}`,
    `/docs?q=${encodeURIComponent(evil('docs'))}`,
    '/docs/sets',
    '/docs/plus/event-stream',
    '/sets/7001',
    `/sets/${encodeURIComponent(number)}`,
    `/themes/${encodeURIComponent(evil('theme'))}`,
    `/nowhere/${evil('path')}`,
    `/sets/${encodeURIComponent(evil('missing'))}`,
    `/password/${encodeURIComponent(evil('link'))}`,
    `/invitations/${encodeURIComponent(evil('invitation'))}`,
    `/invitations/${encodeURIComponent(evil('invitation'))}/provider`,
    '/watchlist/1/import/confirm',
    `/scan?code=${encodeURIComponent(evil('code'))}`,
    '/scan?code=5702000000015',
    '/scan/barcodes/5702000000015/discard',
    '/keys/1/end-old',
    '/collections/1',
    '/collections/1/delete',
    '/lots/1/sale',
    '/lots/1/photos',
    '/purchases/1/undo-return',
    '/collections/1/lots',
    '/collections/1/sold',
    '/inventory/views/1',
    `/alerts/end/${encodeURIComponent(evil('link'))}`,
    `/alerts/confirm/1/${encodeURIComponent(evil('link'))}`,
    `/sign-in?next=${encodeURIComponent(evil('next'))}`,
  ];
  const pages: Visited[] = [];
  const fresh = await site.signedIn('new@example.com', { plan: 'reseller' });
  for (const { path, get } of site.routes) {
    // Empty pages have links of their own.
    const isPage = get && !/\{|\.|^\/kit/.test(path);
    if (isPage) pages.push({ path, seen: await fresh.get(path), visitor: fresh });
  }
  const missed = await visitPages(site, {
    visitors: [ann, site.visitor()],
    from,
    viewsMax: 6,
    check: (page) => {
      const { path, seen } = page;
      pages.push(page);
      expect([path, markupIn(seen.html)]).toEqual([path, []]);
      expect([path, linksIn(seen.html).filter((url) => !isOurs(url))]).toEqual([path, []]);
    },
  });
  // A route of pages.ts without a link to it has to be listed above.
  expect(missed).toEqual([]);
  // The samples of the kit are not in the catalog.
  expect(await findDeadLinks(pages.filter(({ path }) => path !== '/kit'))).toEqual([]);
});

test('every address of a page in a message of the code exists', async () => {
  const root = join(import.meta.dir, '../../src');
  const missing: string[] = [];
  const known = new Set<string>();
  for await (const file of new Bun.Glob('**/*.{ts,tsx}').scan(root)) {
    if (file.endsWith('.test.ts')) continue;
    const code = readFileSync(join(root, file), 'utf8');
    // Such as '/docs/value', and `${baseUrl}/keys`.
    const named = /(?:['"`\s]|\$\{[\w.]*[uU]rl\})(\/docs\/[\w/.#-]+|(?<=\})\/[\w/#-]+)(?=['"`\s])/g;
    for (const [, address = ''] of code.matchAll(named)) {
      if (known.has(address)) continue;
      known.add(address);
      const [path = '', part] = address.split('#');
      const { status, html } = await ann.get(path);
      const lacksPart = part !== undefined && !html.includes(`id="${part}"`);
      if (status === 404 || lacksPart) missing.push(`${file}: ${address}`);
    }
    for (const [, name = ''] of code.matchAll(
      /(?<![./\w])(docs\/[\w/-]+(?:\.md)?)(?=[\s.;,)'`])/g,
    )) {
      if (!existsSync(join(root, '..', name))) missing.push(`${file}: ${name}`);
    }
  }
  expect(missing).toEqual([]);
  expect([...known]).toEqual(expect.arrayContaining(['/docs/value', '/keys', '/alerts/fired']));
});

const ownPicture = /\ssrc="(?:\/pictures\/|\/photos\/|\/portfolio-page\.png"|data:image\/webp;)/i;

/** Tags that our pages do not have: scripts and styles are in files. */
function markupIn(html: string): string[] {
  const inTags = [...html.matchAll(/<[a-z](?:"[^"]*"|'[^']*'|[^"'>])*>/gi)].map(([tag]) => tag);
  return [
    ...inTags.filter((tag) => /\son\w+\s*=|\sstyle\s*=/i.test(tag.replace(/"[^"]*"/g, '""'))),
    ...inTags.filter((tag) => /^<(script(?![^>]*\ssrc="\/assets\/)|iframe|base|object)/i.test(tag)),
    ...inTags.filter((tag) => /^<img/i.test(tag) && !ownPicture.test(tag)),
  ];
}

/** The external links in our docs. */
const docsLinks = new Set(
  docFiles.flatMap(({ text }) => [...text.matchAll(/\]\((https:[^)]+)\)/g)].map(([, url]) => url)),
);

/** Pages of this site, product pages from sources, and links in our docs. */
const isOurs = (url: string) =>
  /^(\/(?!\/)|#|\?|data:image\/webp;|https:\/\/x\.example\.com\/)/.test(url) || docsLinks.has(url);

test('it is shown unchanged', async () => {
  const text = textOf((await ann.get('/sets/7001')).html);
  for (const place of ['title', 'theme', 'subtheme', 'minifig'])
    expect(text).toContain(evil(place));
  expect(textOf((await ann.get('/deals?tier=low')).html)).toContain(evil('title'));
});

test('suggestions are JSON, with a type that browsers do not render', async () => {
  const seen = await ann.get('/search.json?q=alert');
  expect(seen.headers.get('Content-Type')).toContain('application/json');
  expect(seen.headers.get('X-Content-Type-Options')).toBe('nosniff');
  const { results } = JSON.parse(seen.html);
  expect(results.length).toBeGreaterThan(1);
  for (const { href } of results) expect(isOurs(href)).toBe(true);
});

test('a picture of a host that is not listed is replaced by a drawing', async () => {
  for (const path of [
    '/pictures/set/7001',
    `/pictures/minifig/${encodeURIComponent('fig"><img src=x onerror=alert(1)>')}`,
  ]) {
    const seen = await ann.get(path);
    expect(seen.headers.get('Content-Type')).toBe('image/svg+xml');
    expect(seen.html).toContain('<title>No picture</title>');
    expect(seen.headers.get('Content-Security-Policy')).toContain("default-src 'none'");
  }
});
