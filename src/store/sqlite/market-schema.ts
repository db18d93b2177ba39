/** The tables of `market.db`. */

/**
 * The schema of version 0.9.0. Money is in cents, instants are milliseconds since 1970, and months
 * are counted from the year 0.
 */
const schema = `
  -- Single numbers, by name.
  CREATE TABLE meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
  INSERT INTO meta VALUES ('publish_stamp', 0), ('parameters_change', 0);
  -- Which process does a task that only one may do at a time.
  CREATE TABLE lease (
    name TEXT PRIMARY KEY,
    holder TEXT NOT NULL,
    until INTEGER NOT NULL
  ) WITHOUT ROWID;

  -- Sets and minifigs. An item is stale while its version differs from the published one.
  CREATE TABLE item (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    number TEXT NOT NULL,
    version INTEGER NOT NULL DEFAULT 1,
    published_version INTEGER NOT NULL DEFAULT 0,
    -- When to publish it again even without new rows.
    due_at INTEGER,
    -- Every number of a minifig is an item. A number that another minifig lists as an alias is part
    -- of that minifig, and is not published itself; 0: no source describes or lists it any more.
    part_of INTEGER,
    -- A collectible minifig is valued as the set that contains nothing else, and published with it.
    valued_as INTEGER,
    UNIQUE (kind, key)
  );
  CREATE INDEX item_stale ON item (id)
    WHERE version <> published_version AND part_of IS NULL AND valued_as IS NULL;
  CREATE INDEX item_due ON item (due_at);
  CREATE INDEX item_part ON item (part_of) WHERE part_of IS NOT NULL;
  CREATE INDEX item_valued ON item (valued_as) WHERE valued_as IS NOT NULL;
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
    -- When the item was first missing from the source's complete list; null while it is listed.
    gone_at INTEGER,
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
  -- Minifig numbers that an operator keeps apart, whatever sources say. Each pair is stored both
  -- ways round.
  CREATE TABLE parted_minifig (
    key TEXT NOT NULL,
    other_key TEXT NOT NULL,
    parted_at INTEGER NOT NULL,
    PRIMARY KEY (key, other_key)
  ) WITHOUT ROWID;

  -- Licensed source rows. Sales are clustered by item and time, because they are read like that.
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
    PRIMARY KEY (item_id, sold_at, source, source_id)
  ) WITHOUT ROWID;
  CREATE UNIQUE INDEX sale_identity ON sale (source, source_id);
  CREATE INDEX sale_foreign ON sale (currency, sold_at, retracted_at) WHERE currency <> 'USD';
  -- Looks in a row that found the same, within a week: the first, the last, how many, and the
  -- times between them.
  CREATE TABLE offer (
    item_id INTEGER NOT NULL REFERENCES item,
    retailer TEXT NOT NULL,
    observed_at INTEGER NOT NULL,
    currency TEXT NOT NULL,
    price_cents INTEGER,
    list_price_cents INTEGER,
    seller_type TEXT,
    in_stock INTEGER,
    asin TEXT,
    product_url TEXT,
    lowest_fba_cents INTEGER,
    fba_sellers INTEGER,
    buy_box_cents INTEGER,
    last_at INTEGER NOT NULL,
    looks INTEGER NOT NULL,
    gaps BLOB,
    PRIMARY KEY (item_id, retailer, observed_at)
  ) WITHOUT ROWID;
  CREATE INDEX offer_foreign ON offer (currency, observed_at) WHERE currency <> 'USD';
  -- Units for sale: the latest count of each channel.
  CREATE TABLE listings (
    item_id INTEGER NOT NULL REFERENCES item,
    condition TEXT NOT NULL,
    channel TEXT NOT NULL,
    observed_at INTEGER NOT NULL,
    units INTEGER NOT NULL,
    lowest_cents INTEGER,
    currency TEXT NOT NULL,
    PRIMARY KEY (item_id, condition, channel)
  ) WITHOUT ROWID;
  CREATE INDEX listings_foreign ON listings (currency, observed_at) WHERE currency <> 'USD';
  CREATE TABLE fx (
    currency TEXT NOT NULL,
    date TEXT NOT NULL,
    usd_per_unit REAL NOT NULL,
    ingested_at INTEGER NOT NULL,
    PRIMARY KEY (currency, date)
  ) WITHOUT ROWID;
  -- Sales and offers without an exchange rate of their days, as counts.
  CREATE TABLE waiting (
    currency TEXT PRIMARY KEY,
    count INTEGER NOT NULL,
    first_date TEXT NOT NULL,
    last_date TEXT NOT NULL
  ) WITHOUT ROWID;

  -- Recent imports, for operators.
  CREATE TABLE import_log (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    body TEXT NOT NULL,
    rejects TEXT NOT NULL
  );
  -- What imports replaced, many rows in one, so that they can be undone. Deleted after a while.
  CREATE TABLE import_undo (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    import_id INTEGER NOT NULL,
    kind TEXT NOT NULL,
    body TEXT NOT NULL
  );
  CREATE INDEX import_undo_import ON import_undo (import_id);

  -- The state of each source between two calls, as JSON.
  CREATE TABLE sync_source (
    name TEXT PRIMARY KEY,
    body TEXT NOT NULL
  ) WITHOUT ROWID;
  -- What sources were asked about items: when they last answered, and how many calls failed since.
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

  -- What was learned across all items, by month.
  CREATE TABLE parameters (
    month INTEGER PRIMARY KEY,
    version TEXT NOT NULL,
    body TEXT NOT NULL
  );
  -- The state of the valuation of an item with many sales after those before a time, so that new
  -- ones can be added. Usable while the version is that of the item: a change of the item raises
  -- its version, and that of the checkpoints that it does not affect.
  CREATE TABLE checkpoint (
    item_id INTEGER NOT NULL REFERENCES item,
    at INTEGER NOT NULL,
    version INTEGER NOT NULL,
    -- What else the state depends on.
    key TEXT NOT NULL,
    state BLOB NOT NULL,
    PRIMARY KEY (item_id, at)
  );
  -- How each published value was computed, as JSON: counts, never source rows.
  CREATE TABLE evidence (item_id INTEGER PRIMARY KEY, body TEXT NOT NULL);
  -- How uncertain values are, and how fast sales could change that, to plan what to fetch. Spreads
  -- are ten-thousandths of a logarithm, rates are millionths of a sale per day.
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
  -- The live scorecard: new sales compared with the value published before them, as counts.
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

  -- The lowest price of each week over all offers of the retailers themselves that were in stock.
  CREATE TABLE retail_week (
    item_id INTEGER NOT NULL REFERENCES item,
    week INTEGER NOT NULL,
    price_cents INTEGER NOT NULL,
    PRIMARY KEY (item_id, week)
  ) WITHOUT ROWID;
  -- A summary of a set's offers at one retailer up to the latest one. An offer that arrives out of
  -- order deletes the row, and all offers are summarized again.
  CREATE TABLE retail_state (
    item_id INTEGER NOT NULL REFERENCES item,
    retailer TEXT NOT NULL,
    fold_version INTEGER NOT NULL,
    checked_at INTEGER NOT NULL,
    state TEXT NOT NULL,
    PRIMARY KEY (item_id, retailer)
  ) WITHOUT ROWID;

  -- What is published. A stamp is the number of the publication that last changed a row.
  CREATE TABLE document (
    item_id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    stamp INTEGER NOT NULL,
    body TEXT NOT NULL,
    UNIQUE (kind, key)
  );
  CREATE INDEX document_changed ON document (kind, stamp, item_id);
  CREATE TABLE listing (
    item_id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    number TEXT NOT NULL,
    name TEXT NOT NULL,
    theme TEXT,
    -- Null for minifigs.
    item_class TEXT,
    minifigs_count INTEGER,
    year INTEGER,
    upc_key TEXT,
    ean_key TEXT,
    new_cents INTEGER,
    used_cents INTEGER,
    -- How well sales support each of the two values.
    new_tier TEXT NOT NULL,
    used_tier TEXT NOT NULL,
    -- Values now and at the ends of recent months, packed; null for minifigs.
    set_values BLOB,
    search_row TEXT NOT NULL,
    -- What else search matches, one entry per line.
    other_names TEXT,
    subthemes TEXT,
    themes TEXT,
    -- In thousandths.
    interest INTEGER NOT NULL,
    -- Values published in months that are not final yet, by day, packed.
    day_values BLOB,
    UNIQUE (kind, key)
  );
  CREATE INDEX listing_theme ON listing (theme) WHERE theme IS NOT NULL;
  CREATE INDEX listing_upc ON listing (upc_key) WHERE upc_key IS NOT NULL;
  CREATE INDEX listing_ean ON listing (ean_key) WHERE ean_key IS NOT NULL;
  -- Final months of a set in one condition, and what each was computed from, both packed.
  CREATE TABLE series (
    item_id INTEGER NOT NULL,
    condition TEXT NOT NULL,
    first_month INTEGER NOT NULL,
    points BLOB NOT NULL,
    -- The last restatement that these months include; 0 for none.
    revision INTEGER NOT NULL,
    provenance BLOB NOT NULL,
    stamp INTEGER NOT NULL,
    PRIMARY KEY (item_id, condition)
  ) WITHOUT ROWID;
  CREATE INDEX series_changed ON series (stamp, item_id);
  CREATE TABLE retail (
    item_id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    asin_key TEXT,
    upc_key TEXT,
    ean_key TEXT,
    changed_at INTEGER,
    body TEXT NOT NULL,
    -- The lowest price of each month at each retailer, as JSON.
    months TEXT NOT NULL,
    stamp INTEGER NOT NULL
  );
  CREATE INDEX retail_asin ON retail (asin_key) WHERE asin_key IS NOT NULL;
  CREATE INDEX retail_upc ON retail (upc_key) WHERE upc_key IS NOT NULL;
  CREATE INDEX retail_ean ON retail (ean_key) WHERE ean_key IS NOT NULL;
  CREATE INDEX retail_changed ON retail (stamp, item_id);
  CREATE TABLE theme_list (id INTEGER PRIMARY KEY CHECK (id = 1), body TEXT NOT NULL);
  CREATE TABLE restatement (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    from_month INTEGER NOT NULL,
    reason TEXT NOT NULL,
    at INTEGER NOT NULL
  );
  -- What was published and no longer is, with the publication that removed it.
  CREATE TABLE removed_document (
    type TEXT NOT NULL,
    number TEXT NOT NULL,
    stamp INTEGER NOT NULL,
    place INTEGER NOT NULL,
    PRIMARY KEY (type, number)
  ) WITHOUT ROWID;
  CREATE INDEX removed_document_stamp ON removed_document (stamp, place);
  -- Files with everything that is published. A file without a hash is unfinished.
  CREATE TABLE bulk_file (
    id INTEGER PRIMARY KEY,
    type TEXT NOT NULL,
    format TEXT NOT NULL,
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
  -- Copies of the files in a folder or bucket; at most one row.
  CREATE TABLE bulk_export (
    target TEXT PRIMARY KEY,
    edition TEXT,
    exported_at INTEGER,
    failures INTEGER NOT NULL,
    failed_at INTEGER,
    error TEXT
  );

  -- Market events in the order in which they were published; before and after are JSON.
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
  -- What the latest events said of each item, as JSON. Without it, the next publication of the item
  -- creates no events. Whether data was undone since then.
  CREATE TABLE event_state (
    item_id INTEGER PRIMARY KEY,
    body TEXT NOT NULL,
    is_undone INTEGER NOT NULL DEFAULT 0
  );
  -- Every published change of an offer. Never removed, also if the set is; a wrong price is marked.
  CREATE TABLE retail_change (
    set_key TEXT NOT NULL,
    retailer TEXT NOT NULL,
    at INTEGER NOT NULL,
    price_cents INTEGER,
    seller_type TEXT,
    in_stock INTEGER,
    is_corrected INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (set_key, retailer, at)
  ) WITHOUT ROWID;

  -- Offers that may be a deal for an account, as JSON.
  CREATE TABLE deal (
    set_key TEXT NOT NULL,
    retailer TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (set_key, retailer)
  ) WITHOUT ROWID;
  -- Deals at the default terms from beginning to end, with what was predicted of them.
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
  CREATE INDEX deal_log_opened ON deal_log (opened_at);
  -- Sales after deals began, as counts: how many were predicted to return this many percent on
  -- cost, how many would have, and how many of these brought what four in five were predicted to.
  CREATE TABLE deal_score (
    week INTEGER NOT NULL,
    tier TEXT NOT NULL,
    percent INTEGER NOT NULL,
    predicted INTEGER NOT NULL,
    got INTEGER NOT NULL,
    cleared INTEGER NOT NULL,
    PRIMARY KEY (week, tier, percent)
  ) WITHOUT ROWID;
  -- What a grade of condition does to the value, learned from sales; no row while it is assumed.
  CREATE TABLE grade_effect (
    name TEXT NOT NULL PRIMARY KEY,
    share REAL NOT NULL,
    sales INTEGER NOT NULL
  ) WITHOUT ROWID;
  -- How many accounts hold an item, how many units, and how often it is looked up: totals only.
  CREATE TABLE interest (
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    day INTEGER NOT NULL,
    looked_up INTEGER NOT NULL,
    looked_up_before REAL NOT NULL,
    held INTEGER NOT NULL,
    held_before INTEGER NOT NULL,
    units INTEGER NOT NULL,
    PRIMARY KEY (kind, key)
  ) WITHOUT ROWID;
`;

/** One entry per schema version. Append to it; never change a released entry. */
export const marketMigrations: readonly string[] = [schema];
