/**
 * A price that falls is told within two seconds, from the import to everybody who asked: a webhook,
 * a stream, an inbox, and the page of alerts. `npm run told` does it again and again, and prints
 * how long each took (TOLD_RUNS sets the number).
 */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { Webhook } from 'standardwebhooks';
import type { Event } from '../../src/contract/plus/events.ts';
import { formatInstant } from '../../src/domain/kernel/time.ts';
import { makeWorkplace, type Served, type Workplace } from '../support/cli.ts';
import { type MailHost, startMailHost } from '../support/mail-host.ts';
import { password } from '../support/passwords.ts';
import { freePort } from '../support/ports.ts';
import { textOf, Visitor } from '../support/site.ts';
import { stock } from '../support/stocked.ts';
import { latestPosition, type Subscriber, startStream } from '../support/subscribers.ts';
import { onTables } from '../support/tables.ts';
import { deliverySettings } from '../support/webhooks.ts';

const runs = Number(process.env.TOLD_RUNS ?? 1);
const isMeasured = process.env.TOLD_RUNS !== undefined;

/** What is promised, and what is allowed where other suites take the processor. */
const promisedMs = 2_000;
const patienceMs = isMeasured ? promisedMs : 20_000;

const email = 'ann@example.com';
const target = 90;

let place: Workplace;
let mailHost: MailHost;
let server: Served;
let ann: Visitor;
let key: string;
let hook: ReturnType<typeof Bun.serve>;
let stream: Subscriber;
/** What the webhook was sent, verified by the standard's own package. */
const received: { readonly type: string; readonly data: Event }[] = [];
let secret = '';

const now = () => formatInstant(Date.now());

const offer = (price: number) => ({
  kind: 'offer',
  retailer: 'retailer_a',
  set_number: '1000',
  observed_at: now(),
  price,
  seller_type: 'retailer',
  in_stock: true,
});

beforeAll(async () => {
  place = makeWorkplace();
  mailHost = startMailHost();
  hook = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) => {
      const verified = new Webhook(secret).verify(
        await request.text(),
        Object.fromEntries(request.headers),
      );
      received.push(verified as (typeof received)[number]);
      return new Response(null, { status: 204 });
    },
  });
  const set = { kind: 'set', set_number: '1000', title: 'Grand Castle', theme: 'Castles' };
  const account = { email, plan: 'reseller', password, allowance: 1_000_000 } as const;
  [key = ''] = await stock(place, { accounts: [account], lines: [set] });
  await importFeed(offer(120));
  const port = await freePort();
  server = await place.serve({
    now: now(),
    flags: ['--port', String(port)],
    env: {
      ...deliverySettings(place),
      BRICKMARK_SMTP_URL: `smtp://127.0.0.1:${mailHost.port}`,
      BRICKMARK_MAIL_FROM: 'bricks@example.com',
      BRICKMARK_BASE_URL: `http://127.0.0.1:${port}`,
    },
  });
  ann = new Visitor(server.url);
  await askForEverything();
});

afterAll(async () => {
  await stream?.stop();
  await place.close();
  mailHost.stop();
  await hook.stop(true);
});

async function importFeed(line: object): Promise<void> {
  await place.json(['import', 'feed', '-'], { stdin: JSON.stringify(line), now: now() });
}

/** A list with a target, an alert by e-mail, a webhook and a stream, all as a person would. */
async function askForEverything(): Promise<void> {
  await ann.submit(await ann.get('/sign-in'), '/sign-in', { email, password });
  const made = await ann.submit(await ann.get('/watchlist'), '/watchlist', { name: 'Wanted' });
  const list = made.goTo ?? '';
  const item = { item: '1000', target: String(target) };
  await ann.submit(await ann.get(list), `${list}/items`, item);
  const alert = await ann.get('/alerts/new?template=target');
  expect((await ann.submit(alert, '/alerts/new')).goTo).toBe('/alerts?matches=0');
  const address = `${hook.url.href}hook`;
  const added = await ann.submit(await ann.get('/webhooks'), '/webhooks', { address });
  secret = /whsec_[A-Za-z0-9+/=]+/.exec(added.html)?.[0] ?? '';
  const reader = { url: server.url, key };
  stream = startStream(() => reader, await latestPosition(reader), 'scope=watch');
}

/** How long it takes until something is so. */
async function timeUntil(isSo: () => boolean | Promise<boolean>): Promise<number> {
  const start = performance.now();
  while (!(await isSo())) {
    if (performance.now() - start > patienceMs) throw new Error(`Not told in time: ${isSo}`);
    await Bun.sleep(10);
  }
  return Math.round(performance.now() - start);
}

const toldSql = 'SELECT 1 FROM private.alert_told';

const pricesOf = (events: readonly Event[]) =>
  events.filter(({ kind }) => kind === 'retail.price').map(({ after }) => after.price_usd);

test('a price drop imported by hand reaches a webhook, a stream, an inbox and the page of alerts', async () => {
  for (let run = 1; run <= runs; run++) {
    const price = target - run;
    // Above the target again, until the alert is armed.
    await importFeed(offer(120 + run));
    await timeUntil(async () => (await onTables(place.data, toldSql)).length === 0);
    const mails = mailHost.taken.length;
    await importFeed(offer(price));
    const words = `$${price}.00`;
    const times = await Promise.all([
      timeUntil(() => pricesOf(received.map(({ data }) => data)).includes(price)),
      timeUntil(() => pricesOf(stream.told).includes(price)),
      timeUntil(() => mailHost.taken.slice(mails).some(({ text }) => text.includes(words))),
      timeUntil(async () => textOf((await ann.get('/alerts/sent')).html).includes(words)),
    ]);
    const [webhook, events, mail, page] = times;
    const line = `told after ms: webhook ${webhook}, stream ${events}, mail ${mail}, page ${page}`;
    if (isMeasured) process.stdout.write(`${line}\n`);
    expect(mailHost.taken).toHaveLength(mails + 1);
    expect(mailHost.taken.at(-1)).toMatchObject({ to: email });
  }
}, 120_000);
