/** Simulated sources behind one server on loopback, and the settings that lead to them. */
import type { Clock } from '../../src/domain/kernel/time.ts';
import { simulateBricklink } from '../../src/simulate/sources/bricklink.ts';
import { simulateBrickset } from '../../src/simulate/sources/brickset.ts';
import type { SourceHandler } from '../../src/simulate/sources/faults.ts';
import { simulateKeepa } from '../../src/simulate/sources/keepa.ts';
import type { MarketIndex } from '../../src/simulate/sources/source-market.ts';

/** What each secret is, by the variable that has it. Nothing else looks like them. */
export const sourceSecrets = {
  BRICKMARK_TEST_BRICKSET_KEY: 'bs-5ecret-Kq7x9Lm2',
  BRICKMARK_TEST_BRICKLINK_CONSUMER_KEY: 'bl-5ecret-CkP4tW8z',
  BRICKMARK_TEST_BRICKLINK_CONSUMER_SECRET: 'bl-5ecret-Cs/H3+vN6',
  BRICKMARK_TEST_BRICKLINK_TOKEN: 'bl-5ecret-Tk9rB1yD',
  BRICKMARK_TEST_BRICKLINK_TOKEN_SECRET: 'bl-5ecret-Ts=e2&Ua',
  BRICKMARK_TEST_KEEPA_KEY: 'kp-5ecret-Zf6gJ0oR',
} as const;

/** A call as its source saw it. */
export interface SeenCall {
  readonly source: string;
  readonly at: number;
  readonly path: string;
}

/** How sources are set up. */
export interface LiveOptions {
  readonly market: MarketIndex;
  readonly clock: Clock;
  readonly callsPerDay?: { readonly brickset?: number; readonly bricklink?: number };
  readonly tokensPerMinute?: number;
  /** Stands in front of a source. */
  wrap?(source: string, handler: SourceHandler): SourceHandler;
  /** Is told what each call left of Keepa's tokens. */
  onTokens?(left: number): void;
}

/** Sources that are running. */
export interface LiveSources {
  readonly url: string;
  readonly calls: SeenCall[];
  /** The text of `sources.toml` with all of them, or some. */
  settings(names?: readonly LiveName[]): string;
  stop(): Promise<void>;
}

const names = ['brickset', 'bricklink', 'keepa'] as const;

/** One of them. */
export type LiveName = (typeof names)[number];

/** Starts the sources. */
export function startLiveSources(options: LiveOptions): LiveSources {
  const calls: SeenCall[] = [];
  const handlers = makeHandlers(options);
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: (request) => {
      const { pathname } = new URL(request.url);
      const [, source = '', ...rest] = pathname.split('/');
      const handler = handlers[source as LiveName];
      if (!handler) return new Response('', { status: 404 });
      calls.push({ source, at: options.clock(), path: rest.join('/') });
      return handler(request);
    },
  });
  const url = `http://127.0.0.1:${server.port}`;
  return {
    url,
    calls,
    settings: (wanted = names) =>
      wanted.map((name) => settingsOf(name, `${url}/${name}/`, options)).join('\n'),
    stop: () => server.stop(true),
  };
}

function makeHandlers(options: LiveOptions): Record<LiveName, SourceHandler> {
  const { market, clock, tokensPerMinute = 20, wrap = (_, handler) => handler } = options;
  const { brickset = 100, bricklink = 5_000 } = options.callsPerDay ?? {};
  const world = { market, clock };
  const secrets = sourceSecrets;
  const sources: Record<LiveName, SourceHandler> = {
    brickset: simulateBrickset(world, {
      key: secrets.BRICKMARK_TEST_BRICKSET_KEY,
      callsPerDay: brickset,
    }),
    bricklink: simulateBricklink(world, {
      consumerKey: secrets.BRICKMARK_TEST_BRICKLINK_CONSUMER_KEY,
      consumerSecret: secrets.BRICKMARK_TEST_BRICKLINK_CONSUMER_SECRET,
      token: secrets.BRICKMARK_TEST_BRICKLINK_TOKEN,
      tokenSecret: secrets.BRICKMARK_TEST_BRICKLINK_TOKEN_SECRET,
      callsPerDay: bricklink,
    }),
    keepa: simulateKeepa(world, {
      key: secrets.BRICKMARK_TEST_KEEPA_KEY,
      tokensPerMinute,
      onSpent: (left) => options.onTokens?.(left),
    }),
  };
  for (const name of names) sources[name] = wrap(name, sources[name]);
  return sources;
}

function settingsOf(name: LiveName, url: string, { callsPerDay }: LiveOptions): string {
  const lines = [`[${name}]`, 'enabled = true', `url = "${url}"`];
  if (name === 'keepa') return [...lines, 'key_env = "BRICKMARK_TEST_KEEPA_KEY"', ''].join('\n');
  lines.push(`calls_per_day = ${callsPerDay?.[name] ?? 100}`);
  if (name === 'brickset')
    return [...lines, 'key_env = "BRICKMARK_TEST_BRICKSET_KEY"', ''].join('\n');
  const secrets = ['consumer_key', 'consumer_secret', 'token', 'token_secret'];
  const read = secrets.map(
    (secret) => `${secret}_env = "BRICKMARK_TEST_BRICKLINK_${secret.toUpperCase()}"`,
  );
  return [...lines, ...read, ''].join('\n');
}
