/** Simulated sources on a loopback server, and the settings for them. */

import { type SourceKeys, simulateServices } from '../../simulator/sources/all-sources.ts';
import { simulateEcb } from '../../simulator/sources/ecb.ts';
import type { SourceHandler } from '../../simulator/sources/faults.ts';
import { simulateHttp } from '../../simulator/sources/http.ts';
import type { MarketIndex } from '../../simulator/sources/source-market.ts';
import { type Clock, dayMs, dayOf } from '../../src/kernel/time.ts';
import type { FeedLine } from './stored-world.ts';

/** The secrets by environment variable; distinctive, so that tests can search output for them. */
export const sourceSecrets = {
  BRICKMARK_TEST_BRICKSET_KEY: 'bs-5ecret-Kq7x9Lm2',
  BRICKMARK_TEST_BRICKLINK_CONSUMER_KEY: 'bl-5ecret-CkP4tW8z',
  BRICKMARK_TEST_BRICKLINK_CONSUMER_SECRET: 'bl-5ecret-Cs/H3+vN6',
  BRICKMARK_TEST_BRICKLINK_TOKEN: 'bl-5ecret-Tk9rB1yD',
  BRICKMARK_TEST_BRICKLINK_TOKEN_SECRET: 'bl-5ecret-Ts=e2&Ua',
  BRICKMARK_TEST_KEEPA_KEY: 'kp-5ecret-Zf6gJ0oR',
  BRICKMARK_TEST_EBAY_CLIENT_ID: 'eb-5ecret-Hd1mX7pQ',
  BRICKMARK_TEST_EBAY_CLIENT_SECRET: 'eb-5ecret-Gy5uL9tS',
  BRICKMARK_TEST_SHOP_KEY: 'sh-5ecret-Nw8cV3iE',
} as const;

const keys: SourceKeys = {
  brickset: { key: sourceSecrets.BRICKMARK_TEST_BRICKSET_KEY },
  bricklink: {
    consumer_key: sourceSecrets.BRICKMARK_TEST_BRICKLINK_CONSUMER_KEY,
    consumer_secret: sourceSecrets.BRICKMARK_TEST_BRICKLINK_CONSUMER_SECRET,
    token: sourceSecrets.BRICKMARK_TEST_BRICKLINK_TOKEN,
    token_secret: sourceSecrets.BRICKMARK_TEST_BRICKLINK_TOKEN_SECRET,
  },
  keepa: { key: sourceSecrets.BRICKMARK_TEST_KEEPA_KEY },
  ebay: {
    client_id: sourceSecrets.BRICKMARK_TEST_EBAY_CLIENT_ID,
    client_secret: sourceSecrets.BRICKMARK_TEST_EBAY_CLIENT_SECRET,
  },
};

export interface SeenCall {
  readonly source: LiveName;
  readonly at: number;
  readonly path: string;
}

export interface LiveOptions {
  readonly market: MarketIndex;
  readonly clock: Clock;
  readonly callsPerDay?: Readonly<Partial<Record<LimitedName, number>>>;
  readonly tokensPerMinute?: number;
  /** The sync interval of BrickLink, Keepa, eBay and the shop. */
  readonly every?: string;
  /** The shop's data, as feed lines. */
  shopLines?(): readonly FeedLine[];
  /** Wraps the handler of a source. */
  wrap?(source: LiveName, handler: SourceHandler): SourceHandler;
  /** Called with the number of Keepa tokens left after each call. */
  onTokens?(left: number): void;
}

export interface LiveSources {
  readonly url: string;
  readonly calls: SeenCall[];
  /** The text of `sources.toml`, with all sources by default. */
  settings(names?: readonly LiveName[]): string;
  stop(): Promise<void>;
}

export const liveNames = [
  'ecb',
  'rebrickable',
  'brickset',
  'bricklink',
  'keepa',
  'ebay',
  'shop',
] as const;

export type LiveName = (typeof liveNames)[number];

/** Sources with a daily limit of calls. */
export type LimitedName = 'brickset' | 'bricklink' | 'ebay';

export function startLiveSources(options: LiveOptions): LiveSources {
  const calls: SeenCall[] = [];
  const handlers = makeHandlers(options);
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: (request) => {
      const { pathname } = new URL(request.url);
      const [, name = '', ...rest] = pathname.split('/');
      const source = liveNames.find((known) => known === name);
      if (!source) return new Response('', { status: 404 });
      calls.push({ source, at: options.clock(), path: rest.join('/') });
      return handlers[source](request);
    },
  });
  const url = `http://127.0.0.1:${server.port}`;
  return {
    url,
    calls,
    settings: (wanted = liveNames) =>
      wanted.map((name) => settingsOf(name, `${url}/${name}/`, options)).join('\n'),
    stop: () => server.stop(true),
  };
}

function makeHandlers(options: LiveOptions): Record<LiveName, SourceHandler> {
  const { market, clock, tokensPerMinute = 20, wrap = (_, handler) => handler } = options;
  const { brickset = 100, bricklink = 5_000, ebay = 5_000 } = options.callsPerDay ?? {};
  const world = { market, clock };
  const sources: Record<LiveName, SourceHandler> = {
    ecb: simulateEcb({
      clock,
      firstDay: dayOf(clock()) - 30,
      currencies: ['GBP'],
      usdPerUnit: (currency, at) => (currency === 'EUR' ? 1.1 : 1.3) + (dayOf(at) % 50) / 1000,
    }),
    ...simulateServices(world, {
      keys,
      limits: { callsPerDay: { brickset, bricklink, ebay }, tokensPerMinute },
      onTokens: (left) => options.onTokens?.(left),
    }),
    shop: simulateHttp({
      headers: { 'X-Shop-Key': sourceSecrets.BRICKMARK_TEST_SHOP_KEY },
      findFile: () => {
        const lines = options.shopLines?.() ?? [];
        const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
        const bytes = new TextEncoder().encode(text);
        return { bytes, type: 'application/x-ndjson', at: lines.length * dayMs };
      },
    }),
  };
  for (const name of liveNames) sources[name] = wrap(name, sources[name]);
  return sources;
}

const bricklinkSecrets = ['consumer_key', 'consumer_secret', 'token', 'token_secret'];

function settingsOf(name: LiveName, url: string, options: LiveOptions): string {
  const { brickset = 100, bricklink = 100, ebay = 100 } = options.callsPerDay ?? {};
  const every = `every = "${options.every ?? '24h'}"`;
  const lines: Readonly<Record<LiveName, readonly string[]>> = {
    ecb: [],
    rebrickable: [],
    brickset: [`calls_per_day = ${brickset}`, 'key_env = "BRICKMARK_TEST_BRICKSET_KEY"'],
    bricklink: [
      every,
      `calls_per_day = ${bricklink}`,
      ...bricklinkSecrets.map(
        (secret) => `${secret}_env = "BRICKMARK_TEST_BRICKLINK_${secret.toUpperCase()}"`,
      ),
    ],
    keepa: [every, 'key_env = "BRICKMARK_TEST_KEEPA_KEY"'],
    ebay: [
      every,
      `calls_per_day = ${ebay}`,
      'client_id_env = "BRICKMARK_TEST_EBAY_CLIENT_ID"',
      'client_secret_env = "BRICKMARK_TEST_EBAY_CLIENT_SECRET"',
    ],
    shop: [
      'name = "shop"',
      every,
      'format = "feed"',
      'headers_env = { X-Shop-Key = "BRICKMARK_TEST_SHOP_KEY" }',
    ],
  };
  const table = name === 'shop' ? '[[http]]' : `[${name}]`;
  return [table, `url = "${url}"`, ...lines[name], ''].join('\n');
}
