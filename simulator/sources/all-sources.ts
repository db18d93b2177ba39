/** All simulated sources on one server, each under its own path, and their settings. */

import { quoteCell } from '../../src/kernel/csv-cell.ts';
import { type Clock, dayMs, dayOf, formatInstant, minuteMs } from '../../src/kernel/time.ts';
import type { Offer } from '../../src/market/source-rows/source-rows.ts';
import { simulateBricklink } from './bricklink.ts';
import { simulateBrickset } from './brickset.ts';
import { simulateEbay } from './ebay.ts';
import { simulateEcb } from './ecb.ts';
import type { SourceHandler } from './faults.ts';
import { simulateHttp } from './http.ts';
import { simulateKeepa } from './keepa.ts';
import { simulateRebrickable } from './rebrickable.ts';
import type { MarketIndex, SimulatedWorld } from './source-market.ts';
import type { StoredFile } from './stored-file.ts';

/** Retailer B is a plain `[[http]]` source. */
export const simulatedSources = [
  'ecb',
  'rebrickable',
  'brickset',
  'bricklink',
  'keepa',
  'ebay',
  'retailer-b',
] as const;
export type SimulatedSource = (typeof simulatedSources)[number];

/** By setting name. */
export interface SourceKeys {
  readonly brickset: { readonly key: string };
  readonly bricklink: Readonly<
    Record<'consumer_key' | 'consumer_secret' | 'token' | 'token_secret', string>
  >;
  readonly keepa: { readonly key: string };
  readonly ebay: { readonly client_id: string; readonly client_secret: string };
}

/** Only valid for the simulated sources. */
export const simulatedSecrets: SourceKeys = {
  brickset: { key: 'made-up-brickset-key-Kq7x9Lm2' },
  bricklink: {
    consumer_key: 'made-up-consumer-key-CkP4tW8z',
    consumer_secret: 'made-up-consumer-secret-CsH3vN6',
    token: 'made-up-token-Tk9rB1yD',
    token_secret: 'made-up-token-secret-Tse2Ua',
  },
  keepa: { key: 'made-up-keepa-key-Zf6gJ0oR' },
  ebay: { client_id: 'made-up-client-id-Wb3pX5', client_secret: 'made-up-client-secret-Rd8q' },
};

export interface SourceLimits {
  readonly callsPerDay: Readonly<Record<'brickset' | 'bricklink' | 'ebay', number>>;
  /** Keepa's. */
  readonly tokensPerMinute: number;
}

export interface SimulatedSourcesOptions {
  readonly market: MarketIndex;
  readonly clock: Clock;
  readonly limits: SourceLimits;
}

/** Routes by the first part of the path. */
export function simulateSources(options: SimulatedSourcesOptions): SourceHandler {
  const handlers = makeHandlers(options);
  return (request) => {
    const [, name = ''] = new URL(request.url).pathname.split('/');
    const source = simulatedSources.find((known) => known === name);
    return source ? handlers[source](request) : new Response('Not found', { status: 404 });
  };
}

function makeHandlers(options: SimulatedSourcesOptions): Record<SimulatedSource, SourceHandler> {
  const { market, clock, limits } = options;
  const world: SimulatedWorld = { market, clock };
  return {
    ecb: simulateEcb({
      clock,
      firstDay: dayOf(clock()) - rateDays,
      currencies: Object.keys(market.whole.usdPerUnit).filter((code) => code !== 'EUR'),
      usdPerUnit: (currency) => market.convert(1, currency, 'USD'),
    }),
    ...simulateServices(world, { keys: simulatedSecrets, limits }),
    'retailer-b': simulateHttp({ findFile: () => priceList(world) }),
  };
}

/** Services that identify sets by number. */
export function simulateServices(
  world: SimulatedWorld,
  options: {
    readonly keys: SourceKeys;
    readonly limits: SourceLimits;
    /** Called with Keepa's remaining tokens after each call. */
    onTokens?(left: number): void;
  },
): Record<Exclude<SimulatedSource, 'ecb' | 'retailer-b'>, SourceHandler> {
  const { brickset, bricklink, keepa, ebay } = options.keys;
  const { callsPerDay, tokensPerMinute } = options.limits;
  return {
    rebrickable: simulateRebrickable(world),
    brickset: simulateBrickset(world, { ...brickset, callsPerDay: callsPerDay.brickset }),
    bricklink: simulateBricklink(world, {
      consumerKey: bricklink.consumer_key,
      consumerSecret: bricklink.consumer_secret,
      token: bricklink.token,
      tokenSecret: bricklink.token_secret,
      callsPerDay: callsPerDay.bricklink,
    }),
    keepa: simulateKeepa(world, {
      ...keepa,
      tokensPerMinute,
      onSpent: (left) => options.onTokens?.(left),
    }),
    ebay: simulateEbay(world, {
      clientId: ebay.client_id,
      clientSecret: ebay.client_secret,
      callsPerDay: callsPerDay.ebay,
    }),
  };
}

/** Days with rates. */
const rateDays = 400;

export const priceListMapping = {
  columns: { set: 'Set', price: 'Price', list_price: 'List', date: 'Seen', stock: 'Stock' },
  constants: { retailer: 'retailer_b', seller: 'retailer' },
};

/** Offers of the last days as a price list. */
function priceList({ market, clock }: SimulatedWorld): StoredFile {
  const now = clock();
  const rows = market.whole.sets.flatMap(({ number }) =>
    market
      .listOffers(number, 'retailer_b', now)
      .filter(
        ({ observedAt, sellerType }) => observedAt > now - dayMs && sellerType !== 'third_party',
      )
      .map((offer) => priceRow(number, offer)),
  );
  const lines = [['Set', 'Price', 'List', 'Seen', 'Stock'], ...rows].map((row) =>
    row.map(quoteCell).join(','),
  );
  const bytes = new TextEncoder().encode(`${lines.join('\n')}\n`);
  return { bytes, type: 'text/csv', at: Math.floor(now / minuteMs) * minuteMs };
}

function priceRow(number: string, offer: Offer): string[] {
  const { priceCents, listPriceCents, observedAt, inStock } = offer;
  const price = (cents: number | null) => (cents === null ? '' : (cents / 100).toFixed(2));
  // Without a price, it is out of stock.
  const stock = priceCents !== null && inStock !== false ? 'yes' : 'no';
  return [number, price(priceCents), price(listPriceCents), formatInstant(observedAt), stock];
}

export interface SourceTimes {
  /** As in the settings, such as `24h`. */
  readonly every: string;
}

/** `sources.toml` for the sources at an address, with secrets in files of a folder. */
export function simulatedSettings(
  {
    url,
    secrets,
    mapping,
  }: { readonly url: string; readonly secrets: string; readonly mapping: string },
  { limits, every }: Pick<SimulatedSourcesOptions, 'limits'> & SourceTimes,
): string {
  const at = (name: SimulatedSource) => `url = "${url}/${name}/"`;
  const keys = (name: keyof SourceKeys) =>
    Object.keys(simulatedSecrets[name]).map((key) => `${key}_file = "${secrets}/${name}-${key}"`);
  const { callsPerDay } = limits;
  const calls = (name: keyof typeof callsPerDay) => `calls_per_day = ${callsPerDay[name]}`;
  const table = (name: SimulatedSource, lines: readonly string[]) =>
    [`[${name}]`, 'enabled = true', at(name), ...lines, ''].join('\n');
  const how = `every = "${every}"`;
  return [
    table('ecb', []),
    table('rebrickable', []),
    table('brickset', [calls('brickset'), ...keys('brickset')]),
    table('bricklink', [calls('bricklink'), how, ...keys('bricklink')]),
    table('keepa', [how, ...keys('keepa')]),
    table('ebay', [calls('ebay'), how, ...keys('ebay')]),
    [
      '[[http]]',
      'name = "retailer-b"',
      `url = "${url}/retailer-b/prices.csv"`,
      'format = "offers-csv"',
      `mapping = "${mapping}"`,
      how,
      '',
    ].join('\n'),
  ].join('\n');
}
