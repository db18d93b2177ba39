/** A site with content on every page, for browser tests. */
import { bargains, smallCollection, smallMarket } from './market.ts';
import { sellingEngine } from './plain-engine.ts';
import { type Site, type SiteOptions, startSite } from './site.ts';

/** An operator with a collection and watch lists. */
export const catalogOwner = 'ann@example.com';

/** The small market with bargains, a collection and two weeks of sales to score. */
export async function startCatalogSite(options?: SiteOptions): Promise<Site> {
  const site = await startSite(options, sellingEngine);
  await site.addAccount(catalogOwner, { plan: 'reseller', isOperator: true });
  await site.world.load([...smallMarket, ...bargains, ...smallCollection(catalogOwner)]);
  site.world.now += 1000;
  await site.world.load([-1, 0].map(soldInWeek));
  await watchSome(site);
  return site;
}

/** A sale on 15 November for week 0, or whole weeks before. */
const soldInWeek = (week: number) => ({
  kind: 'sale',
  source: 'shop',
  source_id: `week${week}`,
  item_type: 'set',
  item: '75192',
  condition: 'sealed',
  price: 205,
  sold_at: `2026-11-${15 + 7 * week}T11:00:00Z`,
});

async function watchSome({ world }: Site): Promise<void> {
  const { accounts } = world.store;
  const at = world.now;
  for (const name of ['Retiring soon', 'Gifts']) await accounts.addWatchList(1, { name, at });
  const item = (kind: 'set' | 'minifig', key: string, targetCents: number | null) => {
    return { kind, key, number: key, targetCents, note: 'Only a clean box' };
  };
  const items = [item('set', '8101', 50_00), item('set', '75192', 150_00)];
  const minifig = item('minifig', 'cas001', null);
  await accounts.saveWatchedItems(1, 1, { items: [...items, minifig], at });
}
