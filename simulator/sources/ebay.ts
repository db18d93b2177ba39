/**
 * Simulates eBay's Marketplace Insights: expiring tokens, paging, filters by condition and day, and
 * realistic titles, including misleading ones.
 */
import type { SetFacts } from '../../src/catalog/items/catalog.ts';
import type { JsonObject } from '../../src/kernel/json.ts';
import { dayMs, formatInstant, hourMs, parseInstant } from '../../src/kernel/time.ts';
import type { Completeness, Sale } from '../../src/market/source-rows/source-rows.ts';
import { DailyCalls, type SimulatedServer, type SimulatedWorld } from './source-market.ts';

export interface EbayRules {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly callsPerDay: number;
  readonly isAdmitted?: boolean;
}

const historyDays = 90;
const pageSizeMax = 200;
const tokenMs = 2 * hourMs;

export function simulateEbay(world: SimulatedWorld, rules: EbayRules): SimulatedServer {
  const calls = new DailyCalls(rules.callsPerDay);
  const tokens = new Map<string, number>();
  return async (request) => {
    const url = new URL(request.url);
    const at = world.clock();
    if (url.pathname.endsWith('/oauth2/token')) return giveToken(request, rules, { tokens, at });
    if (!url.pathname.endsWith('/item_sales/search')) return failed(404, 'Not found');
    const [, token = ''] = /^Bearer (.+)$/.exec(request.headers.get('authorization') ?? '') ?? [];
    if ((tokens.get(token) ?? 0) <= at) return failed(401, 'Invalid access token');
    if (rules.isAdmitted === false) return failed(403, 'Access denied');
    if (!calls.take(at)) return failed(429, 'The request limit has been reached');
    const { searchParams } = url;
    if (!searchParams.has('category_ids')) return failed(400, 'category_ids is missing');
    const sold = listSold(searchParams, world);
    return sold === null ? failed(400, 'The filter is invalid') : page(url, sold);
  };
}

function giveToken(
  request: Request,
  rules: EbayRules,
  { tokens, at }: { tokens: Map<string, number>; at: number },
): Response {
  const pair = btoa(`${rules.clientId}:${rules.clientSecret}`);
  if (request.headers.get('authorization') !== `Basic ${pair}`) {
    return Response.json({ error: 'invalid_client' }, { status: 401 });
  }
  const token = `token-${tokens.size + 1}`;
  tokens.set(token, at + tokenMs);
  return Response.json({ access_token: token, expires_in: tokenMs / 1000, token_type: 'Bearer' });
}

/** Newest first; null if the request is invalid. */
function listSold(parameters: URLSearchParams, world: SimulatedWorld): JsonObject[] | null {
  const filter = parameters.get('filter') ?? '';
  const [, ids = ''] = /conditionIds:\{([\d|]+)\}/.exec(filter) ?? [];
  const [, from = '', to = ''] =
    /lastSoldDate:\[([^.]+(?:\.\d+Z)?)\.\.([^\]]+)\]/.exec(filter) ?? [];
  const [first, last] = [parseInstant(from), parseInstant(to)];
  if (ids === '' || first === null || last === null) return null;
  const now = world.clock();
  const words = (parameters.get('q') ?? '').split(',');
  const set = words.map((word) => world.market.findSet(word)).find((found) => found !== null);
  if (!set) return [];
  return world.market
    .listSales(
      { kind: 'set', number: set.number },
      {
        channels: ['fixed', 'auction'],
        from: Math.max(first, now - historyDays * dayMs),
        to: Math.min(last, now),
      },
    )
    .map((sale) => soldItem(sale, set))
    .filter(({ conditionId }) => ids.split('|').includes(String(conditionId)))
    .reverse();
}

function page(url: URL, sold: readonly JsonObject[]): Response {
  const limit = Math.min(pageSizeMax, Number(url.searchParams.get('limit') ?? 50));
  const offset = Number(url.searchParams.get('offset') ?? 0);
  const itemSales = sold.slice(offset, offset + limit);
  const next = new URL(url);
  next.searchParams.set('offset', String(offset + limit));
  return Response.json({
    href: url.href,
    total: sold.length,
    limit,
    offset,
    ...(offset + limit < sold.length && { next: next.href }),
    ...(itemSales.length > 0 && { itemSales }),
  });
}

function soldItem(sale: Sale, set: SetFacts): JsonObject {
  const isNew = sale.condition === 'sealed';
  return {
    itemId: `v1|${sale.source}-${sale.sourceId}|0`,
    title: titleOf(sale, set),
    condition: isNew ? 'New' : 'Used',
    conditionId: isNew ? '1000' : '3000',
    buyingOptions: [sale.channel === 'auction' ? 'AUCTION' : 'FIXED_PRICE'],
    ...(sale.channel === 'auction' && { bidCount: 5 }),
    lastSoldDate: formatInstant(sale.soldAt),
    lastSoldPrice: { value: (sale.priceCents / 100).toFixed(2), currency: sale.currency },
    totalSoldQuantity: 1,
    seller: { username: sale.seller ?? 'seller', feedbackPercentage: '99.8', feedbackScore: 321 },
    itemLocation: { country: 'US' },
  };
}

const states: Readonly<Record<Completeness, string>> = {
  complete: '100% complete with instructions',
  no_box: 'complete, no box',
  no_instructions: 'complete, no instructions',
  damaged_box: 'complete with box',
  incomplete: 'incomplete, missing pieces',
  unknown: 'great condition',
};

function titleOf(sale: Sale, set: SetFacts): string {
  const { condition, completeness, quantity } = sale;
  const isDamaged = completeness === 'damaged_box';
  const state =
    condition === 'sealed'
      ? `New Sealed${isDamaged ? ', damaged box' : ''}`
      : states[completeness ?? 'unknown'];
  const several = quantity > 1 ? ` lot of ${quantity}` : '';
  return `LEGO ${set.theme} ${set.number} ${set.title}${several} - ${state}`;
}

function failed(status: number, message: string): Response {
  return Response.json({ errors: [{ errorId: status, domain: 'ACCESS', message }] }, { status });
}
