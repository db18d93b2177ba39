/** Calls every endpoint with the clients that @hey-api/openapi-ts makes. */

import { createClient } from './generated/hey-api/client/index.ts';
import * as contract from './generated/hey-api/index.ts';
import { createClient as createPlusClient } from './generated/hey-api-plus/client/index.ts';
import * as plus from './generated/hey-api-plus/index.ts';
import type { operations } from './generated/openapi.ts';
import type { operations as PlusOperations } from './generated/plus-openapi.ts';
import { bodyOf, type Calls, type Target } from './target.ts';

const titleOf = ({ set_number, title }: contract.Set) => `${set_number} ${title}`;

/** All calls to a server. Each gives what the types say that there is. */
export function callsOf(target: Target): Calls<operations & PlusOperations> {
  return { ...contractCalls(target), ...plusCalls(target) };
}

function contractCalls({ url, key, set, minifig }: Target): Calls<operations> {
  const client = createClient({ baseUrl: `${url}/api/v1`, auth: key });
  const ofSet = { client, path: { number: set } };
  return {
    getSet: async () => {
      const { data, meta } = bodyOf(await contract.getSet(ofSet));
      return [titleOf(data), data.value_range?.low, data.retailers[0]?.retailer, meta.api_version];
    },
    getMinifig: async () => {
      const { data } = bodyOf(await contract.getMinifig({ client, path: { number: minifig } }));
      return [data.name, data.value_range?.high, data.color];
    },
    searchSets: async () => {
      const { data } = bodyOf(await contract.searchSets({ client, query: { q: set, limit: 5 } }));
      return [data.results[0]?.year, data.pagination.total];
    },
    searchMinifigs: async () => {
      const { data } = bodyOf(await contract.searchMinifigs({ client, query: { q: minifig } }));
      return [data.results[0]?.category, data.pagination.has_more];
    },
    listThemes: async () => {
      const { data } = bodyOf(await contract.listThemes({ client }));
      return data.themes[0]?.set_count;
    },
    getBatch: async () => {
      const body = { sets: [set, '404404'], minifigs: [minifig] };
      const { data } = bodyOf(await contract.getBatch({ client, body }));
      const titles = data.sets.map((each) => (each.found ? each.title : each.set_number));
      return [titles, data.summary.found];
    },
    getSetHistory: async () => {
      const query = { condition: 'used' as const };
      const { data } = bodyOf(await contract.getSetHistory({ ...ofSet, query }));
      return [data.condition, data.history[0]?.month];
    },
    getSetRetailPrices: async () => {
      const { data } = bodyOf(await contract.getSetRetailPrices(ofSet));
      return data?.retailer_a.sellerType;
    },
    findRetailPrices: async () => {
      const { data } = bodyOf(await contract.findRetailPrices({ client, query: { set } }));
      return [data?.paid, data?.retailer_aExit.netFba];
    },
    listRetailWatch: async () => {
      const { data } = bodyOf(await contract.listRetailWatch({ client }));
      return data.map((row) => row.paid);
    },
    listBrickfolios: async () => {
      const { data } = bodyOf(await contract.listBrickfolios({ client }));
      return [data.brickfolios[0]?.total_cost_basis_usd, data.monthly_periods[0]?.month];
    },
    getAnalytics: async () => {
      const { data } = bodyOf(await contract.getAnalytics({ client, query: { period: '30d' } }));
      return [data.summary.top_gainer?.title, data.value_history.length];
    },
    listEntries: async () => {
      const query = { limit: 1, offset: 0 };
      const { data } = bodyOf(await contract.listEntries({ client, query }));
      return data.entries.map(({ status, condition }) => [status, condition]);
    },
    listSales: async () => {
      const { data } = bodyOf(await contract.listSales({ client }));
      return data.sales[0]?.platform;
    },
  };
}

function plusCalls({ url, key, set, minifig }: Target): Calls<PlusOperations> {
  const client = createPlusClient({ baseUrl: `${url}/api/plus/v1`, auth: key });
  let list = 0;
  let webhook = 0;
  return {
    listSets: async () => {
      const query = { min_tier: 'modeled' as const, fields: 'title,new_value_usd' };
      const { data } = bodyOf(await plus.listSets({ client, query }));
      return [data.sets.map((each) => [each.set_number, each.new_value_usd]), data.next];
    },
    listMinifigs: async () => {
      const query = { sort: '-number' as const, limit: 1 };
      const { data } = bodyOf(await plus.listMinifigs({ client, query }));
      return [data.minifigs.map((each) => each.name), data.total];
    },
    getSetDailyValues: async () => {
      const { data } = bodyOf(await plus.getSetDailyValues({ client, path: { number: set } }));
      return [data.final, data.days.map(({ value_usd }) => value_usd)];
    },
    getMinifigDailyValues: async () => {
      const { data } = bodyOf(
        await plus.getMinifigDailyValues({ client, path: { number: minifig } }),
      );
      return [data.condition, data.days.length];
    },
    getHistoryBatch: async () => {
      const body = { sets: [set, '404404'] };
      const { data } = bodyOf(await plus.getHistoryBatch({ client, body }));
      return data.sets.map((each) => (each.found ? each.history.at(-1)?.value_usd : each));
    },
    getMaxBuy: async () => {
      const { data } = bodyOf(await plus.getMaxBuy({ client, query: { set, share: 0.8 } }));
      return [data.reason, data.channels[0]?.channel, data.best_channel];
    },
    getMaxBuyBatch: async () => {
      const body = { items: [{ set }, { minifig: '404404' }], share: 0.5 };
      const { data } = bodyOf(await plus.getMaxBuyBatch({ client, body }));
      return data.items.map((each) => (each.found ? each.best_channel : each.item_type));
    },
    getWaysToSell: async () => {
      const query = { price_usd: 99.99 };
      const { data } = bodyOf(await plus.getWaysToSell({ client, path: { number: set }, query }));
      return [data.best, data.ways.map(({ way, net_usd }) => [way, net_usd]), data.missing.length];
    },
    listDeals: async () => {
      const query = { min_tier: 'low' as const, share: 0.5 };
      const { data } = bodyOf(await plus.listDeals({ client, query }));
      return data.deals.map((deal) => [deal.retailer, deal.warnings]);
    },
    evaluateBox: async () => {
      const body = { items: [{ set, quantity: 2 }, { minifig }, { set: '404404' }] };
      const { data } = bodyOf(await plus.evaluateBox({ client, body }));
      return [data.items.map(({ found }) => found), data.summary.units];
    },
    getFees: async () => {
      const { data } = bodyOf(await plus.getFees({ client }));
      return [data.platforms.length, data.fba.length];
    },
    listRates: async () => {
      const query = { date: '2026-11-15' };
      const { data } = bodyOf(await plus.listRates({ client, query }));
      return data.rates.map(({ currency, usd_per_unit }) => [currency, usd_per_unit]);
    },
    getSetEvidence: async () => {
      const { data } = bodyOf(await plus.getSetEvidence({ client, path: { number: set } }));
      return [data.sealed.sales?.days_365, data.sealed.rows.accepted];
    },
    getMinifigEvidence: async () => {
      const { data } = bodyOf(await plus.getMinifigEvidence({ client, path: { number: minifig } }));
      return [data.data_tier, data.used.range?.low];
    },
    getEvidenceBatch: async () => {
      const body = { sets: [set], minifigs: [minifig, '404404'] };
      const { data } = bodyOf(await plus.getEvidenceBatch({ client, body }));
      return [data.minifigs.map(({ found }) => found), data.summary.found];
    },
    getRetailHistory: async () => {
      const path = { number: set };
      const { data } = bodyOf(await plus.getRetailHistory({ client, path, query: { limit: 5 } }));
      return [data.retailers.map(({ lows }) => lows.all_time_usd), data.next];
    },
    getRetailHistoryBatch: async () => {
      const body = { sets: [set, '404404'], limit: 2 };
      const { data } = bodyOf(await plus.getRetailHistoryBatch({ client, body }));
      return [data.sets.map(({ found }) => found), data.summary.found];
    },
    getRetailPriceBatch: async () => {
      const body = { sets: [set, '404404'] };
      const { data } = bodyOf(await plus.getRetailPriceBatch({ client, body }));
      return data.sets.map((each) => each.found && each.retail?.retailer_a.price);
    },
    listHoldings: async () => {
      const { data } = bodyOf(await plus.listHoldings({ client, query: { limit: 1 } }));
      return [data.holdings.map((each) => each.item_type), data.has_more];
    },
    getHoldingsSummary: async () => {
      const { data } = bodyOf(await plus.getHoldingsSummary({ client }));
      return [data.all.item_count, data.minifigs.item_count];
    },
    listRecordedSales: async () => {
      const { data } = bodyOf(await plus.listRecordedSales({ client, query: { limit: 1 } }));
      return [data.sales.map((each) => each.platform), data.has_more];
    },
    listWatchlists: async () => {
      const { data } = bodyOf(await plus.listWatchlists({ client }));
      return data.watchlists.map(({ name }) => name);
    },
    createWatchlist: async () => {
      const { data } = bodyOf(await plus.createWatchlist({ client, body: { name: 'Castles' } }));
      list = data.id;
      return [data.name, data.item_count];
    },
    renameWatchlist: async () => {
      const body = { name: 'Castles to buy' };
      const { data } = bodyOf(await plus.renameWatchlist({ client, path: { list }, body }));
      return data.name;
    },
    saveWatchedItem: async () => {
      const path = { list, item_type: 'set' as const, number: set };
      const body = { target_price_usd: 99.5, note: null };
      const { data } = bodyOf(await plus.saveWatchedItem({ client, path, body }));
      return [data.number, data.target_price_usd, data.note];
    },
    listWatchedItems: async () => {
      const { data } = bodyOf(await plus.listWatchedItems({ client, path: { list } }));
      return [data.items.map(({ title }) => title), data.has_more];
    },
    deleteWatchedItem: async () => {
      const path = { list, item_type: 'set' as const, number: set };
      return bodyOf(await plus.deleteWatchedItem({ client, path })).data.deleted;
    },
    deleteWatchlist: async () =>
      bodyOf(await plus.deleteWatchlist({ client, path: { list } })).data.deleted,
    listEvents: async () => {
      const query = { after: 0, scope: 'holdings' as const };
      const { data } = bodyOf(await plus.listEvents({ client, query }));
      return data.events.map(({ kind, after }) => [kind, after.price_usd]);
    },
    streamEvents: async () => {
      const leaving = new AbortController();
      const { stream } = await plus.streamEvents({
        client,
        query: { after: 0 },
        headers: { 'Last-Event-ID': 0 },
        signal: leaving.signal,
      });
      const first = await stream.next();
      leaving.abort();
      return first.value !== undefined;
    },
    listWebhooks: async () => {
      const { data } = bodyOf(await plus.listWebhooks({ client }));
      return data.webhooks.map(({ name, state }) => [name, state]);
    },
    createWebhook: async () => {
      const body = { name: 'Shop', url: 'https://example.com/hook', kinds: ['deal.open' as const] };
      const { data } = bodyOf(await plus.createWebhook({ client, body }));
      webhook = data.id;
      return [data.url, data.secret?.slice(0, 6)];
    },
    getWebhook: async () => {
      const { data } = bodyOf(await plus.getWebhook({ client, path: { webhook } }));
      return [data.kinds, data.last_delivery?.state];
    },
    changeWebhook: async () => {
      const body = { scope: 'watch' as const, is_on: false };
      const { data } = bodyOf(await plus.changeWebhook({ client, path: { webhook }, body }));
      return [data.scope, data.state];
    },
    testWebhook: async () => {
      const { data } = bodyOf(await plus.testWebhook({ client, path: { webhook } }));
      return [data.type, data.attempts];
    },
    rotateWebhookSecret: async () => {
      const { data } = bodyOf(await plus.rotateWebhookSecret({ client, path: { webhook } }));
      return [data.secret.slice(0, 6), data.old_secret_until];
    },
    deleteWebhook: async () =>
      bodyOf(await plus.deleteWebhook({ client, path: { webhook } })).data.deleted,
    listNotices: async () => {
      const { data } = bodyOf(await plus.listNotices({ client, query: { limit: 1 } }));
      return data.notices.map(({ kind, details }) => [kind, details.bulk_position]);
    },
    listBulkFiles: async () => {
      const { data } = bodyOf(await plus.listBulkFiles({ client }));
      return data.files.map(({ type, bytes }) => [type, bytes]);
    },
    getBulkFile: async () => {
      const file = bodyOf(await plus.getBulkFile({ client, path: { type: 'sets' } }));
      return file.size;
    },
    listBulkChanges: async () => {
      const query = { after: '0-0', types: 'sets', limit: 2 };
      const { data } = bodyOf(await plus.listBulkChanges({ client, query }));
      return data.changes.map(({ number, document }) => [number, document === null]);
    },
    getUsage: async () => {
      const { data } = bodyOf(await plus.getUsage({ client }));
      return [data.limit, data.days.length];
    },
  };
}
