/** A server with other processes: it shows their imports, and stops without dropping requests. */
// @runs SQLite, PostgreSQL: has statements that no other suite runs
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { makeWorkplace, type Served, type Workplace } from '../support/cli.ts';
import { stock } from '../support/stocked.ts';
import { onTables } from '../support/tables.ts';
import { until } from '../support/until.ts';

let place: Workplace;
let key: string;

beforeEach(async () => {
  place = makeWorkplace();
  const set = { kind: 'set', set_number: '1000', title: 'Hut', theme: 'Huts', msrp_usd: 50 };
  const account = { email: 'a@example.com', plan: 'reseller', allowance: 1_000_000 } as const;
  [key = ''] = await stock(place, { accounts: [account], lines: [set] });
});

afterEach(() => place.close());

const sale = (id: number, price: number) =>
  JSON.stringify({
    kind: 'sale',
    source: 'shop',
    source_id: String(id),
    item_type: 'set',
    item: '1000',
    condition: 'sealed',
    price,
    sold_at: '2026-11-14T10:00:00Z',
  });

test('a sale imported by another process is shown by the running server', async () => {
  const server = await place.serve();
  const value = async () => {
    const body = (await (await server.get('/set/1000', key)).json()) as {
      data: { new_value_usd: number; data_tier: string };
    };
    return { usd: body.data.new_value_usd, tier: body.data.data_tier };
  };
  const before = await value();
  expect(before.tier).toBe('modeled');
  await place.json(['import', 'feed', '-'], { stdin: sale(1, 70) });
  const isShown = async () => (await value()).usd !== before.usd;
  await until(isShown);
  const after = await value();
  expect(after.tier).toBe('low');
  expect(after.usd).toBeGreaterThan(before.usd + 5);
});

test('a server without an operator prints a link to create one; the latest works', async () => {
  const linkOf = async (server: Served) => {
    const find = () => /(http\S+\/invitations\/[\w-]{43})\n/.exec(server.errors())?.[1];
    await until(() => find() !== undefined);
    return find() ?? '';
  };
  const first = await place.serve();
  const earlier = await linkOf(first);
  const second = await place.serve();
  const link = await linkOf(second);
  expect((await fetch(earlier)).status).toBe(404);
  // Any server accepts it.
  const path = new URL(link).pathname;
  expect((await fetch(`${first.url}${path}`)).status).toBe(200);
  await place.json(['account', 'add', 'op@example.com', '--operator']);
  expect((await fetch(link)).status).toBe(404);
  const third = await place.serve();
  expect(third.errors()).not.toContain('/invitations/');
});

test('a set imported by another process is found by search in the running server', async () => {
  const server = await place.serve();
  const found = async (q: string) => {
    const response = await server.get(`/catalog/sets/search?q=${q}`, key);
    const body = (await response.json()) as { data: { pagination: { total: number } } };
    return body.data.pagination.total;
  };
  const untilFound = (q: string) => until(async () => (await found(q)) === 1);
  expect(await found('windmill')).toBe(0);
  const set = { kind: 'set', set_number: '2000', title: 'Windmill', theme: 'Huts' };
  await place.json(['import', 'feed', '-'], { stdin: JSON.stringify(set) });
  await untilFound('windmill');
  await place.json(['import', 'feed', '-'], {
    stdin: JSON.stringify({ ...set, title: 'Watermill' }),
  });
  await untilFound('watermill');
  expect(await found('windmill')).toBe(0);
});

test('documents that depend on time are republished by the running server', async () => {
  const set = {
    kind: 'set',
    set_number: '3000',
    title: 'Soon',
    theme: 'Huts',
    release_date: '2026-11-16',
  };
  await place.json(['import', 'feed', '-'], { stdin: JSON.stringify(set) });
  // Read from the store: the day may have ended before the server answers its first request.
  const [stored] = await onTables<{ body: string }>(
    place.data,
    "SELECT body FROM document WHERE kind = 'set' AND key = '3000'",
  );
  expect(JSON.parse(stored?.body ?? '')).toMatchObject({ status_id: 1 });
  const server = await place.serve({ now: '2026-11-15T23:59:59Z' });
  await until(async () => {
    const { data } = (await (await server.get('/set/3000', key)).json()) as {
      data: { status_id: number };
    };
    return data.status_id === 2;
  });
});

test('SIGTERM answers requests in flight, then ends with status 0', async () => {
  const server = await place.serve();
  let refused = 0;
  let answered = 0;
  let dropped = 0;
  let isEnding = false;
  const client = async () => {
    while (!isEnding || refused === 0) {
      const started = isEnding;
      const outcome = await server.get('/set/1000', key).then(
        async (response) => (await response.text()).length > 100 && response.status === 200,
        (error: { code?: string }) => error.code ?? 'unknown',
      );
      if (outcome === true) answered++;
      else if (outcome === 'ConnectionRefused' || started) return refused++;
      else dropped++;
    }
    return 0;
  };
  const clients = Array.from({ length: 10 }, client);
  await until(() => answered > 10);
  isEnding = true;
  expect(await server.kill('SIGTERM')).toBe(0);
  await Promise.all(clients);
  expect(answered).toBeGreaterThan(10);
  expect(dropped).toBe(0);
});

test('a private import during serving fails no call and loses no row', async () => {
  const server = await place.serve();
  const lines = [
    { kind: 'brickfolio', account: 'a@example.com', name: 'Attic' },
    ...Array.from({ length: 2000 }, (_, index) => ({
      kind: 'holding',
      account: 'a@example.com',
      source_id: `lot-${index}`,
      brickfolio: 'Attic',
      set_number: '1000',
      quantity: 1,
      condition: 'sealed',
      purchase_price_usd: 10,
      purchase_date: '2026-01-01',
    })),
  ];
  let isDone = false;
  const importing = place
    .start(['import', 'feed', '-', '--json'], {
      stdin: lines.map((line) => JSON.stringify(line)).join('\n'),
    })
    .finally(() => {
      isDone = true;
    });
  const statuses = new Set<number>();
  while (!isDone) statuses.add((await server.get('/set/1000', key)).status);
  expect(JSON.parse((await importing).stdout)).toMatchObject({ added: 2001 });
  expect([...statuses]).toEqual([200]);
});

test('a second server on the same port is an error', async () => {
  const server = await place.serve();
  const { status, stderr } = await place.start(['serve', '--port', new URL(server.url).port]);
  expect(status).toBe(1);
  expect(stderr).toContain('is in use. Choose another one with --port');
});

test('expired rows are removed by the server itself, in slices', async () => {
  const keys = Array.from({ length: 250 }, (_, n) => `old ${n}`);
  const rows = keys.map(() => '(?, 1, 1)').join(', ');
  await onTables(place.data, `INSERT INTO private.tries (key, since, count) VALUES ${rows}`, keys);
  await place.serve();
  const left = () => onTables(place.data, 'SELECT 1 FROM private.tries LIMIT 1');
  await until(async () => (await left()).length === 0);
});
