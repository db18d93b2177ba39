/**
 * Simulates BrickLink's API, version 1: it checks signatures, counts calls, requires variants in
 * set numbers, and always returns status 200.
 */
import { createHmac } from 'node:crypto';
import { formatInstant, monthOf, monthStart } from '../../src/kernel/time.ts';
import type { Sale } from '../../src/market/source-rows/source-rows.ts';
import {
  DailyCalls,
  type MarketIndex,
  type SimulatedServer,
  type SimulatedWorld,
} from './source-market.ts';

export interface BricklinkRules {
  readonly consumerKey: string;
  readonly consumerSecret: string;
  readonly token: string;
  readonly tokenSecret: string;
  readonly callsPerDay: number;
  /** Whether the token is bound to another IP address. */
  readonly isElsewhere?: boolean;
}

const guideMonths = 6;

export function simulateBricklink(world: SimulatedWorld, rules: BricklinkRules): SimulatedServer {
  const calls = new DailyCalls(rules.callsPerDay);
  const nonces = new Set<string>();
  return async (request) => {
    const at = world.clock();
    const problem = signatureProblem(request, rules, nonces);
    if (problem !== null) return failed(401, 'BAD_OAUTH_REQUEST', problem);
    if (!calls.take(at)) return failed(429, 'TOO_MANY_REQUESTS', 'Daily limit exceeded');
    const url = new URL(request.url);
    const [, type = '', no = '', topic = ''] =
      /\/items\/(\w+)\/([^/]+)(?:\/(\w+))?$/.exec(url.pathname) ?? [];
    if (type === '') return failed(404, 'RESOURCE_NOT_FOUND', '');
    const number = decodeURIComponent(no);
    if (type === 'SET' && !/-\d+$/.test(number)) {
      const words = 'Invalid item sequence number: null';
      return failed(400, 'PARAMETER_MISSING_OR_INVALID', words);
    }
    const isKnown =
      type === 'SET' ? world.market.findSet(number) : world.market.findMinifig(number);
    if (isKnown === null) return failed(404, 'RESOURCE_NOT_FOUND', '');
    if (topic === 'price') return guide(url, { type, number, at }, world.market);
    if (topic === 'subsets') return done(subsetsOf(number, world.market));
    return done({ no: number, type });
  };
}

interface AskedItem {
  readonly type: string;
  readonly number: string;
  readonly at: number;
}

function guide(
  { searchParams }: URL,
  { type, number, at }: AskedItem,
  market: MarketIndex,
): Response {
  const currency = searchParams.get('currency_code') ?? 'USD';
  const isNew = searchParams.get('new_or_used') !== 'U';
  // The stock is assumed to equal the sales of half a year.
  const isStock = searchParams.get('guide_type') !== 'sold';
  if (market.convert(1, 'USD', currency) === null) {
    return failed(400, 'PARAMETER_MISSING_OR_INVALID', 'currency_code is invalid');
  }
  const sold = market
    .listSales(
      { kind: type === 'SET' ? 'set' : 'minifig', number },
      { channels: ['bricklink'], from: monthsBefore(at, guideMonths), to: at },
    )
    .filter(({ condition }) => condition === (isNew ? 'sealed' : 'used'));
  const prices = sold.map((sale) => unitPrice(sale, currency, market));
  const average = prices.reduce((sum, price) => sum + price, 0) / Math.max(1, prices.length);
  return done({
    item: { no: number, type },
    new_or_used: isNew ? 'N' : 'U',
    currency_code: currency,
    min_price: decimals(prices.length === 0 ? 0 : Math.min(...prices)),
    max_price: decimals(prices.length === 0 ? 0 : Math.max(...prices)),
    avg_price: decimals(average),
    qty_avg_price: decimals(average),
    unit_quantity: sold.length,
    total_quantity: sold.reduce((sum, { quantity }) => sum + quantity, 0),
    price_detail: sold.map((sale, index) => ({
      quantity: sale.quantity,
      // BrickLink's misspelling, in addition to `quantity`.
      qunatity: sale.quantity,
      unit_price: decimals(prices[index] ?? 0),
      ...(isStock
        ? { shipping_available: true }
        : {
            seller_country_code: 'US',
            buyer_country_code: 'US',
            date_ordered: formatInstant(sale.soldAt),
          }),
    })),
  });
}

function unitPrice(sale: Sale, currency: string, market: MarketIndex): number {
  const cents = market.convert(sale.priceCents, sale.currency, currency) ?? sale.priceCents;
  return cents / 100 / sale.quantity;
}

/** Prices are strings with four decimals. */
function decimals(price: number): string {
  return price.toFixed(4);
}

function subsetsOf(number: string, market: MarketIndex): unknown[] {
  const counts = new Map<string, number>();
  for (const fig of market.findSet(number)?.minifigs ?? []) {
    counts.set(fig, (counts.get(fig) ?? 0) + 1);
  }
  return [...counts].map(([no, quantity]) => ({
    match_no: 0,
    entries: [
      {
        item: { no, name: market.findMinifig(no)?.name ?? no, type: 'MINIFIG', category_id: 1 },
        color_id: 0,
        quantity,
        extra_quantity: 0,
        is_alternate: false,
        is_counterpart: false,
      },
    ],
  }));
}

function monthsBefore(at: number, months: number): number {
  const month = monthOf(at);
  return monthStart(month - months) + (at - monthStart(month));
}

/** Null if the signature is valid. */
function signatureProblem(
  request: Request,
  rules: BricklinkRules,
  nonces: Set<string>,
): string | null {
  const header = request.headers.get('authorization') ?? '';
  const given = new Map(
    [...header.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [
      name,
      decodeURIComponent(value),
    ]),
  );
  const signature = given.get('oauth_signature');
  given.delete('oauth_signature');
  const consumer = given.get('oauth_consumer_key');
  if (consumer !== rules.consumerKey) return `CONSUMER_KEY_UNKNOWN: consumer: ${consumer}`;
  if (given.get('oauth_token') !== rules.token) return `TOKEN_VALUE_UNKNOWN: ${consumer}`;
  if (signature !== signatureOf(request, given, rules)) return `SIGNATURE_INVALID: ${consumer}`;
  if (rules.isElsewhere) return `TOKEN_IP_MISMATCHED: consumer: ${consumer} IP: 203.0.113.9`;
  const nonce = given.get('oauth_nonce') ?? '';
  if (nonces.has(nonce)) return `NONCE_USED: ${consumer}`;
  nonces.add(nonce);
  return null;
}

function signatureOf(
  request: Request,
  given: ReadonlyMap<string, string>,
  rules: BricklinkRules,
): string {
  const url = new URL(request.url);
  const encode = (text: string) =>
    [...new TextEncoder().encode(text)]
      .map((byte) => {
        const letter = String.fromCharCode(byte);
        return /[\w.~-]/.test(letter)
          ? letter
          : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
      })
      .join('');
  const pairs = [...url.searchParams, ...given].map(
    ([name, value]) => `${encode(name)}=${encode(value)}`,
  );
  const parts = [request.method, `${url.origin}${url.pathname}`, pairs.sort().join('&')];
  const key = `${encode(rules.consumerSecret)}&${encode(rules.tokenSecret)}`;
  return createHmac('sha1', key).update(parts.map(encode).join('&')).digest('base64');
}

function done(data: unknown): Response {
  return Response.json({ meta: { code: 200, message: 'OK', description: 'OK' }, data });
}

/** Errors have status 200, too. */
function failed(code: number, message: string, description: string): Response {
  return Response.json({ meta: { code, message, description } });
}
