/**
 * `npm run record -- FOLDER`: writes the answers of all endpoints and pages of the demo to a new
 * folder, so that `diff -r` shows what a change of the code changes.
 */
import { Database } from 'bun:sqlite';
import { join, resolve } from 'node:path';
import { Brickmark } from '../clients/typescript/src/index.ts';
import { allEndpoints } from '../src/contract/all-endpoints.ts';
import type { Endpoint } from '../src/contract/endpoint.ts';
import { plusPrefix } from '../src/contract/limits.ts';
import { sheetFiles } from '../src/contract/sheet-files.ts';
import { type ApiCall, everyRequest, type Known } from '../test/support/every-request.ts';
import { connectHttp } from '../test/support/mcp.ts';
import { ownList, ownWebhook } from '../test/support/own-things.ts';
import { freePort } from '../test/support/ports.ts';
import { addLink, addMember } from '../test/support/sharing.ts';
import { startSite, type Visitor } from '../test/support/site.ts';
import { until } from '../test/support/until.ts';
import { visitPages } from '../test/support/visit-pages.ts';
import { withPrefix } from '../test/support/world.ts';
import { startDemo } from './demo.ts';
import { RecordedVisitor, Recording } from './recording.ts';

/** Pages of each route, per visitor. */
const viewsMax = 3;

/** Sets and minifigs that requests are about. */
const itemsMax = 30;

/** Addresses that a form or a scanner leads to, and docs, whose links are not followed. */
const typedAddresses = [
  '/market?q=castle',
  '/search.json?q=castle',
  '/docs?q=price',
  '/docs/max-buy',
  '/docs/plus/event-stream',
  '/scan?code=5702000000015',
  '/nowhere',
];

const program = [
  process.execPath,
  '--no-env-file',
  '--config=/dev/null',
  '--jsx-runtime=automatic',
  '--jsx-import-source=preact',
  join(import.meta.dir, 'standing-clock.ts'),
];

const [out] = process.argv.slice(2);
if (out === undefined) {
  console.error('The folder is missing. Name a new one: npm run record -- FOLDER');
  process.exit(2);
}
const metricsPort = await freePort();
const demo = await startDemo({
  program,
  settings: {
    BRICKMARK_METRICS_PORT: `${metricsPort}`,
    BRICKMARK_BULK_COST: '1',
    // Requests follow each other faster than those of a client.
    BRICKMARK_PLUS_RATE: '100000',
  },
});
try {
  const key = await addKey();
  const recording = new Recording(resolve(out), {
    origin: demo.origin,
    port: `:${new URL(demo.origin).port}`,
  });
  await untilSettled();
  const unseen = await recordPages(recording);
  const pages = recording.size;
  await recordCalls(recording, key);
  await recordOthers(recording, key);
  process.stdout.write(
    `${pages} pages and ${recording.size - pages} other answers\n` +
      `Without a page: ${unseen.join(' ')}\nsha256 ${recording.digest}\n`,
  );
} finally {
  await demo.stop();
}

/** A key for more calls than that of the demo. */
async function addKey(): Promise<string> {
  const { email, folder } = demo;
  const words = ['key', 'add', email, '--allowance', '1000000', '--json', '--data', folder];
  const child = Bun.spawn([...program, ...words], { stdout: 'pipe' });
  const { key } = (await new Response(child.stdout).json()) as { readonly key: string };
  return key;
}

/** Alerts are sent and bulk files are made after the start. Asking the server would be counted. */
async function untilSettled(): Promise<void> {
  const settled = [
    ['accounts.db', "delivery_tally WHERE kind = 'email' AND outcome = 'done'"],
    ['market.db', 'bulk_file WHERE sha256 IS NOT NULL'],
  ] as const;
  for (const [file, rows] of settled) {
    const database = new Database(join(demo.folder, file), { readonly: true });
    await until(() => database.query(`SELECT 1 FROM ${rows}`).get() !== null, rows);
    database.close();
  }
}

async function readMetrics(): Promise<string> {
  return (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
}

function keyHeaders(key: string) {
  return { Authorization: `Bearer ${key}` };
}

/** Returns the routes without a page: only forms that are not sent here lead there. */
async function recordPages(recording: Recording): Promise<string[]> {
  const { origin, email, password } = demo;
  const site = await startSite();
  await site.close();
  const visitor = (name: string) => new RecordedVisitor(origin, { name, recording });
  const [guest, owner, newcomer] = [visitor('guest'), visitor('owner'), visitor('newcomer')];
  await owner.submit(await owner.get('/sign-in'), '/sign-in', { email, password });
  const account = { email: 'bob@example.com', password: 'correct horse battery staple' };
  await newcomer.submit(await newcomer.get('/sign-up'), '/sign-up', account);
  await recordSheets(recording, owner);
  const made = await addOwnThings(owner, newcomer);
  const from = [...made, ...typedAddresses];
  const visitors = [guest, owner, newcomer];
  return visitPages(site, { visitors, from, viewsMax, check: () => {} });
}

/** Adds data that the demo lacks; returns addresses that no page of these visitors leads to. */
async function addOwnThings(owner: Visitor, member: Visitor): Promise<string[]> {
  const items = `${demo.setNumber} sealed`;
  await owner.submit(await owner.get('/evaluate'), '/evaluate', { items, cost: '20' });
  const purchase = { items: `${demo.setNumber} used $20`, store: 'Flea market' };
  await owner.submit(await owner.get('/purchases/new'), '/purchases/new', purchase);
  const link = await addLink(owner, '/collections/1', { costs: true });
  await addMember(owner, member, '/collections/2');
  return [link, `${link}/sales`, '/evaluate/1', '/purchases/1', '/collections/1'];
}

/** A spreadsheet link to each file. */
async function recordSheets(recording: Recording, owner: Visitor): Promise<void> {
  const address = '/keys/spreadsheets';
  for (const content of Object.keys(sheetFiles)) {
    const form = await owner.get(address);
    const { goTo } = await owner.submit(form, address, { name: content, content });
    const [path] = /\/csv\/[^/]+\/[\w-]+\.csv/.exec((await owner.get(`${goTo}`)).html) ?? [];
    const query = content === 'values' ? `?sets=${demo.setNumber}` : '';
    await record(recording, 'sheets', { path: `${path}${query}` });
  }
}

async function record(
  recording: Recording,
  group: string,
  { path, init = {} }: ApiCall,
): Promise<void> {
  const response = await fetch(demo.origin + path, { ...init, redirect: 'manual' });
  const { status, headers } = response;
  const body = await response.text();
  const first = [init.method ?? 'GET', path, init.body ?? ''].join(' ').trim();
  recording.add(group, { first, status, headers, body });
}

/** Calls that change nothing. */
async function recordCalls(recording: Recording, key: string): Promise<void> {
  const client = new Brickmark({ url: demo.origin, key });
  const known = await readKnown(client);
  const [list] = (await client.plus.listWatchlists()).watchlists;
  const [webhook] = (await client.plus.listWebhooks()).webhooks;
  const actual = new Map([
    [`${ownList}`, `${list?.id}`],
    [`${ownWebhook}`, `${webhook?.id}`],
    ['75192', `${known.sets[0]}`],
    ['404404', `${known.sets[1]}`],
    ['cas001', `${known.minifigs[0]}`],
  ]);
  const ofDemo = (text: string) =>
    text.replace(/\b(\d+|cas001)\b/g, (name) => actual.get(name) ?? name);
  for (const [name, calls] of everyRequest(known)) {
    const { effect }: Endpoint = allEndpoints[name];
    if (effect) continue;
    for (const { path, init = {} } of calls) {
      const body = typeof init.body === 'string' ? { body: ofDemo(init.body) } : {};
      const headers = { ...init.headers, ...keyHeaders(key) };
      const call = { path: ofDemo(withPrefix(path)), init: { ...init, ...body, headers } };
      await record(recording, `api/${name}`, call);
    }
  }
}

/** The first items, in the order of the lists. */
async function readKnown(client: Brickmark): Promise<Known> {
  const { sets: listed } = await client.plus.listSets({ limit: itemsMax });
  const { minifigs } = await client.plus.listMinifigs({ limit: itemsMax });
  const sets = listed.map((set) => set.set_number);
  const rows = await Promise.all(sets.map((set) => client.getSetRetailPrices(set)));
  const { brickfolios } = await client.listBrickfolios();
  return {
    sets,
    minifigs: minifigs.map((minifig) => minifig.minifig_number),
    rows: rows.filter((row) => row !== null),
    brickfolios: brickfolios.map(({ id }) => id),
  };
}

/** Public documents, the tools for AI apps, and the names of metrics. */
async function recordOthers(recording: Recording, key: string): Promise<void> {
  const paths = ['/openapi.json', `${plusPrefix}/openapi.json`, '/restatements.json', '/healthz'];
  for (const path of [...paths, '/readyz', '/api', '/nowhere']) {
    await record(recording, 'public', { path });
  }
  const mcp = await connectHttp(demo.origin, key);
  const told = { status: 200, headers: new Headers() };
  const tools = JSON.stringify(await mcp.listTools());
  recording.add('mcp', { first: 'tools/list', ...told, body: tools });
  await mcp.close();
  const names = (await readMetrics()).replace(/^([^#].*) \S+$/gm, '$1');
  recording.add('metrics', { first: 'GET /metrics', ...told, body: names });
}
