/** The tables of `market.db`. Migrations are only ever appended. */

/** One entry per schema version. Money is cents, instants are milliseconds, months are counted. */
export const marketMigrations: readonly string[] = [
  `
  CREATE TABLE meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
  INSERT INTO meta VALUES ('publish_stamp', 0);

  -- What the catalog knows. An item is stale while its version is ahead of the published one.
  CREATE TABLE item (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    number TEXT NOT NULL,
    version INTEGER NOT NULL DEFAULT 1,
    published_version INTEGER NOT NULL DEFAULT 0,
    due_at INTEGER,
    UNIQUE (kind, key)
  );
  CREATE INDEX item_stale ON item (id) WHERE version <> published_version;
  CREATE INDEX item_due ON item (due_at);
  CREATE TABLE alias (
    key TEXT NOT NULL,
    item_id INTEGER NOT NULL REFERENCES item,
    source TEXT NOT NULL,
    PRIMARY KEY (key, item_id, source)
  ) WITHOUT ROWID;
  CREATE INDEX alias_item ON alias (item_id);
  CREATE TABLE catalog_record (
    item_id INTEGER NOT NULL REFERENCES item,
    source TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (item_id, source)
  ) WITHOUT ROWID;
  CREATE TABLE set_minifig (
    set_id INTEGER NOT NULL REFERENCES item,
    minifig_key TEXT NOT NULL,
    source TEXT NOT NULL,
    minifig_number TEXT NOT NULL,
    PRIMARY KEY (set_id, minifig_key, source)
  ) WITHOUT ROWID;
  CREATE INDEX set_minifig_minifig ON set_minifig (minifig_key);

  -- Licensed source rows. Sales lie together by item, because valuing reads them that way.
  CREATE TABLE sale (
    item_id INTEGER NOT NULL REFERENCES item,
    source TEXT NOT NULL,
    source_id TEXT NOT NULL,
    condition TEXT NOT NULL,
    price_cents INTEGER NOT NULL,
    shipping_cents INTEGER NOT NULL,
    currency TEXT NOT NULL,
    quantity INTEGER NOT NULL,
    sold_at INTEGER NOT NULL,
    channel TEXT,
    seller TEXT,
    completeness TEXT,
    ingested_at INTEGER NOT NULL,
    retracted_at INTEGER,
    PRIMARY KEY (item_id, source, source_id)
  ) WITHOUT ROWID;
  CREATE UNIQUE INDEX sale_identity ON sale (source, source_id);
  CREATE INDEX sale_foreign ON sale (currency, sold_at) WHERE currency <> 'USD';
  CREATE TABLE offer (
    item_id INTEGER NOT NULL REFERENCES item,
    retailer TEXT NOT NULL,
    observed_at INTEGER NOT NULL,
    price_cents INTEGER,
    list_price_cents INTEGER,
    seller_type TEXT,
    in_stock INTEGER,
    asin TEXT,
    product_url TEXT,
    lowest_fba_cents INTEGER,
    fba_sellers INTEGER,
    buy_box_cents INTEGER,
    PRIMARY KEY (item_id, retailer, observed_at)
  ) WITHOUT ROWID;
  CREATE TABLE fx (
    currency TEXT NOT NULL,
    date TEXT NOT NULL,
    usd_per_unit REAL NOT NULL,
    PRIMARY KEY (currency, date)
  ) WITHOUT ROWID;

  -- What is published. Besides the aliases above, the API reads these and nothing else.
  CREATE TABLE document (
    item_id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    stamp INTEGER NOT NULL,
    body TEXT NOT NULL,
    UNIQUE (kind, key)
  );
  CREATE INDEX document_stamp ON document (stamp);
  CREATE TABLE listing (
    item_id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    number TEXT NOT NULL,
    name TEXT NOT NULL,
    theme TEXT,
    new_cents INTEGER,
    used_cents INTEGER,
    search_row TEXT NOT NULL,
    UNIQUE (kind, key)
  );
  CREATE TABLE series (
    item_id INTEGER NOT NULL,
    condition TEXT NOT NULL,
    first_month INTEGER NOT NULL,
    points BLOB NOT NULL,
    revision INTEGER NOT NULL,
    PRIMARY KEY (item_id, condition)
  ) WITHOUT ROWID;
  CREATE TABLE theme_list (id INTEGER PRIMARY KEY CHECK (id = 1), body TEXT NOT NULL);
  CREATE TABLE restatement (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    from_month INTEGER NOT NULL,
    reason TEXT NOT NULL,
    at INTEGER NOT NULL
  );
  CREATE TABLE lease (
    name TEXT PRIMARY KEY,
    holder TEXT NOT NULL,
    until INTEGER NOT NULL
  ) WITHOUT ROWID;
  `,
  `
  -- What the offers of a set add up to at one retailer, up to the latest look that is in it. A look
  -- that comes later but was made earlier removes the row: then all offers are gone through again.
  CREATE TABLE retail_state (
    item_id INTEGER NOT NULL REFERENCES item,
    retailer TEXT NOT NULL,
    fold_version INTEGER NOT NULL,
    checked_at INTEGER NOT NULL,
    state TEXT NOT NULL,
    PRIMARY KEY (item_id, retailer)
  ) WITHOUT ROWID;
  -- Published, like the documents.
  CREATE TABLE retail (
    item_id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    asin_key TEXT,
    upc_key TEXT,
    ean_key TEXT,
    changed_at INTEGER,
    body TEXT NOT NULL
  );
  CREATE INDEX retail_asin ON retail (asin_key) WHERE asin_key IS NOT NULL;
  CREATE INDEX retail_upc ON retail (upc_key) WHERE upc_key IS NOT NULL;
  CREATE INDEX retail_ean ON retail (ean_key) WHERE ean_key IS NOT NULL;
  -- Values now and at the ends of recent months, packed.
  ALTER TABLE listing ADD COLUMN set_values BLOB;
  -- A store that has items already gets all this as soon as it is served, or valued again.
  -- Those with offers come first: nothing is known of their retail prices until then.
  UPDATE item SET version = version + 1,
    due_at = CASE WHEN id IN (SELECT item_id FROM offer) THEN 0 ELSE 1 END;
  `,
  `
  -- What was learned across all items, month by month, and what stands behind each value.
  CREATE TABLE parameters (
    month INTEGER PRIMARY KEY,
    version TEXT NOT NULL,
    body TEXT NOT NULL
  );
  CREATE TABLE evidence (item_id INTEGER PRIMARY KEY, body TEXT NOT NULL);
  -- What is in the store already was never learned from; month 0 is before all others.
  INSERT INTO meta VALUES ('parameters_change', 0);
  INSERT INTO meta SELECT 'parameters_changed_from', 0
    WHERE EXISTS (SELECT 1 FROM sale) OR EXISTS (SELECT 1 FROM offer);

  -- The lowest prices of each week, over the offers of both retailers: nothing but what those
  -- rows say. The detour over 200,000 weeks makes division round down before 1970 as well.
  CREATE TABLE retail_week (
    item_id INTEGER NOT NULL REFERENCES item,
    week INTEGER NOT NULL,
    price_cents INTEGER NOT NULL,
    PRIMARY KEY (item_id, week)
  ) WITHOUT ROWID;
  INSERT INTO retail_week
    SELECT item_id, (observed_at + 259200000 + 200000 * 604800000) / 604800000 - 200000 AS week,
      min(price_cents)
    FROM offer WHERE price_cents IS NOT NULL AND in_stock = 1 AND seller_type = 'retailer'
    GROUP BY item_id, week;

  -- The live scorecard: counts, never a single price.
  CREATE TABLE score (
    week INTEGER NOT NULL,
    kind TEXT NOT NULL,
    condition TEXT NOT NULL,
    tier TEXT NOT NULL,
    bin INTEGER NOT NULL,
    in_range INTEGER NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (week, kind, condition, tier, bin, in_range)
  ) WITHOUT ROWID;
  -- What each month was made from, packed; null where that was not written down.
  ALTER TABLE series ADD COLUMN provenance BLOB;
  -- Every item is valued anew; those that are waiting for their retail rows stay first.
  UPDATE item SET version = version + 1, due_at = CASE WHEN due_at = 0 THEN 0 ELSE 1 END;
  `,
  `
  -- Some instants were kept with fractions of a millisecond.
  UPDATE item SET due_at = CAST(due_at AS INTEGER) + 1 WHERE typeof(due_at) = 'real';
  `,
  `
  -- When an item was no longer in its source's complete list; null while it is there.
  ALTER TABLE catalog_record ADD COLUMN gone_at INTEGER;

  -- Every number of a minifig has an item. One that another minifig names as an alias is a part of
  -- that minifig; 0: nobody describes it, and nobody names it any more. Parts have no documents.
  ALTER TABLE item ADD COLUMN part_of INTEGER;
  CREATE INDEX item_part ON item (part_of) WHERE part_of IS NOT NULL;
  DROP INDEX item_stale;
  CREATE INDEX item_stale ON item (id) WHERE version <> published_version AND part_of IS NULL;
  INSERT INTO item (kind, key, number)
    SELECT DISTINCT 'minifig', key, key FROM alias
    WHERE key NOT IN (SELECT key FROM item WHERE kind = 'minifig') ORDER BY key;
  -- A number that several minifigs name goes to the best source's, then to the least number's;
  -- where they name each other in a circle, the best claim among them decides.
  WITH RECURSIVE ranked (id, up, place) AS (
      SELECT i.id, c.id, row_number() OVER (ORDER BY CASE a.source WHEN 'feed' THEN 1
        WHEN 'bricklink' THEN 2 WHEN 'bricklink-years' THEN 3 WHEN 'bricklink-list' THEN 4
        WHEN 'rebrickable' THEN 5 ELSE 6 END, a.source, c.key)
      FROM alias a JOIN item i ON i.kind = 'minifig' AND i.key = a.key
      JOIN item c ON c.id = a.item_id WHERE c.id <> i.id),
    claim (id, up, place) AS (
      SELECT id, up, place FROM ranked
      WHERE place IN (SELECT min(place) FROM ranked GROUP BY id)),
    path (id, at) AS (
      SELECT id, up FROM claim
      UNION
      SELECT p.id, c.up FROM path p JOIN claim c ON c.id = p.at),
    circle (id, place) AS (
      SELECT p.id, min(c.place) FROM path p JOIN claim c ON c.id = p.at
      WHERE p.at IN (SELECT id FROM path WHERE at = id) GROUP BY p.id),
    top (id, at) AS (
      SELECT id, at FROM path WHERE at NOT IN (SELECT id FROM claim)
      UNION ALL
      SELECT r.id, c.up FROM circle r JOIN claim c ON c.place = r.place)
    UPDATE item SET due_at = NULL, part_of = top.at
    FROM top WHERE top.id = item.id AND top.at <> item.id;
  -- What was two minifigs becomes one as soon as the store is served, or valued again.
  UPDATE item SET version = version + 1, due_at = 1 WHERE id IN (
    SELECT part_of FROM item WHERE id IN (SELECT item_id FROM catalog_record)
    UNION
    SELECT m.set_id FROM set_minifig m JOIN item k ON k.key = m.minifig_key
    WHERE k.kind = 'minifig' AND k.part_of IS NOT NULL
      AND k.id IN (SELECT item_id FROM catalog_record));
  `,
  `
  -- The latest imports, for operators to look back on.
  CREATE TABLE import_log (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    body TEXT NOT NULL,
    rejects TEXT NOT NULL
  );
  `,
  `
  -- Sets are listed by theme, and found by barcode whether or not a retailer has them.
  ALTER TABLE listing ADD COLUMN upc_key TEXT;
  ALTER TABLE listing ADD COLUMN ean_key TEXT;
  UPDATE listing SET
    upc_key = (SELECT '0' || (body ->> '$.barcodes.upc') FROM document d
      WHERE d.item_id = listing.item_id),
    ean_key = (SELECT body ->> '$.barcodes.ean' FROM document d
      WHERE d.item_id = listing.item_id)
    WHERE kind = 'set';
  -- The lowest price of each month at each retailer, as JSON; null until it is published again.
  ALTER TABLE retail ADD COLUMN months TEXT;
  CREATE INDEX listing_theme ON listing (theme) WHERE theme IS NOT NULL;
  CREATE INDEX listing_upc ON listing (upc_key) WHERE upc_key IS NOT NULL;
  CREATE INDEX listing_ean ON listing (ean_key) WHERE ean_key IS NOT NULL;
  `,
  `
  -- What pages say of a set beside its record; null until it is published again, which is due.
  ALTER TABLE listing ADD COLUMN item_class TEXT;
  ALTER TABLE listing ADD COLUMN minifigs_count INTEGER;
  UPDATE item SET version = version + 1, due_at = 1
    WHERE kind = 'set' AND id IN (SELECT item_id FROM listing);
  `,
  `
  -- What imports replaced, many rows in one, so that they can be undone; dropped after a while.
  CREATE TABLE import_undo (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    import_id INTEGER NOT NULL,
    kind TEXT NOT NULL,
    body TEXT NOT NULL
  );
  CREATE INDEX import_undo_import ON import_undo (import_id);
  `,
  `
  -- What items are found by, besides number and name: one in a line. Interest is in thousandths.
  ALTER TABLE listing ADD COLUMN other_names TEXT;
  ALTER TABLE listing ADD COLUMN subthemes TEXT;
  ALTER TABLE listing ADD COLUMN themes TEXT;
  ALTER TABLE listing ADD COLUMN interest INTEGER NOT NULL DEFAULT 0;
  -- A store that has items already gets all this as soon as it is served, or valued again.
  UPDATE item SET version = version + 1, due_at = 1 WHERE id IN (SELECT item_id FROM listing);
  -- How many accounts hold an item, and how often it is looked up: totals, of nobody in particular.
  CREATE TABLE interest (
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    day INTEGER NOT NULL,
    looked_up INTEGER NOT NULL,
    looked_up_before REAL NOT NULL,
    held INTEGER NOT NULL,
    held_before INTEGER NOT NULL,
    PRIMARY KEY (kind, key)
  ) WITHOUT ROWID;
  `,
  `
  -- Numbers that are not one minifig, whatever sources say: a person decided it. Both ways round.
  CREATE TABLE parted_minifig (
    key TEXT NOT NULL,
    other_key TEXT NOT NULL,
    parted_at INTEGER NOT NULL,
    PRIMARY KEY (key, other_key)
  ) WITHOUT ROWID;
  `,
  `
  -- What is kept of each source between two calls, as JSON.
  CREATE TABLE sync_source (
    name TEXT PRIMARY KEY,
    body TEXT NOT NULL
  ) WITHOUT ROWID;
  -- Questions that sources were asked about items: when they were answered last, and how often in
  -- a row their calls failed since.
  CREATE TABLE sync_item (
    source TEXT NOT NULL,
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    topic TEXT NOT NULL,
    asked_at INTEGER,
    failures INTEGER NOT NULL,
    retry_at INTEGER,
    is_known INTEGER NOT NULL,
    PRIMARY KEY (source, kind, key, topic)
  ) WITHOUT ROWID;
  `,
  `
  -- How uncertain the values of items are, and how fast sales could change that: what is fetched
  -- is planned from this. Spreads are ten-thousandths of a logarithm, rates millionths of a sale
  -- a day.
  CREATE TABLE uncertainty (
    item_id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    new_cents INTEGER NOT NULL,
    new_value_spread INTEGER NOT NULL,
    new_sale_spread INTEGER NOT NULL,
    new_sales INTEGER NOT NULL,
    new_usual_rate INTEGER NOT NULL,
    used_cents INTEGER NOT NULL,
    used_value_spread INTEGER NOT NULL,
    used_sale_spread INTEGER NOT NULL,
    used_sales INTEGER NOT NULL,
    used_usual_rate INTEGER NOT NULL,
    is_traded INTEGER NOT NULL,
    has_barcode INTEGER NOT NULL
  );
  -- Of what is in the store already nothing is known until it is published again.
  INSERT INTO uncertainty SELECT id, kind, key, 2000, 10000, 2000, 0, 5000,
      2000, 10000, 2000, 0, 5000, 1, 0 FROM item 
    WHERE published_version > 0 AND part_of IS NULL;
  -- How many units all accounts together hold.
  ALTER TABLE interest ADD COLUMN units INTEGER NOT NULL DEFAULT 0;
  `,
  `
  -- What retailers ask that may be a deal for somebody, as JSON.
  CREATE TABLE deal (
    set_key TEXT NOT NULL,
    retailer TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (set_key, retailer)
  ) WITHOUT ROWID;
  -- Deals at the usual terms, from their beginning to their end, with what was expected of them.
  CREATE TABLE deal_log (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    set_key TEXT NOT NULL,
    retailer TEXT NOT NULL,
    opened_at INTEGER NOT NULL,
    price_cents INTEGER NOT NULL,
    prediction TEXT NOT NULL,
    closed_at INTEGER,
    closed_why TEXT
  );
  CREATE UNIQUE INDEX deal_log_open ON deal_log (set_key, retailer) WHERE closed_at IS NULL;
  CREATE INDEX deal_log_set ON deal_log (set_key);
  -- Deals among what is in the store already are found as soon as it is served, or valued again.
  UPDATE item SET version = version + 1, due_at = 1
    WHERE id IN (SELECT item_id FROM retail);
  -- How well all others sell, and where, is told while it is served, a few at a time.
  UPDATE item SET due_at = 1 WHERE due_at > 1 AND id IN (SELECT item_id FROM evidence);
  `,
  `
  -- Sales after deals began, held against what was expected of them: how many were expected to
  -- return so many percent on cost, how many would have, and how many of these met what four in
  -- five were to bring. Counts, like scores.
  CREATE TABLE deal_score (
    week INTEGER NOT NULL,
    tier TEXT NOT NULL,
    percent INTEGER NOT NULL,
    predicted INTEGER NOT NULL,
    got INTEGER NOT NULL,
    cleared INTEGER NOT NULL,
    PRIMARY KEY (week, tier, percent)
  ) WITHOUT ROWID;
  CREATE INDEX deal_log_opened ON deal_log (opened_at);
  `,
  `
  -- What happened in the market, in the order in which it was published. What it tells is JSON.
  CREATE TABLE event (
    position INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    item_kind TEXT,
    key TEXT,
    retailer TEXT,
    before TEXT NOT NULL,
    after TEXT NOT NULL
  );
  -- What was told of each item last, as JSON: without it, the next publication tells nothing.
  CREATE TABLE event_state (
    item_id INTEGER PRIMARY KEY,
    body TEXT NOT NULL
  );
  `,
  `
  -- The publication that last changed the months and the retail row of a set; 0: it is not known.
  ALTER TABLE series ADD COLUMN stamp INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE retail ADD COLUMN stamp INTEGER NOT NULL DEFAULT 0;
  CREATE INDEX series_stamp ON series (stamp);
  CREATE INDEX retail_stamp ON retail (stamp);
  -- What was published and is gone, and since which publication.
  CREATE TABLE removed_document (
    type TEXT NOT NULL,
    number TEXT NOT NULL,
    stamp INTEGER NOT NULL,
    place INTEGER NOT NULL,
    PRIMARY KEY (type, number)
  ) WITHOUT ROWID;
  CREATE INDEX removed_document_stamp ON removed_document (stamp, place);
  -- Files with everything that is published; one without a hash is not finished.
  CREATE TABLE bulk_file (
    id INTEGER PRIMARY KEY,
    type TEXT NOT NULL,
    stamp INTEGER NOT NULL,
    bytes INTEGER,
    sha256 TEXT,
    created_at INTEGER
  );
  CREATE TABLE bulk_chunk (
    file_id INTEGER NOT NULL,
    place INTEGER NOT NULL,
    body BLOB NOT NULL,
    PRIMARY KEY (file_id, place)
  );
  `,
  `
  -- What has changed is read on from any document of a publication, of one kind alone.
  CREATE INDEX document_changed ON document (kind, stamp, item_id);
  CREATE INDEX series_changed ON series (stamp, item_id);
  CREATE INDEX retail_changed ON retail (stamp, item_id);
  DROP INDEX document_stamp;
  DROP INDEX series_stamp;
  DROP INDEX retail_stamp;
  `,
  `
  -- The page of a set shows what changed at its retailers.
  CREATE INDEX event_at_retailer ON event (key, position) WHERE retailer IS NOT NULL;
  `,
  `
  -- How well sales support each of the two values. Until a set is published again, its used value
  -- has the tier of the whole.
  ALTER TABLE listing ADD COLUMN new_tier TEXT;
  ALTER TABLE listing ADD COLUMN used_tier TEXT;
  UPDATE listing SET new_tier = (
    SELECT json_extract(body, '$.data_tier') FROM document WHERE document.item_id = listing.item_id
  ) WHERE kind = 'set';
  UPDATE listing SET used_tier = new_tier WHERE kind = 'set';
  `,
];
