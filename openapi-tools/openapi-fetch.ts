/** Calls every endpoint with openapi-fetch and the types that openapi-typescript makes. */
import createClient from 'openapi-fetch';
import type { components, operations, paths } from './generated/openapi.ts';
import type { operations as PlusOperations, paths as PlusPaths } from './generated/plus-openapi.ts';
import { bodyOf, type Calls, type Target } from './target.ts';

/** The name of a set: what records are called can be written in types. */
const titleOf = ({ set_number, title }: components['schemas']['Set']) => `${set_number} ${title}`;

/** All calls to a server. Each gives what the types say that there is. */
export function callsOf(target: Target): Calls<operations & PlusOperations> {
  return { ...contractCalls(target), ...plusCalls(target) };
}

function contractCalls({ url, key, set, minifig }: Target): Calls<operations> {
  const headers = { Authorization: `Bearer ${key}` };
  const { GET, POST } = createClient<paths>({ baseUrl: `${url}/api/v1`, headers });
  const ofSet = { params: { path: { number: set } } };
  const ofMinifig = { params: { path: { number: minifig } } };
  return {
    getSet: async () => {
      const { data, meta } = bodyOf(await GET('/set/{number}', ofSet));
      return [titleOf(data), data.value_range?.low, data.retailers[0]?.retailer, meta.api_version];
    },
    getMinifig: async () => {
      const { data } = bodyOf(await GET('/minifig/{number}', ofMinifig));
      return [data.name, data.value_range?.high, data.color];
    },
    searchSets: async () => {
      const query = { q: set, limit: 5 };
      const { data } = bodyOf(await GET('/catalog/sets/search', { params: { query } }));
      return [data.results[0]?.year, data.pagination.total];
    },
    searchMinifigs: async () => {
      const query = { q: minifig };
      const { data } = bodyOf(await GET('/catalog/minifigs/search', { params: { query } }));
      return [data.results[0]?.category, data.pagination.has_more];
    },
    listThemes: async () => bodyOf(await GET('/catalog/themes')).data.themes[0]?.set_count,
    getBatch: async () => {
      const body = { sets: [set, '404404'], minifigs: [minifig] };
      const { data } = bodyOf(await POST('/catalog/batch', { body }));
      // Only a set that was found has a title, and the compiler knows which one that is.
      const titles = data.sets.map((each) => (each.found ? each.title : each.set_number));
      return [titles, data.summary.found];
    },
    getSetHistory: async () => {
      const params = { ...ofSet.params, query: { condition: 'used' as const } };
      const { data } = bodyOf(await GET('/set/{number}/history', { params }));
      return [data.condition, data.history[0]?.month];
    },
    getSetRetailPrices: async () =>
      bodyOf(await GET('/set/{number}/retail-prices', ofSet)).data?.retailer_a.sellerType,
    findRetailPrices: async () => {
      const { data } = bodyOf(await GET('/retail-prices', { params: { query: { set } } }));
      return [data?.paid, data?.retailer_aExit.netFba];
    },
    listRetailWatch: async () => {
      const { data } = bodyOf(await GET('/brickfolio/retail-watch'));
      return data.map((row) => row.paid);
    },
    listBrickfolios: async () => {
      const { data } = bodyOf(await GET('/brickfolio'));
      return [data.brickfolios[0]?.total_cost_basis_usd, data.monthly_periods[0]?.month];
    },
    getAnalytics: async () => {
      const query = { period: '30d' as const };
      const { data } = bodyOf(await GET('/brickfolio/analytics', { params: { query } }));
      return [data.summary.top_gainer?.title, data.value_history.length];
    },
    listEntries: async () => {
      const query = { limit: 1, offset: 0 };
      const { data } = bodyOf(await GET('/brickfolio/entries', { params: { query } }));
      return data.entries.map(({ status, condition }) => [status, condition]);
    },
    listSales: async () => bodyOf(await GET('/salesledger')).data.sales[0]?.platform,
  };
}

function plusCalls({ url, key, set, minifig }: Target): Calls<PlusOperations> {
  const headers = { Authorization: `Bearer ${key}` };
  const client = createClient<PlusPaths>({ baseUrl: `${url}/api/plus/v1`, headers });
  const { GET, POST, PUT, PATCH, DELETE } = client;
  let list = 0;
  let webhook = 0;
  return {
    listSets: async () => {
      const query = { min_tier: 'modeled' as const, fields: 'title,new_value_usd' };
      const { data } = bodyOf(await GET('/sets', { params: { query } }));
      return [data.sets.map((each) => [each.set_number, each.new_value_usd]), data.next];
    },
    listMinifigs: async () => {
      const query = { sort: '-number' as const, limit: 1 };
      const { data } = bodyOf(await GET('/minifigs', { params: { query } }));
      return [data.minifigs.map((each) => each.name), data.total];
    },
    getSetDailyValues: async () => {
      const { data } = bodyOf(
        await GET('/set/{number}/daily-values', { params: { path: { number: set } } }),
      );
      return [data.final, data.days.map(({ value_usd }) => value_usd)];
    },
    getMinifigDailyValues: async () => {
      const params = { path: { number: minifig } };
      const { data } = bodyOf(await GET('/minifig/{number}/daily-values', { params }));
      return [data.condition, data.days.length];
    },
    getHistoryBatch: async () => {
      const body = { sets: [set, '404404'] };
      const { data } = bodyOf(await POST('/history/batch', { body }));
      return data.sets.map((each) => (each.found ? each.history.at(-1)?.value_usd : each));
    },
    getMaxBuy: async () => {
      const { data } = bodyOf(await GET('/max-buy', { params: { query: { set, share: 0.8 } } }));
      return [data.reason, data.channels[0]?.channel, data.best_channel];
    },
    getMaxBuyBatch: async () => {
      const body = { items: [{ set }, { minifig: '404404' }], share: 0.5 };
      const { data } = bodyOf(await POST('/max-buy/batch', { body }));
      return data.items.map((each) => (each.found ? each.best_channel : each.item_type));
    },
    getWaysToSell: async () => {
      const params = { path: { number: set }, query: { price_usd: 99.99 } };
      const { data } = bodyOf(await GET('/set/{number}/ways-to-sell', { params }));
      return [data.best, data.ways.map(({ way, net_usd }) => [way, net_usd]), data.missing.length];
    },
    listDeals: async () => {
      const query = { min_tier: 'low' as const, share: 0.5 };
      const { data } = bodyOf(await GET('/deals', { params: { query } }));
      return data.deals.map((deal) => [deal.retailer, deal.warnings]);
    },
    evaluateBox: async () => {
      const body = { items: [{ set, quantity: 2 }, { minifig }, { set: '404404' }] };
      const { data } = bodyOf(await POST('/evaluate', { body }));
      return [data.items.map(({ found }) => found), data.summary.units];
    },
    getFees: async () => {
      const { data } = bodyOf(await GET('/fees'));
      return [data.platforms.length, data.fba.length];
    },
    listRates: async () => {
      const query = { date: '2026-11-15' };
      const { data } = bodyOf(await GET('/rates', { params: { query } }));
      return data.rates.map(({ currency, usd_per_unit }) => [currency, usd_per_unit]);
    },
    getSetEvidence: async () => {
      const params = { path: { number: set } };
      const { data } = bodyOf(await GET('/set/{number}/evidence', { params }));
      return [data.sealed.sales?.days_365, data.sealed.rows.accepted];
    },
    getMinifigEvidence: async () => {
      const params = { path: { number: minifig } };
      const { data } = bodyOf(await GET('/minifig/{number}/evidence', { params }));
      return [data.data_tier, data.used.range?.low];
    },
    getEvidenceBatch: async () => {
      const body = { sets: [set], minifigs: [minifig, '404404'] };
      const { data } = bodyOf(await POST('/evidence/batch', { body }));
      return [data.minifigs.map(({ found }) => found), data.summary.found];
    },
    getRetailHistory: async () => {
      const params = { path: { number: set }, query: { limit: 5 } };
      const { data } = bodyOf(await GET('/set/{number}/retail-history', { params }));
      return [data.retailers.map(({ lows }) => lows.all_time_usd), data.next];
    },
    getRetailHistoryBatch: async () => {
      const body = { sets: [set, '404404'], limit: 2 };
      const { data } = bodyOf(await POST('/retail-history/batch', { body }));
      return [data.sets.map(({ found }) => found), data.summary.found];
    },
    getRetailPriceBatch: async () => {
      const { data } = bodyOf(
        await POST('/retail-prices/batch', { body: { sets: [set, '404404'] } }),
      );
      return data.sets.map((each) => each.found && each.retail?.retailer_a.price);
    },
    listHoldings: async () => {
      const { data } = bodyOf(await GET('/holdings', { params: { query: { limit: 1 } } }));
      return [data.holdings.map((each) => each.item_type), data.has_more];
    },
    getHoldingsSummary: async () => {
      const { data } = bodyOf(await GET('/holdings/summary'));
      return [data.all.item_count, data.minifigs.item_count];
    },
    listRecordedSales: async () => {
      const { data } = bodyOf(await GET('/sales', { params: { query: { limit: 1 } } }));
      return [data.sales.map((each) => each.platform), data.has_more];
    },
    listWatchlists: async () =>
      bodyOf(await GET('/watchlists')).data.watchlists.map(({ name }) => name),
    createWatchlist: async () => {
      const { data } = bodyOf(await POST('/watchlists', { body: { name: 'Castles' } }));
      list = data.id;
      return [data.name, data.item_count];
    },
    renameWatchlist: async () => {
      const [params, body] = [{ path: { list } }, { name: 'Castles to buy' }];
      return bodyOf(await PUT('/watchlists/{list}', { params, body })).data.name;
    },
    saveWatchedItem: async () => {
      const params = { path: { list, item_type: 'set' as const, number: set } };
      const body = { target_price_usd: 99.5, note: null };
      const { data } = bodyOf(
        await PUT('/watchlists/{list}/items/{item_type}/{number}', { params, body }),
      );
      return [data.number, data.target_price_usd, data.note];
    },
    listWatchedItems: async () => {
      const params = { path: { list } };
      const { data } = bodyOf(await GET('/watchlists/{list}/items', { params }));
      return [data.items.map(({ title }) => title), data.has_more];
    },
    deleteWatchedItem: async () => {
      const params = { path: { list, item_type: 'set' as const, number: set } };
      const { data } = bodyOf(
        await DELETE('/watchlists/{list}/items/{item_type}/{number}', { params }),
      );
      return data.deleted;
    },
    deleteWatchlist: async () =>
      bodyOf(await DELETE('/watchlists/{list}', { params: { path: { list } } })).data.deleted,
    listEvents: async () => {
      const query = { after: 0, scope: 'holdings' as const };
      const { data } = bodyOf(await GET('/events', { params: { query } }));
      return data.events.map(({ kind, after }) => [kind, after.price_usd]);
    },
    streamEvents: async () => {
      const leaving = new AbortController();
      const { data } = await GET('/events/stream', {
        params: { query: { after: 0 }, header: { 'Last-Event-ID': 0 } },
        parseAs: 'stream',
        signal: leaving.signal,
      });
      const first = await data?.getReader().read();
      leaving.abort();
      return (first?.value?.byteLength ?? 0) > 0;
    },
    listWebhooks: async () =>
      bodyOf(await GET('/webhooks')).data.webhooks.map(({ name, state }) => [name, state]),
    createWebhook: async () => {
      const body = { name: 'Shop', url: 'https://example.com/hook', kinds: ['deal.open' as const] };
      const { data } = bodyOf(await POST('/webhooks', { body }));
      webhook = data.id;
      return [data.url, data.secret?.slice(0, 6)];
    },
    getWebhook: async () => {
      const { data } = bodyOf(await GET('/webhooks/{webhook}', { params: { path: { webhook } } }));
      return [data.kinds, data.last_delivery?.state];
    },
    changeWebhook: async () => {
      const body = { scope: 'watch' as const, is_on: false };
      const params = { path: { webhook } };
      const { data } = bodyOf(await PATCH('/webhooks/{webhook}', { params, body }));
      return [data.scope, data.state];
    },
    testWebhook: async () => {
      const params = { path: { webhook } };
      const { data } = bodyOf(await POST('/webhooks/{webhook}/test', { params }));
      return [data.type, data.attempts];
    },
    rotateWebhookSecret: async () => {
      const params = { path: { webhook } };
      const { data } = bodyOf(await POST('/webhooks/{webhook}/secret', { params }));
      return [data.secret.slice(0, 6), data.old_secret_until];
    },
    deleteWebhook: async () =>
      bodyOf(await DELETE('/webhooks/{webhook}', { params: { path: { webhook } } })).data.deleted,
    listNotices: async () => {
      const { data } = bodyOf(await GET('/notices', { params: { query: { limit: 1 } } }));
      return data.notices.map(({ kind, details }) => [kind, details.bulk_position]);
    },
    listBulkFiles: async () => {
      const { data } = bodyOf(await GET('/bulk'));
      return data.files.map(({ type, bytes }) => [type, bytes]);
    },
    getBulkFile: async () => {
      const params = { path: { type: 'sets' as const } };
      const file = bodyOf(await GET('/bulk/files/{type}', { params, parseAs: 'arrayBuffer' }));
      return file.byteLength;
    },
    listBulkChanges: async () => {
      const query = { after: '0-0', types: 'sets', limit: 2 };
      const { data } = bodyOf(await GET('/bulk/changes', { params: { query } }));
      return data.changes.map(({ number, document }) => [number, document === null]);
    },
    getUsage: async () => {
      const { data } = bodyOf(await GET('/usage'));
      return [data.limit, data.days.length];
    },
  };
}
