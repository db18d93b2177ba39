/** Which connections are ended when there are too many. */
import { describe, expect, test } from 'bun:test';
import { until } from '../../test/support/until.ts';
import {
  chooseEnded,
  endTooMany,
  guardConnections,
  networkConnectionsMax,
} from './connection-guard.ts';
import { makeLog } from './log.ts';
import { Metrics } from './metrics.ts';
import { openSockets, type Sockets } from './open-sockets.ts';

/** A connection by its name, and how long it has been silent. */
interface Known {
  readonly name: string;
  readonly silentMs: number;
}

/** Connections of a network, most recently active first. */
function connections(name: string, count: number): Known[] {
  return Array.from({ length: count }, (_, at) => ({ name: `${name}${at}`, silentMs: at * 10 }));
}

function ended(networks: Readonly<Record<string, Known[]>>, room: number, trusted: Known[] = []) {
  const all = new Map<string | null, Known[]>([[null, trusted], ...Object.entries(networks)]);
  return chooseEnded(all, { room, findSilentMs: ({ silentMs }) => silentMs })
    .map(({ name }) => name)
    .sort();
}

describe('connections are ended', () => {
  test('never while there is room', () => {
    expect(ended({ a: connections('a', 256), b: connections('b', 3) }, 300)).toEqual([]);
  });

  test('of a network over its limit, the longest idle first', () => {
    const many = connections('a', networkConnectionsMax + 2).reverse();
    expect(ended({ a: many, b: connections('b', 3) }, 1_000)).toEqual(['a256', 'a257']);
  });

  test('in total, those of the networks with the most', () => {
    const networks = { a: connections('a', 6), b: connections('b', 4), c: connections('c', 1) };
    expect(ended(networks, 9)).toEqual(['a4', 'a5']);
    expect(ended(networks, 7)).toEqual(['a3', 'a4', 'a5', 'b3']);
  });

  test('with one per network, the longest idle first', () => {
    const networks = Object.fromEntries(
      Array.from({ length: 10 }, (_, at) => [`n${at}`, [{ name: `n${at}`, silentMs: at }]]),
    );
    expect(ended(networks, 8)).toEqual(['n8', 'n9']);
    expect(ended(networks, -5)).toHaveLength(10);
  });

  test('of trusted proxies only in total, and last', () => {
    const proxy = connections('p', 500);
    expect(ended({ a: connections('a', 2) }, 1_000, proxy)).toEqual([]);
    expect(ended({ a: connections('a', 20) }, 510, proxy)).toHaveLength(10);
    expect(ended({ a: connections('a', 20) }, 510, proxy).join()).not.toContain('p');
  });
});

describe('descriptors', () => {
  /** A system with this many open descriptors, the first of them connections. */
  function systemWith(
    addresses: readonly string[],
    { most, open, isListed = true }: { most: number; open: number; isListed?: boolean },
  ) {
    const looked: number[] = [];
    const ended: number[] = [];
    const numbers = Array.from({ length: open }, (_, number) => number);
    const sockets: Sockets = {
      findDescriptorsMax: () => most,
      listDescriptors: () => (isListed ? numbers : null),
      listConnections: (descriptors) => {
        looked.push(...descriptors);
        return addresses.map((address, descriptor) => ({ descriptor, address, port: 1 }));
      },
      findSilentMs: (descriptor) => descriptor,
      end: (descriptor) => ended.push(descriptor),
    };
    const count = endTooMany(sockets, 80, {
      networkOf: (address) => (address === 'proxy' ? null : address),
      hasStream: ({ address }) => address === 'stream',
    });
    expect(count).toBe(ended.length);
    return { looked: looked.length, ended: ended.sort((a, b) => a - b) };
  }
  const strangers = (count: number) => Array.from({ length: count }, (_, index) => `${index}`);

  test('with streams are exempt, and not counted for their network', () => {
    const streams = Array.from({ length: 1_000 }, () => 'stream');
    const open = { most: 4_096, open: 1_300 };
    expect(systemWith([...streams, ...Array(256).fill('a')], open).ended).toEqual([]);
    expect(systemWith([...streams, ...Array(258).fill('a')], open).ended).toEqual([1256, 1257]);
    // They take room like everything else that is open.
    const full = systemWith([...streams, ...strangers(30)], { most: 1_168, open: 1_050 });
    expect(full.ended).toHaveLength(10);
  });

  test('are not examined while they are no more than one network may have', () => {
    const few = strangers(200);
    expect(systemWith(few, { most: 4_096, open: 256 })).toEqual({ looked: 0, ended: [] });
    expect(systemWith(few, { most: 4_096, open: 257 })).toEqual({ looked: 257, ended: [] });
  });

  test('are reserved: a quarter of few, and 128 of many', () => {
    // At most 75 of 100 are used; ten of the 80 open descriptors are not connections.
    expect(systemWith(strangers(70), { most: 100, open: 75 })).toEqual({ looked: 0, ended: [] });
    const { ended } = systemWith(strangers(70), { most: 100, open: 80 });
    expect(ended).toEqual([65, 66, 67, 68, 69]);
    // At most 896 of 1,024; 2 of the 900 open descriptors are not connections.
    expect(systemWith(strangers(898), { most: 1_024, open: 900 }).ended).toEqual([
      894, 895, 896, 897,
    ]);
    expect(systemWith(strangers(890), { most: 1_024, open: 896 }).ended).toEqual([]);
  });

  test('are limited even if the system has no limit', () => {
    const most = Number.POSITIVE_INFINITY;
    expect(systemWith(strangers(300), { most, open: 300 }).ended).toEqual([]);
  });

  test('are all tried if they cannot be listed, because all are taken', () => {
    const found = systemWith(strangers(64), { most: 64, open: 64, isListed: false });
    expect(found).toEqual({ looked: 64, ended: strangers(64).slice(48).map(Number) });
  });

  test('over the limit of one network are ended even with room, except of a trusted proxy', () => {
    const many = (address: string) => Array<string>(260).fill(address);
    const room = { most: 4_096, open: 300 };
    expect(systemWith(many('a'), room).ended).toEqual([256, 257, 258, 259]);
    expect(systemWith(many('proxy'), room).ended).toEqual([]);
  });
});

test('the system lists connections with their idle time, and ends them', async () => {
  const sockets = openSockets();
  for (const hostname of ['127.0.0.1', '::1', '::']) {
    const server = Bun.serve({ hostname, port: 0, fetch: () => new Response('yes') });
    const port = server.port ?? 0;
    const list = () => sockets.listConnections(sockets.listDescriptors() ?? [], port);
    expect(list()).toEqual([]);
    const closed = Promise.withResolvers<void>();
    const client = await Bun.connect({
      hostname: hostname === '::' ? '127.0.0.1' : hostname,
      port,
      socket: { data: () => {}, close: () => closed.resolve() },
    });
    client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await until(() => list().length > 0);
    const [connection] = list();
    const loopback = hostname === '::1' ? '0:0:0:0:0:0:0:1' : '127.0.0.1';
    expect(connection?.address).toBe(loopback);
    await until(() => sockets.findSilentMs(connection?.descriptor ?? -1) >= 30);
    await Bun.sleep(70);
    const findSilentMs = () => sockets.findSilentMs(connection?.descriptor ?? -1);
    const silentMs = findSilentMs();
    expect(silentMs).toBeWithin(80, 600_000);
    // A client that has sent something is not idle, even before the response.
    const sentAt = performance.now();
    client.write('GET');
    await Bun.sleep(40);
    expect(findSilentMs()).toBeLessThan(performance.now() - sentAt + silentMs / 2);
    sockets.end(connection?.descriptor ?? -1);
    await closed.promise;
    await until(() => list().length === 0);
    await server.stop(true);
  }
  expect(sockets.findDescriptorsMax()).toBeGreaterThan(100);
});

test('a network over its limit loses connections, even with room for all', async () => {
  const server = Bun.serve({ port: 0, fetch: () => new Response('yes') });
  const port = server.port ?? 0;
  const sockets = openSockets();
  const countOpen = () => sockets.listConnections(sockets.listDescriptors() ?? [], port).length;
  const metrics = new Metrics(false);
  const written: string[] = [];
  const log = makeLog({ level: 'requests', clock: () => 0, write: (text) => written.push(text) });
  const clients = await Promise.all(
    Array.from({ length: networkConnectionsMax + 3 }, () =>
      Bun.connect({ hostname: '127.0.0.1', port, socket: { data: () => {} } }),
    ),
  );
  // Idle clients are accepted a second later.
  for (const client of clients) client.write('GET');
  await until(() => countOpen() >= clients.length);
  guardConnections({
    url: server.url.href,
    trustedProxies: [],
    hasStream: () => false,
    log,
    metrics,
  });
  expect(metrics.connectionsEnded).toBe(3);
  await until(() => countOpen() <= networkConnectionsMax);
  // Checks continue: a later connection is ended as well.
  const late = await Bun.connect({ hostname: '127.0.0.1', port, socket: { data: () => {} } });
  late.write('GET');
  await until(() => metrics.connectionsEnded >= 4);
  log.flush();
  expect(written.join('').match(/"ended":\d+/g)).toEqual(['"ended":3', '"ended":1']);
  for (const client of [...clients, late]) client.end();
  await server.stop(true);
});
