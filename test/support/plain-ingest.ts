/**
 * Reference implementation of ingestion: applies source rows one at a time on SQLite and reads them
 * back item by item. It is slow and simple, and shares only tables and rules with the store. Tests
 * compare the batches of both engines with it.
 */
import type { Database } from 'bun:sqlite';
import {
  isNaming,
  type MinifigFacts,
  type SetDescription,
} from '../../src/catalog/items/catalog.ts';
import { minifigLister, type SetRecords } from '../../src/catalog/items/merge.ts';
import { compareText, type ItemKind, itemKey } from '../../src/catalog/items/numbers.ts';
import { EarliestChange } from '../../src/ingest/rows/earliest-change.store.ts';
import { noItem, noNamedSet, noSale, onlyName } from '../../src/ingest/rows/refusals.store.ts';
import { formatDay, type Month, weekOf, weekStart } from '../../src/kernel/time.ts';
import {
  type Claim,
  type Member,
  type Regrouping,
  regroup,
} from '../../src/market/lists/members.store.ts';
import { offerInDollars } from '../../src/market/rates/exchange.ts';
import type { MarketRow, RowOutcome } from '../../src/market/source-rows/market-ingest.ts';
import { byKey, bySale, bySource } from '../../src/market/source-rows/source-rows.store.ts';
import {
  type ExchangeRate,
  type ListingCount,
  type Offer,
  ownPriceCents,
  type PartOutValue,
  type Sale,
  type StoredSale,
} from '../../src/market/source-rows/source-rows.ts';
import type { RetailWeek } from '../../src/market/values/estimator.ts';
import type { ItemName, LearningInputs } from '../../src/market/values/learning-inputs.ts';

/** Applies rows in order to a fresh store. */
export function applyRowsPlainly(
  db: Database,
  rows: readonly MarketRow[],
  at: number,
): RowOutcome[] {
  const touched: Touched = new Set();
  const changes = parameterChanges(db);
  const findItem = itemFinder(db);
  const members: MemberChanges = { keys: new Set(), described: new Set() };
  const catalog = catalogRows(db, { touched, changes, members });
  const sales = saleRows(db, { touched, changes, findItem, at });
  const applyOffer = offerRows(db, { touched, changes, findItem });
  const applyListings = listingsRows(db, { touched, findItem });
  const applyPartOut = partOutRows(db, { touched, findItem });
  const applyRate = rateRows(db, { touched, changes, at });
  // Rates first, so that the order of rows does not matter.
  const ofRates = rows.map((row) => (row.kind === 'fx' ? applyRate(row.rate) : null));
  const applyRow = (row: Exclude<MarketRow, { kind: 'fx' }>): RowOutcome => {
    switch (row.kind) {
      case 'set':
        return catalog.applySet(row.source, row.facts);
      case 'minifig':
        return catalog.applyMinifig(row.source, row.facts);
      case 'sale':
        return sales.applySale(row.sale);
      case 'retract':
        return sales.applyRetract(row.source, row.sourceId);
      case 'offer':
        return applyOffer(row.offer);
      case 'listings':
        return applyListings(row.listings);
      case 'part_out':
        return applyPartOut(row.partOut);
    }
  };
  const outcomes = rows.map((row, index) =>
    row.kind === 'fx' ? (ofRates[index] as RowOutcome) : applyRow(row),
  );
  countWaiting(db);
  settleMembers(db, members, { touched, changes });
  markStale(db, touched);
  changes.save();
  return outcomes;
}

/** Applies counts of units for sale; the latest of each channel is kept. */
function listingsRows(db: Database, work: { touched: Touched; findItem: FindItem }) {
  const find = db.query<{ observed_at: number; body: string }, [number, string, string]>(
    `SELECT observed_at, json_array(observed_at, units, lowest_cents, currency) AS body
     FROM listings WHERE item_id = ? AND condition = ? AND channel = ?`,
  );
  const save = db.query<never, (string | number | null)[]>(
    'INSERT OR REPLACE INTO listings VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  return (row: ListingCount): RowOutcome => {
    const { itemKind, itemKey: key, condition, channel } = row;
    const itemId = work.findItem(itemKind, key);
    if (itemId === null) return noItem(itemKind, key);
    const values = [row.observedAt, row.units, row.lowestCents, row.currency];
    const before = find.get(itemId, condition, channel);
    if (before && (before.observed_at > row.observedAt || before.body === JSON.stringify(values))) {
      return { kind: 'unchanged' };
    }
    save.run(itemId, condition, channel, ...values);
    work.touched.add(itemId);
    return { kind: before ? 'updated' : 'added' };
  };
}

/** Applies values of parts; the latest of each source is kept. */
function partOutRows(db: Database, work: { touched: Touched; findItem: FindItem }) {
  const find = db.query<{ observed_at: number; body: string }, [number, string, string]>(
    `SELECT observed_at, json_array(observed_at, amount_cents, currency, lots, units) AS body
     FROM part_out WHERE item_id = ? AND condition = ? AND source = ?`,
  );
  const save = db.query<never, (string | number | null)[]>(
    'INSERT OR REPLACE INTO part_out VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  );
  return (row: PartOutValue): RowOutcome => {
    const { setKey, condition, source } = row;
    const itemId = work.findItem('set', setKey);
    if (itemId === null) return noItem('set', setKey);
    const values = [row.observedAt, row.amountCents, row.currency, row.lots, row.units];
    const before = find.get(itemId, condition, source);
    if (before && (before.observed_at > row.observedAt || before.body === JSON.stringify(values))) {
      return { kind: 'unchanged' };
    }
    save.run(itemId, condition, source, ...values);
    work.touched.add(itemId);
    return { kind: before ? 'updated' : 'added' };
  };
}

type SaleValues = [
  number,
  string,
  string,
  string,
  number,
  number,
  string,
  number,
  number,
  string | null,
  string | null,
  string | null,
  number,
];

/** Applies sales; content decides whether a repeated sale has changed. */
function saleRows(
  db: Database,
  work: { touched: Touched; changes: ParameterChanges; findItem: FindItem; at: number },
) {
  const insert = db.query<never, SaleValues>(
    `INSERT INTO sale (item_id, source, source_id, condition, price_cents, shipping_cents,
       currency, quantity, sold_at, channel, seller, completeness, ingested_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
  );
  const findOwner = db.query<
    { item_id: number; sold_at: number; retracted_at: number | null },
    [string, string]
  >('SELECT item_id, sold_at, retracted_at FROM sale WHERE source = ? AND source_id = ?');
  // ingested_at stays: a correction does not remove the sale from a month it was part of.
  const update = db.query<never, (string | number | null)[]>(
    `UPDATE sale SET item_id = ?1, condition = ?4, price_cents = ?5, shipping_cents = ?6,
       currency = ?7, quantity = ?8, sold_at = ?9, channel = ?10, seller = ?11, completeness = ?12
     WHERE source = ?2 AND source_id = ?3 AND
       (item_id, condition, price_cents, shipping_cents, currency, quantity, sold_at, channel,
        seller, completeness) IS NOT (?1, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)`,
  );
  const retract = db.query<never, [number, string, string]>(
    'UPDATE sale SET retracted_at = ? WHERE source = ? AND source_id = ?',
  );
  return {
    applySale(sale: Sale): RowOutcome {
      const itemId = work.findItem(sale.itemKind, sale.itemKey);
      if (itemId === null) return noItem(sale.itemKind, sale.itemKey);
      const values = saleValues(sale, { itemId, at: work.at });
      if (insert.run(...values).changes === 1) {
        work.touched.add(itemId);
        work.changes.addAt(sale.soldAt);
        return { kind: 'added' };
      }
      const owner = findOwner.get(sale.source, sale.sourceId);
      if (update.run(...values.slice(0, -1)).changes === 0) return { kind: 'unchanged' };
      work.touched.add(itemId);
      work.changes.addAt(sale.soldAt);
      if (owner) {
        work.touched.add(owner.item_id);
        work.changes.addAt(owner.sold_at);
      }
      return { kind: 'updated' };
    },
    /** A retracted sale stays retracted, so that importing the same file again changes nothing. */
    applyRetract(source: string, sourceId: string): RowOutcome {
      const owner = findOwner.get(source, sourceId);
      if (!owner) return noSale({ source, sourceId });
      if (owner.retracted_at !== null) return { kind: 'unchanged' };
      retract.run(work.at, source, sourceId);
      work.touched.add(owner.item_id);
      work.changes.addAt(owner.sold_at);
      return { kind: 'updated' };
    },
  };
}

function saleValues(sale: Sale, place: { itemId: number; at: number }): SaleValues {
  return [
    place.itemId,
    sale.source,
    sale.sourceId,
    sale.condition,
    sale.priceCents,
    sale.shippingCents,
    sale.currency,
    sale.quantity,
    sale.soldAt,
    sale.channel,
    sale.seller,
    sale.completeness,
    place.at,
  ];
}

interface PlainRate {
  readonly usdPerUnit: number;
  readonly knownAt: number;
}

/** The latest rate of a day or the seven days before it; null if there is none. */
function rateFinder(db: Database): (currency: string, at: number) => PlainRate | null {
  const find = db.query<{ usd_per_unit: number; ingested_at: number }, [string, string]>(
    `SELECT usd_per_unit, ingested_at FROM fx
     WHERE currency = ?1 AND date <= ?2 AND julianday(date) >= julianday(?2) - 7
     ORDER BY date DESC`,
  );
  return (currency, at) => {
    if (currency === 'USD') return { usdPerUnit: 1, knownAt: 0 };
    const rates = find.all(currency, formatDay(at));
    const [latest] = rates;
    if (!latest) return null;
    const knownAt = Math.min(...rates.map((rate) => rate.ingested_at));
    return { usdPerUnit: latest.usd_per_unit, knownAt };
  };
}

/** Counts the rows without a rate. */
function countWaiting(db: Database): void {
  const rate = rateFinder(db);
  const rows = db
    .query<{ currency: string; at: number }, []>(
      `SELECT currency, sold_at AS at FROM sale WHERE currency <> 'USD' AND retracted_at IS NULL
       UNION ALL SELECT currency, observed_at FROM offer WHERE currency <> 'USD'`,
    )
    .all()
    .filter(({ currency, at }) => rate(currency, at) === null);
  db.run('DELETE FROM waiting');
  const insert = db.query('INSERT INTO waiting VALUES (?, ?, ?, ?)');
  for (const [currency, some] of Map.groupBy(rows, (row) => row.currency)) {
    const days = some.map(({ at }) => at).sort((a, b) => a - b);
    insert.run(currency, some.length, formatDay(days[0] ?? 0), formatDay(days.at(-1) ?? 0));
  }
}

/** Applies exchange rates; a changed rate affects the rows that it converts. */
function rateRows(db: Database, work: { touched: Touched; changes: ParameterChanges; at: number }) {
  const find = db.query<{ usd_per_unit: number }, [string, string]>(
    'SELECT usd_per_unit FROM fx WHERE currency = ? AND date = ?',
  );
  const insert = db.query<never, [string, string, number, number]>(
    `INSERT INTO fx (currency, date, usd_per_unit, ingested_at) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET usd_per_unit = excluded.usd_per_unit`,
  );
  const sales = db.query<{ itemId: number; at: number }, [string]>(
    `SELECT item_id AS itemId, sold_at AS at FROM sale WHERE currency = ? AND currency <> 'USD'`,
  );
  const offers = db.query<{ itemId: number; retailer: string; at: number }, [string]>(
    `SELECT item_id AS itemId, retailer, observed_at AS at FROM offer
     WHERE currency = ? AND currency <> 'USD'`,
  );
  const shown = db.query<{ itemId: number; at: number }, [string]>(
    `SELECT item_id AS itemId, observed_at AS at
     FROM (SELECT item_id, observed_at, currency FROM listings
       UNION ALL SELECT item_id, observed_at, currency FROM part_out)
     WHERE currency = ? AND currency <> 'USD'`,
  );
  const isConverted = db.query<unknown, [string, string, string]>(
    `SELECT 1 WHERE ?2 = (SELECT max(date) FROM fx WHERE currency = ?1 AND date <= ?3
       AND julianday(date) >= julianday(?3) - 7)`,
  );
  const forgetState = db.query<never, [number, string, number]>(
    'DELETE FROM retail_state WHERE item_id = ? AND retailer = ? AND checked_at >= ?',
  );
  const weeks = retailWeekRows(db);
  return (rate: ExchangeRate): RowOutcome => {
    const { currency, date } = rate;
    const old = find.get(currency, date);
    if (old?.usd_per_unit === rate.usdPerUnit) return { kind: 'unchanged' };
    insert.run(currency, date, rate.usdPerUnit, work.at);
    const isIts = ({ at }: { at: number }) => isConverted.get(currency, date, formatDay(at));
    for (const { itemId, at } of sales.all(currency).filter(isIts)) {
      work.touched.add(itemId);
      work.changes.addAt(at);
    }
    for (const { itemId } of shown.all(currency).filter(isIts)) work.touched.add(itemId);
    for (const { itemId, retailer, at } of offers.all(currency).filter(isIts)) {
      work.touched.add(itemId);
      forgetState.run(itemId, retailer, at);
      if (weeks.refresh(itemId, at)) work.changes.addAt(weekStart(weekOf(at) + 1));
    }
    return { kind: old ? 'updated' : 'added' };
  };
}

/** Side effects of catalog records. */
interface CatalogWork {
  readonly touched: Touched;
  readonly changes: ParameterChanges;
  readonly members: MemberChanges;
}

/** Applies catalog records, and records the items with changed documents. */
function catalogRows(db: Database, work: CatalogWork) {
  const findItem = db.query<{ id: number; number: string }, [ItemKind, string]>(
    'SELECT id, number FROM item WHERE kind = ? AND key = ?',
  );
  const addItem = db.query<{ id: number }, [ItemKind, string, string]>(
    'INSERT INTO item (kind, key, number) VALUES (?, ?, ?) RETURNING id',
  );
  const findRecord = db.query<{ body: string }, [number, string]>(
    'SELECT body FROM catalog_record WHERE item_id = ? AND source = ?',
  );
  const saveRecord = db.query<never, [number, string, string]>(
    'INSERT OR REPLACE INTO catalog_record (item_id, source, body) VALUES (?, ?, ?)',
  );
  const isNamedByOthers = namesFinder(db);
  // The item of an alias has no spelling until a source describes it by that number.
  const spell = db.query<never, [string, number]>(
    `UPDATE item SET number = ?1 WHERE id = ?2
       AND NOT EXISTS (SELECT 1 FROM catalog_record WHERE item_id = ?2)`,
  );
  const links = linkRows(db, work);

  const save = (
    kind: ItemKind,
    record: { source: string; facts: SetDescription | MinifigFacts },
  ): { outcome: RowOutcome; id: number } => {
    const { source, facts } = record;
    const key = itemKey(kind, facts.number);
    const known = findItem.get(kind, key);
    if (!known && !isNaming(facts)) return { outcome: noNamedSet(key), id: 0 };
    const item = known ?? addItem.get(kind, key, facts.number);
    if (!item) throw new Error(`The item ${kind} ${key} was not written.`);
    const body = JSON.stringify(facts);
    const old = findRecord.get(item.id, source);
    if (old?.body === body) return { outcome: { kind: 'unchanged' }, id: item.id };
    if (!isNaming(facts) && !isNamedByOthers(item.id, source)) {
      return { outcome: onlyName(key), id: item.id };
    }
    if (known && !old) spell.run(facts.number, item.id);
    saveRecord.run(item.id, source, body);
    work.touched.add(item.id);
    work.changes.addFacts(item.id);
    if (kind === 'minifig') work.members.described.add(item.id);
    return { outcome: { kind: old ? 'updated' : 'added' }, id: item.id };
  };

  return {
    applySet(source: string, facts: SetDescription): RowOutcome {
      const { outcome, id } = save('set', { source, facts });
      if (isChange(outcome)) links.saveMinifigs(id, source, facts.minifigs ?? []);
      return outcome;
    },
    applyMinifig(source: string, facts: MinifigFacts): RowOutcome {
      const { outcome, id } = save('minifig', { source, facts });
      if (isChange(outcome)) links.saveAliases(id, source, facts);
      return outcome;
    },
  };
}

function isChange({ kind }: RowOutcome): boolean {
  return kind === 'added' || kind === 'updated';
}

/** Whether another source names the set. */
function namesFinder(db: Database): (setId: number, source: string) => boolean {
  const find = db.query<unknown, [number, string]>(
    `SELECT 1 FROM catalog_record WHERE item_id = ? AND source <> ?
       AND body ->> '$.title' IS NOT NULL AND body ->> '$.theme' IS NOT NULL`,
  );
  return (setId, source) => find.get(setId, source) !== null;
}

/** Links between sets and minifigs, and aliases of minifigs. */
function linkRows(db: Database, { touched, changes, members }: CatalogWork) {
  const dropMinifigs = db.query<{ minifig_key: string }, [number, string]>(
    'DELETE FROM set_minifig WHERE set_id = ? AND source = ? RETURNING minifig_key',
  );
  const addMinifig = db.query<never, [number, string, string, string]>(
    'INSERT OR IGNORE INTO set_minifig VALUES (?, ?, ?, ?)',
  );
  const dropAliases = db.query<{ key: string }, [number, string]>(
    'DELETE FROM alias WHERE item_id = ? AND source = ? RETURNING key',
  );
  const addAlias = db.query<never, [string, number, string]>(
    'INSERT OR IGNORE INTO alias (key, item_id, source) VALUES (?, ?, ?)',
  );
  const addItem = db.query<never, [string]>(
    `INSERT INTO item (kind, key, number) SELECT 'minifig', ?1, ?1
     WHERE NOT EXISTS (SELECT 1 FROM item WHERE kind = 'minifig' AND key = ?1)`,
  );
  const findMinifig = db.query<{ id: number }, [string]>(
    `SELECT id FROM item WHERE kind = 'minifig' AND key = ?`,
  );
  const setsWith = db.query<{ set_id: number }, [string]>(
    'SELECT set_id FROM set_minifig WHERE minifig_key = ?',
  );
  return {
    saveMinifigs(setId: number, source: string, numbers: readonly string[]): void {
      const before = new Set(dropMinifigs.all(setId, source).map((row) => row.minifig_key));
      const after = new Set<string>();
      for (const number of numbers) {
        const key = itemKey('minifig', number);
        addMinifig.run(setId, key, source, number);
        after.add(key);
      }
      for (const key of before.union(after)) {
        const minifig = findMinifig.get(key);
        if (!minifig) continue;
        touched.add(minifig.id);
        // The number of sets with a minifig is one of its facts.
        if (before.has(key) && after.has(key)) continue;
        changes.addFacts(minifig.id);
        members.described.add(minifig.id);
      }
    },
    saveAliases(minifigId: number, source: string, facts: MinifigFacts): void {
      const ownKey = itemKey('minifig', facts.number);
      for (const { key } of dropAliases.all(minifigId, source)) members.keys.add(key);
      for (const number of facts.aliases) {
        const key = itemKey('minifig', number);
        addItem.run(key);
        addAlias.run(key, minifigId, source);
        members.keys.add(key);
      }
      members.keys.add(ownKey);
      for (const { set_id } of setsWith.all(ownKey)) touched.add(set_id);
    },
  };
}

type OfferValues = (string | number | null)[];

/** Applies offers; a second observation at the same instant replaces the first. */
function offerRows(
  db: Database,
  work: { touched: Touched; changes: ParameterChanges; findItem: FindItem },
) {
  const insert = db.query<never, OfferValues>(
    `INSERT INTO offer VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?3, 1, NULL)
       ON CONFLICT DO NOTHING`,
  );
  const update = db.query<never, OfferValues>(
    `UPDATE offer SET currency = ?4, price_cents = ?5, list_price_cents = ?6, seller_type = ?7,
       in_stock = ?8, asin = ?9, product_url = ?10, lowest_fba_cents = ?11, fba_sellers = ?12,
       buy_box_cents = ?13
     WHERE item_id = ?1 AND retailer = ?2 AND observed_at = ?3 AND
       (currency, price_cents, list_price_cents, seller_type, in_stock, asin, product_url,
        lowest_fba_cents, fba_sellers, buy_box_cents)
       IS NOT (?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)`,
  );
  // An observation older than the saved state changes what was derived after it.
  const forgetState = db.query<never, [number, string, number]>(
    'DELETE FROM retail_state WHERE item_id = ? AND retailer = ? AND checked_at >= ?',
  );
  const weeks = retailWeekRows(db);
  return (offer: Offer): RowOutcome => {
    const setId = work.findItem('set', offer.setKey);
    if (setId === null) return noItem('set', offer.setKey);
    const values = offerValues(setId, offer);
    const isNew = insert.run(...values).changes === 1;
    if (!isNew && update.run(...values).changes === 0) return { kind: 'unchanged' };
    forgetState.run(setId, offer.retailer, offer.observedAt);
    const hasNewWeek = isNew ? weeks.add(setId, offer) : weeks.replace(setId, offer.observedAt);
    work.touched.add(setId);
    // A week counts from its end.
    if (hasNewWeek) work.changes.addAt(weekStart(weekOf(offer.observedAt) + 1));
    return { kind: isNew ? 'added' : 'updated' };
  };
}

function offerValues(setId: number, offer: Offer): OfferValues {
  return [
    setId,
    offer.retailer,
    offer.observedAt,
    offer.currency,
    offer.priceCents,
    offer.listPriceCents,
    offer.sellerType,
    offer.inStock === null ? null : Number(offer.inStock),
    offer.asin,
    offer.productUrl,
    offer.lowestFbaCents,
    offer.fbaSellers,
    offer.buyBoxCents,
  ];
}

/** Updates the weekly prices of sets from their stored offers. */
function retailWeekRows(db: Database) {
  const find = db.query<{ price_cents: number }, [number, number]>(
    'SELECT price_cents FROM retail_week WHERE item_id = ? AND week = ?',
  );
  const drop = db.query<never, [number, number]>(
    'DELETE FROM retail_week WHERE item_id = ? AND week = ?',
  );
  const save = db.query<never, [number, number, number]>(
    'INSERT OR REPLACE INTO retail_week (item_id, week, price_cents) VALUES (?, ?, ?)',
  );
  const offers = db.query<WeekOffer, [number, number, number]>(
    `SELECT observed_at AS observedAt, currency, price_cents AS priceCents,
       list_price_cents AS listPriceCents, lowest_fba_cents AS lowestFbaCents,
       buy_box_cents AS buyBoxCents, seller_type AS sellerType, in_stock = 1 AS inStock
     FROM offer WHERE item_id = ? AND observed_at >= ? AND observed_at < ?`,
  );
  const rate = rateFinder(db);
  const lowestOf = (setId: number, week: number): number | null => {
    const prices = offers.all(setId, weekStart(week), weekStart(week + 1)).flatMap((offer) => {
      const { currency, observedAt } = offer;
      const usd = offerInDollars(offer, rate(currency, observedAt)?.usdPerUnit ?? null);
      return (usd && ownPriceCents({ ...usd, inStock: Boolean(usd.inStock) })) ?? [];
    });
    return prices.length === 0 ? null : Math.min(...prices);
  };
  /** The price of a week before and after it was derived again. */
  const derive = (setId: number, observedAt: number) => {
    const week = weekOf(observedAt);
    const before = find.get(setId, week)?.price_cents ?? null;
    const after = lowestOf(setId, week);
    drop.run(setId, week);
    if (after !== null) save.run(setId, week, after);
    return { before, after };
  };
  const refresh = (setId: number, observedAt: number): boolean => {
    const { before, after } = derive(setId, observedAt);
    return before !== after;
  };
  return {
    /** After an offer was added; whether its week changed. */
    add: (setId: number, { observedAt }: Offer): boolean => refresh(setId, observedAt),
    /** After an offer was changed; whether its week may have changed. */
    replace: (setId: number, observedAt: number): boolean => {
      const { before, after } = derive(setId, observedAt);
      return before !== null || after !== null;
    },
    /** After rates changed; whether the week changed. */
    refresh,
  };
}

type WeekOffer = Omit<Offer, 'retailer' | 'setKey' | 'inStock' | 'asin' | 'productUrl'> & {
  readonly inStock: number | null;
};

/** Reads the weeks of a set that had begun at an instant. */
function retailWeeksReader(db: Database): (setId: number, at: number) => RetailWeek[] {
  const find = db.query<RetailWeek, [number, number]>(
    `SELECT week, price_cents AS priceCents FROM retail_week
     WHERE item_id = ? AND week <= ? ORDER BY week`,
  );
  return (setId, at) => find.all(setId, weekOf(at));
}

/** The minifig changes of a batch. */
interface MemberChanges {
  /** Keys with added or removed aliases or items. */
  readonly keys: Set<string>;
  /** Items with changed facts. */
  readonly described: Set<number>;
}

/** Regroups the minifigs of a batch, and records the affected documents and parameters. */
function settleMembers(
  db: Database,
  { keys, described }: MemberChanges,
  work: { readonly touched: Touched; readonly changes: ParameterChanges },
): void {
  const regroupings = keys.size === 0 ? [] : saveRegroupings(db, keys);
  const setsWith = db.query<{ set_id: number }, [string]>(
    'SELECT set_id FROM set_minifig WHERE minifig_key = ?',
  );
  const concerned = new Set<number>();
  for (const { id, key, from, to } of regroupings) {
    for (const item of [id, from, to]) if (item) concerned.add(item);
    for (const { set_id } of setsWith.all(key)) work.touched.add(set_id);
  }
  for (const id of concerned) work.touched.add(id);
  if (described.size > 0) for (const id of listWholes(db, described)) concerned.add(id);
  if (concerned.size > 0 && isAnySold(db, concerned)) work.changes.addAll();
}

function saveRegroupings(db: Database, keys: ReadonlySet<string>): Regrouping[] {
  const members = db
    .query<Omit<Member, 'isDescribed'> & { isDescribed: number }, [string]>(nearSql)
    .all(JSON.stringify([...keys]));
  const claims = db
    .query<Claim, [string]>(
      `SELECT a.item_id AS itemId, a.key, a.source
       FROM json_each(?) j CROSS JOIN alias a ON a.item_id = j.value`,
    )
    .all(JSON.stringify(members.map(({ id }) => id)));
  const regroupings = regroup(
    members.map((member) => ({ ...member, isDescribed: member.isDescribed === 1 })),
    claims,
  );
  // Parts are never due, since they have no documents.
  const save = db.query<never, [number | null, number]>(
    `UPDATE item SET part_of = ?1, due_at = CASE WHEN ?1 IS NULL THEN due_at END WHERE id = ?2`,
  );
  for (const { id, to } of regroupings) save.run(to, id);
  return regroupings;
}

/** The items of keys, and all items connected to them by aliases, transitively. */
const nearSql = `
  WITH RECURSIVE near (id) AS (
    SELECT i.id FROM json_each(?) k CROSS JOIN item i ON i.kind = 'minifig' AND i.key = k.value
    WHERE i.part_of IS NOT NULL OR EXISTS (SELECT 1 FROM alias a WHERE a.key = i.key)
      OR NOT EXISTS (SELECT 1 FROM catalog_record r WHERE r.item_id = i.id)
    UNION
    SELECT a.item_id FROM near n CROSS JOIN item i ON i.id = n.id
      CROSS JOIN alias a ON a.key = i.key
    UNION
    SELECT c.id FROM near n CROSS JOIN alias a ON a.item_id = n.id
      CROSS JOIN item c ON c.kind = 'minifig' AND c.key = a.key)
  SELECT i.id, i.key, i.part_of AS partOf,
    EXISTS (SELECT 1 FROM catalog_record r WHERE r.item_id = i.id) AS isDescribed
  FROM near n CROSS JOIN item i ON i.id = n.id`;

/** The minifigs with several numbers that the items belong to. */
function listWholes(db: Database, ids: ReadonlySet<number>): number[] {
  return db
    .query<{ id: number }, [string]>(
      `SELECT DISTINCT m.part_of AS id FROM json_each(?) j CROSS JOIN item i ON i.id = j.value
       CROSS JOIN item m ON m.part_of = coalesce(nullif(i.part_of, 0), i.id)`,
    )
    .all(JSON.stringify([...ids]))
    .map((row) => row.id);
}

/** Whether any of the items or of their parts was ever sold. */
function isAnySold(db: Database, ids: ReadonlySet<number>): boolean {
  const sql = `SELECT 1 FROM json_each(?1) j CROSS JOIN sale s ON s.item_id = j.value
    UNION ALL
    SELECT 1 FROM json_each(?1) j CROSS JOIN item i ON i.part_of = j.value
      CROSS JOIN sale s ON s.item_id = i.id LIMIT 1`;
  return db.query<unknown, [string]>(sql).get(JSON.stringify([...ids])) !== null;
}

/** The ID of an item; null if it does not exist, or has neither a record nor an alias. */
type FindItem = (kind: ItemKind, key: string) => number | null;

/** A finder for one batch; missing items are looked up again, since they may be added later. */
function itemFinder(db: Database): FindItem {
  const find = db.query<{ id: number; isDescribed: number; isNamed: number }, [ItemKind, string]>(
    `SELECT id, EXISTS (SELECT 1 FROM catalog_record WHERE item_id = id) AS isDescribed,
       EXISTS (SELECT 1 FROM alias WHERE alias.key = item.key) AS isNamed
     FROM item WHERE kind = ? AND key = ?`,
  );
  const known = { set: new Map<string, number>(), minifig: new Map<string, number>() };
  return (kind, key) => {
    const before = known[kind].get(key);
    if (before !== undefined) return before;
    const row = find.get(kind, key);
    if (!row) return null;
    // A described item stays described; an alias may be removed within the batch.
    if (row.isDescribed === 1) known[kind].set(key, row.id);
    return row.isDescribed === 1 || row.isNamed === 1 ? row.id : null;
  };
}

/** Items to mark as stale after the batch. */
type Touched = Set<number>;

/** Increments the version of the touched items, and of the minifigs that they are parts of. */
function markStale(db: Database, touched: Touched): void {
  const bump = db.query<{ partOf: number | null }, [number]>(
    'UPDATE item SET version = version + 1 WHERE id = ? RETURNING part_of AS partOf',
  );
  const wholes = new Set<number>();
  for (const id of [...touched].sort((a, b) => a - b)) {
    const partOf = bump.get(id)?.partOf ?? null;
    if (partOf !== null && !touched.has(partOf)) wholes.add(partOf);
  }
  for (const id of wholes) bump.get(id);
}

/** Changes in a batch that affect parameters, collected in memory and written once. */
interface ParameterChanges {
  /** A row with this time was added, changed or retracted. */
  addAt(at: number): void;
  /** The facts of an item changed; if it was ever sold, this affects all months. */
  addFacts(itemId: number): void;
  /** A change that affects all months. */
  addAll(): void;
  /** Writes the collected changes, if any. */
  save(): void;
}

function parameterChanges(db: Database): ParameterChanges {
  const findSale = db.query<unknown, [number]>('SELECT 1 FROM sale WHERE item_id = ? LIMIT 1');
  const earliest = new EarliestChange();
  return {
    addAt: (at) => earliest.add(at),
    addFacts: (itemId) => {
      if (!earliest.isAlways() && findSale.get(itemId)) earliest.addAlways();
    },
    addAll: () => earliest.addAlways(),
    save: () => {
      const month = earliest.month();
      if (month !== null) saveChange(db, month);
    },
  };
}

function saveChange(db: Database, month: Month): void {
  db.query("UPDATE meta SET value = value + 1 WHERE name = 'parameters_change'").run();
  db.query(
    `INSERT INTO meta VALUES ('parameters_changed_from', ?)
     ON CONFLICT DO UPDATE SET value = min(value, excluded.value)`,
  ).run(month);
}

/** Reads the input of learning. */
export function learningInputsReader(
  db: Database,
): (ids: readonly number[], at: number) => LearningInputs[] {
  const findItem = db.query<ItemName, [number]>(
    'SELECT id, kind, key FROM item WHERE id = ? AND part_of IS NULL',
  );
  const parts = db.query<{ id: number; key: string }, [number]>(
    'SELECT id, key FROM item WHERE part_of = ?',
  );
  const records = db.query<{ source: string; body: string }, [number]>(
    'SELECT source, body FROM catalog_record WHERE item_id = ?',
  );
  const sales = salesReader(db);
  const related = relatedReader(db);
  const retailWeeks = retailWeeksReader(db);
  const read = (id: number, at: number): LearningInputs[] => {
    const item = findItem.get(id);
    if (!item) return [];
    const members = item.kind === 'minifig' ? parts.all(id).sort(byKey) : [];
    const ids = [id, ...members.map((member) => member.id)];
    const said = ids
      .flatMap((of) => records.all(of))
      .sort(bySource)
      .map(({ source, body }) => ({ source, facts: JSON.parse(body) }));
    return [
      {
        ...item,
        records: said,
        sales: sales(ids),
        related: item.kind === 'set' ? related.minifigs(id, said) : related.sets(id),
        retailWeeks: item.kind === 'set' ? retailWeeks(id, at) : [],
      },
    ];
  };
  return (ids, at) => ids.flatMap((id) => read(id, at));
}

function salesReader(db: Database): (itemIds: readonly number[]) => StoredSale[] {
  type Read = { -readonly [Name in keyof StoredSale]: StoredSale[Name] };
  const find = db.query<Read, [number]>(
    `SELECT source, source_id AS sourceId, condition, price_cents AS priceCents,
       shipping_cents AS shippingCents, currency, quantity, sold_at AS soldAt, channel, seller,
       completeness, ingested_at AS ingestedAt, retracted_at AS retractedAt, 1 AS usdPerUnit
     FROM sale WHERE item_id = ?`,
  );
  const rate = rateFinder(db);
  return (itemIds) => {
    const sales = itemIds.flatMap((id) => find.all(id));
    for (const sale of sales) {
      const found = rate(sale.currency, sale.soldAt);
      sale.usdPerUnit = found?.usdPerUnit ?? 0;
      sale.ingestedAt = Math.max(sale.ingestedAt, found?.knownAt ?? 0);
    }
    // Sorted here: rows are stored by source, and an item has few.
    return sales.sort(bySale);
  };
}

/** Related items by canonical number: the minifigs of a set, or the sets of a minifig. */
function relatedReader(db: Database) {
  const minifigs = db.query<{ number: string }, [number, string]>(
    `SELECT DISTINCT coalesce(w.number, m.minifig_number) AS number FROM set_minifig m
     LEFT JOIN item i ON i.kind = 'minifig' AND i.key = m.minifig_key
     LEFT JOIN item w ON w.id = coalesce(i.part_of, i.id)
     WHERE m.set_id = ? AND m.source = ?`,
  );
  const sets = db.query<{ number: string }, [number]>(
    `SELECT DISTINCT s.number FROM set_minifig m JOIN item s ON s.id = m.set_id
     WHERE m.minifig_key IN (
       SELECT key FROM item WHERE id = ?1 UNION SELECT key FROM item WHERE part_of = ?1)`,
  );
  const numbers = (rows: readonly { number: string }[]) =>
    rows.map((row) => row.number).sort(compareText);
  return {
    /** From the source that takes precedence for lists of minifigs. */
    minifigs: (setId: number, records: SetRecords): string[] => {
      const lister = minifigLister(records);
      return lister === null ? [] : numbers(minifigs.all(setId, lister));
    },
    /** By any of its numbers, from all sources. */
    sets: (minifigId: number): string[] => numbers(sets.all(minifigId)),
  };
}
