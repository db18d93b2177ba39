/** A site with the owner of a collection, for tests of the owner's pages. */
import type { ValueEngine } from '../../src/market/values/estimator.ts';
import { addPerson, lot, type Person, setWorth, shelf } from './person.ts';
import { type Seen, type Site, type SiteOptions, startSite, type Visitor } from './site.ts';

/** Ann owns a collection and has an API key; Bob owns nothing. */
export interface OwnerSite {
  readonly site: Site;
  readonly ann: Visitor;
  readonly bob: Visitor;
  /** Ann's access to the API. */
  readonly person: Person;
  /** Submits the form that adds a set to her first collection. */
  add(typed: Readonly<Record<string, string>>): Promise<Seen>;
  /** Finds the lot with a page that contains this text. */
  findLot(words: string): Promise<{ readonly path: string; readonly page: Seen }>;
}

/** Set 100 is worth $90 sealed, set 101 $33.33, and set 200 has a list price of $79.99. */
export async function startOwnerSite(
  options?: SiteOptions,
  engine?: ValueEngine,
): Promise<OwnerSite> {
  const site = await startSite(options, engine);
  const ferry = { kind: 'set', set_number: '200', title: 'Night Ferry', theme: 'Coastline' };
  await site.world.load([
    ...setWorth('100', { sealed: 90, used: 40 }),
    ...setWorth('101', { sealed: 33.33 }),
    { ...ferry, msrp_usd: 79.99 },
  ]);
  const ann = await site.signedIn('ann@example.com', { plan: 'reseller' });
  const bob = await site.signedIn('bob@example.com');
  const person = await addPerson(site.world, 'ann@example.com');
  await person.load(shelf, lot('old', 3), lot('other', 2, { purchase_price_usd: 12.34 }));
  const path = '/inventory?collection=1';
  return {
    site,
    ann,
    bob,
    person,
    add: async (typed) =>
      ann.submit(await ann.get('/inventory/add'), '/inventory/add', {
        quantity: '1',
        condition: 'sealed',
        status: 'owned',
        price: '10',
        set: '100',
        ...typed,
      }),
    findLot: async (words) => {
      for (const id of lotIds((await ann.get(path)).html)) {
        const page = await ann.get(`/lots/${id}`);
        const text = page.html.replace(/<[^>]*>/g, '');
        if (text.includes(words)) return { path: `/lots/${id}`, page };
      }
      throw new Error(`No lot says '${words}'.`);
    },
  };
}

/** The IDs of the lots on a page, in order. */
export function lotIds(html: string): number[] {
  return [...new Set([...html.matchAll(/href="\/lots\/(\d+)"/g)].map((match) => Number(match[1])))];
}

/** The CSRF token and the one-time value, from any form of a page. */
export function hiddenFields(html: string): Record<string, string> {
  const found = html.matchAll(/name="(token|once)" value="([^"]*)"/g);
  return Object.fromEntries([...found].map((match) => [match[1] ?? '', match[2] ?? '']));
}
