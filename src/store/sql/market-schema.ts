/**
 * The tables of the market: `market.db` on SQLite; on PostgreSQL, the schemas `published`, which
 * the API reads, and `source`. Money is in cents, times are milliseconds since 1970, and months are
 * counted from the year 0. The comments between slashes are for SQLite (`sqlite/dialect.ts`).
 */
export const marketSchema = `
  -- Single numbers, by name.
  CREATE TABLE published.meta (
    name text COLLATE "C" PRIMARY KEY,
    value bigint NOT NULL
  ) /* WITHOUT ROWID */;
  INSERT INTO published.meta VALUES ('publish_stamp', 0), ('parameters_change', 0);
  -- Which process does a task that only one may do at a time.
  CREATE TABLE source.market_lease (
    name text COLLATE "C" PRIMARY KEY,
    holder text NOT NULL,
    until bigint NOT NULL
  ) /* WITHOUT ROWID */;

  -- Sets and minifigs. An item is stale while its version differs from the published one. On
  -- PostgreSQL, other tables have no foreign keys to items: checking them would take most of the
  -- time of an import, and rows about items are written by one process at a time, which has looked
  -- up their IDs.
  CREATE TABLE published.item (
    id bigint PRIMARY KEY,
    kind text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL,
    number text COLLATE "C" NOT NULL,
    version bigint NOT NULL DEFAULT 1,
    published_version bigint NOT NULL DEFAULT 0,
    -- When to publish it again even without new rows.
    due_at bigint,
    -- Every number of a minifig is an item. A number that another minifig lists as an alias is part
    -- of that minifig, and is not published itself; 0: no source describes or lists it any more.
    part_of bigint,
    -- A collectible minifig is valued as the set that contains nothing else, and published with it.
    valued_as bigint,
    UNIQUE (kind, key)
  );
  CREATE INDEX item_stale ON published.item (id)
    WHERE version <> published_version AND part_of IS NULL AND valued_as IS NULL;
  CREATE INDEX item_due ON published.item (due_at, id);
  CREATE INDEX item_part ON published.item (part_of) WHERE part_of IS NOT NULL;
  CREATE INDEX item_valued ON published.item (valued_as) WHERE valued_as IS NOT NULL;
  CREATE TABLE published.alias (
    key text COLLATE "C" NOT NULL,
    item_id bigint NOT NULL /* REFERENCES published.item */,
    source text COLLATE "C" NOT NULL,
    PRIMARY KEY (key, item_id, source)
  ) /* WITHOUT ROWID */;
  CREATE INDEX alias_item ON published.alias (item_id);
  CREATE TABLE source.catalog_record (
    item_id bigint NOT NULL /* REFERENCES published.item */,
    source text COLLATE "C" NOT NULL,
    body text NOT NULL,
    -- When the item was first missing from the source's complete list; null while it is listed.
    gone_at bigint,
    PRIMARY KEY (item_id, source)
  ) /* WITHOUT ROWID */;
  CREATE TABLE source.set_minifig (
    set_id bigint NOT NULL /* REFERENCES published.item */,
    minifig_key text COLLATE "C" NOT NULL,
    source text COLLATE "C" NOT NULL,
    minifig_number text COLLATE "C" NOT NULL,
    PRIMARY KEY (set_id, minifig_key, source)
  ) /* WITHOUT ROWID */;
  CREATE INDEX set_minifig_minifig ON source.set_minifig (minifig_key);
  -- Minifig numbers that an operator keeps apart, whatever sources say. Each pair is stored both
  -- ways round.
  CREATE TABLE source.parted_minifig (
    key text COLLATE "C" NOT NULL,
    other_key text COLLATE "C" NOT NULL,
    parted_at bigint NOT NULL,
    PRIMARY KEY (key, other_key)
  ) /* WITHOUT ROWID */;

  -- Licensed source rows. On SQLite, sales are clustered by item and time, as they are read.
  CREATE TABLE source.sale (
    item_id bigint NOT NULL /* REFERENCES published.item */,
    source text COLLATE "C" NOT NULL,
    source_id text COLLATE "C" NOT NULL,
    condition text COLLATE "C" NOT NULL,
    price_cents bigint NOT NULL,
    shipping_cents bigint NOT NULL,
    currency text COLLATE "C" NOT NULL,
    quantity bigint NOT NULL,
    sold_at bigint NOT NULL,
    channel text COLLATE "C",
    seller text COLLATE "C",
    completeness text COLLATE "C",
    ingested_at bigint NOT NULL,
    retracted_at bigint,
    PRIMARY KEY (/* item_id, sold_at, */ source, source_id)
  ) /* WITHOUT ROWID */;
  /* CREATE UNIQUE INDEX sale_identity ON source.sale (source, source_id); */
  CREATE INDEX sale_foreign ON source.sale (currency, sold_at, retracted_at)
    WHERE currency <> 'USD';
  -- Looks in a row that found the same, within a week: the first, the last, how many, and the
  -- times between them.
  CREATE TABLE source.offer (
    item_id bigint NOT NULL /* REFERENCES published.item */,
    retailer text COLLATE "C" NOT NULL,
    observed_at bigint NOT NULL,
    currency text COLLATE "C" NOT NULL,
    price_cents bigint,
    list_price_cents bigint,
    seller_type text COLLATE "C",
    in_stock boolean,
    asin text COLLATE "C",
    product_url text,
    lowest_fba_cents bigint,
    fba_sellers bigint,
    buy_box_cents bigint,
    last_at bigint NOT NULL,
    looks bigint NOT NULL,
    gaps bytea,
    PRIMARY KEY (item_id, retailer, observed_at)
  ) /* WITHOUT ROWID */;
  CREATE INDEX offer_foreign ON source.offer (currency, observed_at) WHERE currency <> 'USD';
  -- Units for sale: the latest count of each channel.
  CREATE TABLE source.listings (
    item_id bigint NOT NULL /* REFERENCES published.item */,
    condition text COLLATE "C" NOT NULL,
    channel text COLLATE "C" NOT NULL,
    observed_at bigint NOT NULL,
    units bigint NOT NULL,
    lowest_cents bigint,
    currency text COLLATE "C" NOT NULL,
    PRIMARY KEY (item_id, condition, channel)
  ) /* WITHOUT ROWID */;
  CREATE INDEX listings_foreign ON source.listings (currency, observed_at)
    WHERE currency <> 'USD';
  -- What sources show as the value of a set's parts: the latest row of each.
  CREATE TABLE source.part_out (
    item_id bigint NOT NULL /* REFERENCES published.item */,
    condition text COLLATE "C" NOT NULL,
    source text COLLATE "C" NOT NULL,
    observed_at bigint NOT NULL,
    amount_cents bigint NOT NULL,
    currency text COLLATE "C" NOT NULL,
    lots bigint,
    units bigint,
    PRIMARY KEY (item_id, condition, source)
  ) /* WITHOUT ROWID */;
  CREATE INDEX part_out_foreign ON source.part_out (currency, observed_at)
    WHERE currency <> 'USD';
  CREATE TABLE published.fx (
    currency text COLLATE "C" NOT NULL,
    date text COLLATE "C" NOT NULL,
    usd_per_unit double precision NOT NULL,
    ingested_at bigint NOT NULL,
    PRIMARY KEY (currency, date)
  ) /* WITHOUT ROWID */;
  -- Sales and offers without an exchange rate of their days, as counts.
  CREATE TABLE published.waiting (
    currency text COLLATE "C" PRIMARY KEY,
    count bigint NOT NULL,
    first_date text COLLATE "C" NOT NULL,
    last_date text COLLATE "C" NOT NULL
  ) /* WITHOUT ROWID */;

  -- Recent imports, for operators.
  CREATE TABLE published.import_log (
    id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY /* AUTOINCREMENT */,
    at bigint NOT NULL,
    body text NOT NULL,
    rejects text NOT NULL
  );
  -- What imports replaced, many rows in one, so that they can be undone. Deleted after a while.
  CREATE TABLE source.import_undo (
    id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY /* AUTOINCREMENT */,
    import_id bigint NOT NULL,
    kind text COLLATE "C" NOT NULL,
    body text NOT NULL
  );
  CREATE INDEX import_undo_import ON source.import_undo (import_id);

  -- The state of each source between two calls, as JSON, without any source rows.
  CREATE TABLE published.sync_source (
    name text COLLATE "C" PRIMARY KEY,
    body text NOT NULL
  ) /* WITHOUT ROWID */;
  -- What sources were asked about items: when they last answered, and how many calls failed since.
  CREATE TABLE source.sync_item (
    source text COLLATE "C" NOT NULL,
    kind text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL,
    topic text COLLATE "C" NOT NULL,
    asked_at bigint,
    failures bigint NOT NULL,
    retry_at bigint,
    is_known boolean NOT NULL,
    PRIMARY KEY (source, kind, key, topic)
  ) /* WITHOUT ROWID */;

  -- What was learned across all items, by month.
  CREATE TABLE source.parameters (
    month integer PRIMARY KEY,
    version text NOT NULL,
    body text NOT NULL
  );
  -- The state of the valuation of an item with many sales after those before a time, so that new
  -- ones can be added. Usable while the version is that of the item: a change of the item raises
  -- its version, and that of the checkpoints that it does not affect.
  CREATE TABLE source.checkpoint (
    item_id bigint NOT NULL /* REFERENCES published.item */,
    at bigint NOT NULL,
    version bigint NOT NULL,
    -- What else the state depends on.
    key text COLLATE "C" NOT NULL,
    state bytea NOT NULL,
    PRIMARY KEY (item_id, at)
  );
  -- How each published value was computed, as JSON: counts, never source rows.
  CREATE TABLE published.evidence (
    item_id bigint PRIMARY KEY,
    body text NOT NULL
  );
  -- How uncertain values are, and how fast sales could change that, to plan what to fetch. Spreads
  -- are ten-thousandths of a logarithm, rates are millionths of a sale per day.
  CREATE TABLE source.uncertainty (
    item_id bigint PRIMARY KEY,
    kind text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL,
    new_cents bigint NOT NULL,
    new_value_spread bigint NOT NULL,
    new_sale_spread bigint NOT NULL,
    new_sales bigint NOT NULL,
    new_usual_rate bigint NOT NULL,
    used_cents bigint NOT NULL,
    used_value_spread bigint NOT NULL,
    used_sale_spread bigint NOT NULL,
    used_sales bigint NOT NULL,
    used_usual_rate bigint NOT NULL,
    is_traded boolean NOT NULL,
    has_barcode boolean NOT NULL
  );
  -- The live scorecard: new sales compared with the value published before them, as counts.
  CREATE TABLE published.score (
    week integer NOT NULL,
    kind text COLLATE "C" NOT NULL,
    condition text COLLATE "C" NOT NULL,
    tier text COLLATE "C" NOT NULL,
    bin integer NOT NULL,
    in_range boolean NOT NULL,
    count bigint NOT NULL,
    PRIMARY KEY (week, kind, condition, tier, bin, in_range)
  ) /* WITHOUT ROWID */;

  -- The lowest price of each week over all offers of the retailers themselves that were in stock.
  CREATE TABLE source.retail_week (
    item_id bigint NOT NULL /* REFERENCES published.item */,
    week integer NOT NULL,
    price_cents bigint NOT NULL,
    PRIMARY KEY (item_id, week)
  ) /* WITHOUT ROWID */;
  -- A summary of a set's offers at one retailer up to the latest one. An offer that arrives out of
  -- order deletes the row, and all offers are summarized again.
  CREATE TABLE source.retail_state (
    item_id bigint NOT NULL /* REFERENCES published.item */,
    retailer text COLLATE "C" NOT NULL,
    fold_version integer NOT NULL,
    checked_at bigint NOT NULL,
    state text NOT NULL,
    PRIMARY KEY (item_id, retailer)
  ) /* WITHOUT ROWID */;

  -- What is published. A stamp is the number of the publication that last changed a row.
  CREATE TABLE published.document (
    item_id bigint PRIMARY KEY,
    kind text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL,
    stamp bigint NOT NULL,
    body text NOT NULL,
    UNIQUE (kind, key)
  );
  CREATE INDEX document_changed ON published.document (kind, stamp, item_id);
  CREATE TABLE published.listing (
    item_id bigint PRIMARY KEY,
    kind text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL,
    number text COLLATE "C" NOT NULL,
    name text COLLATE "C" NOT NULL,
    theme text COLLATE "C",
    -- Null for minifigs.
    item_class text COLLATE "C",
    minifigs_count bigint,
    year bigint,
    upc_key text COLLATE "C",
    ean_key text COLLATE "C",
    new_cents bigint,
    used_cents bigint,
    -- How well sales support each of the two values.
    new_tier text COLLATE "C" NOT NULL,
    used_tier text COLLATE "C" NOT NULL,
    -- Values now and at the ends of recent months, packed; null for minifigs.
    set_values bytea,
    search_row text NOT NULL,
    -- What else search matches, one entry per line.
    other_names text,
    subthemes text,
    themes text,
    -- In thousandths.
    interest bigint NOT NULL,
    -- Values published in months that are not final yet, by day, packed.
    day_values bytea,
    UNIQUE (kind, key)
  );
  CREATE INDEX listing_theme ON published.listing (theme) WHERE theme IS NOT NULL;
  CREATE INDEX listing_upc ON published.listing (upc_key) WHERE upc_key IS NOT NULL;
  CREATE INDEX listing_ean ON published.listing (ean_key) WHERE ean_key IS NOT NULL;
  -- Final months of a set in one condition, and what each was computed from, both packed.
  CREATE TABLE published.series (
    item_id bigint NOT NULL,
    condition text COLLATE "C" NOT NULL,
    first_month integer NOT NULL,
    points bytea NOT NULL,
    -- The last restatement that these months include; 0 for none.
    revision bigint NOT NULL,
    provenance bytea NOT NULL,
    stamp bigint NOT NULL,
    PRIMARY KEY (item_id, condition)
  ) /* WITHOUT ROWID */;
  CREATE INDEX series_changed ON published.series (stamp, item_id);
  CREATE TABLE published.retail (
    item_id bigint PRIMARY KEY,
    key text COLLATE "C" NOT NULL UNIQUE,
    asin_key text COLLATE "C",
    upc_key text COLLATE "C",
    ean_key text COLLATE "C",
    changed_at bigint,
    body text NOT NULL,
    -- The lowest price of each month at each retailer, as JSON.
    months text NOT NULL,
    stamp bigint NOT NULL
  );
  CREATE INDEX retail_asin ON published.retail (asin_key) WHERE asin_key IS NOT NULL;
  CREATE INDEX retail_upc ON published.retail (upc_key) WHERE upc_key IS NOT NULL;
  CREATE INDEX retail_ean ON published.retail (ean_key) WHERE ean_key IS NOT NULL;
  CREATE INDEX retail_changed ON published.retail (stamp, item_id);
  CREATE TABLE published.theme_list (
    id integer PRIMARY KEY CHECK (id = 1),
    body text NOT NULL
  );
  CREATE TABLE published.restatement (
    id bigint PRIMARY KEY,
    from_month integer NOT NULL,
    reason text NOT NULL,
    at bigint NOT NULL
  );
  -- What was published and no longer is, with the publication that removed it.
  CREATE TABLE published.removed_document (
    type text COLLATE "C" NOT NULL,
    number text COLLATE "C" NOT NULL,
    stamp bigint NOT NULL,
    place bigint NOT NULL,
    PRIMARY KEY (type, number)
  ) /* WITHOUT ROWID */;
  CREATE INDEX removed_document_stamp ON published.removed_document (stamp, place);
  -- Files with everything that is published. A file without a hash is unfinished.
  CREATE TABLE published.bulk_file (
    id bigint PRIMARY KEY,
    type text COLLATE "C" NOT NULL,
    format text COLLATE "C" NOT NULL,
    stamp bigint NOT NULL,
    bytes bigint,
    sha256 text,
    created_at bigint
  );
  CREATE TABLE published.bulk_chunk (
    file_id bigint NOT NULL,
    place bigint NOT NULL,
    body bytea NOT NULL,
    PRIMARY KEY (file_id, place)
  );
  -- Copies of the files in a folder or bucket; at most one row.
  CREATE TABLE published.bulk_export (
    target text COLLATE "C" PRIMARY KEY,
    edition text COLLATE "C",
    exported_at bigint,
    failures bigint NOT NULL,
    failed_at bigint,
    error text
  );

  -- Market events in the order in which they were published; before and after are JSON.
  CREATE TABLE published.event (
    position bigint PRIMARY KEY,
    at bigint NOT NULL,
    kind text COLLATE "C" NOT NULL,
    item_kind text COLLATE "C",
    key text COLLATE "C",
    retailer text COLLATE "C",
    before text NOT NULL,
    after text NOT NULL
  );
  -- What the latest events said of each item, as JSON. Without it, the next publication of the item
  -- creates no events. Whether data was undone since then.
  CREATE TABLE published.event_state (
    item_id bigint PRIMARY KEY,
    body text NOT NULL,
    is_undone boolean NOT NULL DEFAULT false
  );
  -- Every published change of an offer. Never removed, also if the set is; a wrong price is marked.
  CREATE TABLE published.retail_change (
    set_key text COLLATE "C" NOT NULL,
    retailer text COLLATE "C" NOT NULL,
    at bigint NOT NULL,
    price_cents bigint,
    seller_type text COLLATE "C",
    in_stock boolean,
    is_corrected boolean NOT NULL DEFAULT false,
    PRIMARY KEY (set_key, retailer, at)
  ) /* WITHOUT ROWID */;

  -- Offers that may be a deal for an account, as JSON.
  CREATE TABLE published.deal (
    set_key text COLLATE "C" NOT NULL,
    retailer text COLLATE "C" NOT NULL,
    body text NOT NULL,
    PRIMARY KEY (set_key, retailer)
  ) /* WITHOUT ROWID */;
  -- Deals at the default terms from beginning to end, with what was predicted of them.
  CREATE TABLE published.deal_log (
    id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY /* AUTOINCREMENT */,
    set_key text COLLATE "C" NOT NULL,
    retailer text COLLATE "C" NOT NULL,
    opened_at bigint NOT NULL,
    price_cents bigint NOT NULL,
    prediction text NOT NULL,
    closed_at bigint,
    closed_why text COLLATE "C"
  );
  CREATE UNIQUE INDEX deal_log_open ON published.deal_log (set_key, retailer)
    WHERE closed_at IS NULL;
  CREATE INDEX deal_log_set ON published.deal_log (set_key);
  CREATE INDEX deal_log_opened ON published.deal_log (opened_at);
  -- Sales after deals began, as counts: how many were predicted to return this many percent on
  -- cost, how many would have, and how many of these brought what four in five were predicted to.
  CREATE TABLE published.deal_score (
    week bigint NOT NULL,
    tier text COLLATE "C" NOT NULL,
    percent bigint NOT NULL,
    predicted bigint NOT NULL,
    got bigint NOT NULL,
    cleared bigint NOT NULL,
    PRIMARY KEY (week, tier, percent)
  ) /* WITHOUT ROWID */;
  -- What a grade of condition does to the value, learned from sales; no row while it is assumed.
  CREATE TABLE published.grade_effect (
    name text COLLATE "C" NOT NULL PRIMARY KEY,
    share double precision NOT NULL,
    sales bigint NOT NULL
  ) /* WITHOUT ROWID */;
  -- How many accounts hold an item, how many units, and how often it is looked up: totals only.
  CREATE TABLE published.interest (
    kind text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL,
    day bigint NOT NULL,
    looked_up bigint NOT NULL,
    looked_up_before double precision NOT NULL,
    held bigint NOT NULL,
    held_before bigint NOT NULL,
    units bigint NOT NULL,
    PRIMARY KEY (kind, key)
  ) /* WITHOUT ROWID */;
` as const;
