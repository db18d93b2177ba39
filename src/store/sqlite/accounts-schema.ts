/** The tables of `accounts.db`. Migrations are only ever appended. */
import { fillTakeCosts } from '../sql/take-costs.ts';
import { toSqlite } from './dialect.ts';

/** One entry per schema version. Ids are never reused: people write them down. */
export const accountMigrations: readonly string[] = [
  `
  CREATE TABLE account (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    email TEXT NOT NULL,
    email_key TEXT NOT NULL UNIQUE,
    password_hash TEXT,
    plan TEXT NOT NULL,
    is_operator INTEGER NOT NULL,
    created_at INTEGER NOT NULL
  );
  CREATE TABLE api_key (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
    name TEXT NOT NULL,
    hash BLOB NOT NULL UNIQUE,
    prefix TEXT NOT NULL,
    allowance INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    revoked_at INTEGER
  );
  CREATE INDEX api_key_account ON api_key (account_id);
  CREATE TABLE usage (
    key_id INTEGER NOT NULL REFERENCES api_key ON DELETE CASCADE,
    day INTEGER NOT NULL,
    used INTEGER NOT NULL,
    last_at INTEGER NOT NULL,
    PRIMARY KEY (key_id, day)
  ) WITHOUT ROWID;

  CREATE TABLE brickfolio (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
    name TEXT NOT NULL,
    description TEXT,
    is_default INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    UNIQUE (account_id, name)
  );
  -- A lot stays as it was bought; sales point at the units they took.
  CREATE TABLE lot (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
    source_id TEXT NOT NULL,
    brickfolio_id INTEGER NOT NULL REFERENCES brickfolio ON DELETE CASCADE,
    set_key TEXT NOT NULL,
    set_number TEXT NOT NULL,
    quantity INTEGER NOT NULL,
    condition TEXT NOT NULL,
    price_cents INTEGER NOT NULL,
    purchase_date TEXT NOT NULL,
    status TEXT NOT NULL,
    -- The sum of the takes below, kept here so that a sale finds what is left without adding up.
    sold INTEGER NOT NULL DEFAULT 0 CHECK (sold BETWEEN 0 AND quantity),
    UNIQUE (account_id, source_id)
  );
  CREATE INDEX lot_open ON lot (account_id, set_key, condition, purchase_date, id)
    WHERE sold < quantity;
  CREATE TABLE ledger_sale (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
    source_id TEXT NOT NULL,
    set_key TEXT NOT NULL,
    set_number TEXT NOT NULL,
    condition TEXT NOT NULL,
    platform TEXT NOT NULL,
    sale_date TEXT NOT NULL,
    quantity INTEGER NOT NULL,
    gross_cents INTEGER NOT NULL,
    platform_fees_cents INTEGER NOT NULL,
    payment_fees_cents INTEGER NOT NULL,
    shipping_cents INTEGER NOT NULL,
    cost_cents INTEGER NOT NULL,
    -- The line as it was given, to tell whether it comes again unchanged.
    given TEXT NOT NULL,
    UNIQUE (account_id, source_id)
  );
  CREATE TABLE ledger_take (
    sale_id INTEGER NOT NULL REFERENCES ledger_sale ON DELETE CASCADE,
    lot_id INTEGER NOT NULL REFERENCES lot ON DELETE CASCADE,
    quantity INTEGER NOT NULL,
    PRIMARY KEY (sale_id, lot_id)
  ) WITHOUT ROWID;
  CREATE INDEX ledger_take_lot ON ledger_take (lot_id);
  `,
  `
  -- Grows with every change of what the account holds and sold.
  ALTER TABLE account ADD COLUMN private_version INTEGER NOT NULL DEFAULT 0;
  -- The orders in which entries and sales are shown.
  CREATE INDEX lot_entry ON lot (account_id, purchase_date DESC, id) WHERE sold < quantity;
  CREATE INDEX lot_entry_brickfolio ON lot (brickfolio_id, purchase_date DESC, id)
    WHERE sold < quantity;
  -- Everything that analytics asks of a lot, in the order in which it goes through them.
  CREATE INDEX lot_position ON lot
    (account_id, set_key, condition, purchase_date, quantity, price_cents);
  CREATE INDEX ledger_sale_date ON ledger_sale (account_id, sale_date DESC, id);
  `,
  `
  -- Removing an account goes from its brickfolios to all their lots, sold out or not.
  CREATE INDEX lot_brickfolio ON lot (brickfolio_id);
  `,
  `
  -- Whether the price is a guess, for want of what was paid.
  ALTER TABLE lot ADD COLUMN is_estimated INTEGER NOT NULL DEFAULT 0;
  `,
  `
  -- Who is signed in, and the links that set a password. Of their tokens, only hashes.
  CREATE TABLE session (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
    token_hash BLOB NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    last_seen_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    agent TEXT NOT NULL
  );
  CREATE INDEX session_account ON session (account_id);
  CREATE INDEX session_expiry ON session (expires_at);
  CREATE TABLE reset_link (
    account_id INTEGER PRIMARY KEY REFERENCES account ON DELETE CASCADE,
    token_hash BLOB NOT NULL UNIQUE,
    expires_at INTEGER NOT NULL
  );
  -- How often something was tried since an instant. Keys are hashes.
  CREATE TABLE tries (
    key TEXT PRIMARY KEY,
    since INTEGER NOT NULL,
    count INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX tries_since ON tries (since);
  `,
  `
  -- One row, written now and then for nothing but to see whether it can be.
  CREATE TABLE heartbeat (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    at INTEGER NOT NULL
  );
  `,
  `
  -- An account has five places for keys, and usage is counted by place and day. Keys that there are
  -- already get a place each: those that are active or ended last the five, so that what they spent
  -- today goes on counting; others keep a counter of their own, which nobody spends from any more.
  ALTER TABLE api_key ADD COLUMN place INTEGER NOT NULL DEFAULT 0;
  -- What others had spent in the place on the day on which the key was made, before it was.
  ALTER TABLE api_key ADD COLUMN used_before INTEGER NOT NULL DEFAULT 0;
  -- When a key was last used that has lost its place, or on days that are no longer kept.
  ALTER TABLE api_key ADD COLUMN last_used_at INTEGER;
  UPDATE api_key SET place = placed.place FROM (
    SELECT id, row_number() OVER (PARTITION BY account_id ORDER BY
      min(coalesce(revoked_at, 9e15), coalesce(expires_at, 9e15)) DESC, id) AS place
    FROM api_key) AS placed WHERE placed.id = api_key.id;
  CREATE TABLE place_usage (
    account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
    place INTEGER NOT NULL,
    day INTEGER NOT NULL,
    used INTEGER NOT NULL,
    last_at INTEGER NOT NULL,
    -- Whichever key spent last; it may be gone.
    key_id INTEGER NOT NULL,
    PRIMARY KEY (account_id, place, day)
  ) WITHOUT ROWID;
  INSERT INTO place_usage SELECT k.account_id, k.place, u.day, u.used, u.last_at, u.key_id
    FROM usage u JOIN api_key k ON k.id = u.key_id;
  DROP TABLE usage;
  ALTER TABLE place_usage RENAME TO usage;
  -- Days that are old are found by it, and added up here.
  CREATE INDEX usage_day ON usage (day);
  ALTER TABLE account ADD COLUMN calls_earlier INTEGER NOT NULL DEFAULT 0;
  -- Links that have ended are found by it.
  CREATE INDEX reset_link_expiry ON reset_link (expires_at);
  `,
  `
  -- How an account buys and sells. The rates that it pays on platforms are JSON.
  CREATE TABLE buying_settings (
    account_id INTEGER PRIMARY KEY REFERENCES account ON DELETE CASCADE,
    share REAL NOT NULL,
    margin_basis_points INTEGER NOT NULL,
    tax_basis_points INTEGER NOT NULL,
    cashback_basis_points INTEGER NOT NULL,
    inbound_cents INTEGER NOT NULL,
    money_basis_points INTEGER NOT NULL,
    own_rates TEXT NOT NULL
  );
  `,
  `
  -- What was predicted of a lot when it was recorded, per unit. Never changed.
  CREATE TABLE lot_prediction (
    lot_id INTEGER PRIMARY KEY REFERENCES lot ON DELETE CASCADE,
    account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
    at INTEGER NOT NULL,
    condition TEXT NOT NULL,
    value_cents INTEGER NOT NULL,
    net_half_cents INTEGER NOT NULL,
    net_safe_cents INTEGER NOT NULL,
    channel TEXT NOT NULL,
    wait_days REAL
  );
  CREATE INDEX lot_prediction_account ON lot_prediction (account_id, lot_id);
  `,
  `
  -- Sets and minifigs that somebody watches, held or not.
  CREATE TABLE watch_list (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
    name TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    UNIQUE (account_id, name)
  );
  -- Keys stay what they were when an item was put on a list; the market knows what became of them.
  CREATE TABLE watched_item (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
    list_id INTEGER NOT NULL REFERENCES watch_list ON DELETE CASCADE,
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    number TEXT NOT NULL,
    target_cents INTEGER,
    note TEXT NOT NULL,
    added_at INTEGER NOT NULL,
    UNIQUE (list_id, kind, key)
  );
  CREATE INDEX watched_item_account ON watched_item (account_id, kind, key);
  `,
  `
  -- Where accounts are told what happened. Addresses and secrets are encrypted.
  CREATE TABLE channel (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    address BLOB,
    secret BLOB,
    old_secret BLOB,
    old_secret_until INTEGER,
    state TEXT NOT NULL,
    state_reason TEXT,
    failing_since INTEGER,
    failures INTEGER NOT NULL DEFAULT 0,
    retry_at INTEGER,
    -- When to look for something to send; null: there is nothing.
    next_at INTEGER,
    -- What it is told of: kinds of events, separated by commas.
    kinds TEXT,
    scope TEXT,
    position INTEGER,
    created_at INTEGER NOT NULL
  );
  CREATE INDEX channel_account ON channel (account_id);
  CREATE INDEX channel_next ON channel (next_at) WHERE next_at IS NOT NULL;
  CREATE INDEX channel_position ON channel (position) WHERE position IS NOT NULL;
  -- Messages to channels.
  CREATE TABLE delivery (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    channel_id INTEGER NOT NULL REFERENCES channel ON DELETE CASCADE,
    message_id TEXT NOT NULL,
    type TEXT NOT NULL,
    order_key TEXT,
    position INTEGER,
    body TEXT NOT NULL,
    at INTEGER NOT NULL,
    state TEXT NOT NULL,
    tries INTEGER NOT NULL,
    due_at INTEGER NOT NULL,
    tried_at INTEGER,
    answer_status INTEGER,
    answer TEXT
  );
  CREATE INDEX delivery_channel ON delivery (channel_id, id);
  CREATE INDEX delivery_waiting ON delivery (channel_id, order_key, id) WHERE state = 'waiting';
  CREATE INDEX delivery_ended ON delivery (at) WHERE state <> 'waiting';
  CREATE TABLE delivery_tally (
    kind TEXT NOT NULL,
    outcome TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (kind, outcome)
  ) WITHOUT ROWID;
  -- Who sends, as long as it says so in time.
  CREATE TABLE lease (
    name TEXT PRIMARY KEY,
    holder TEXT NOT NULL,
    until INTEGER NOT NULL
  ) WITHOUT ROWID;
  `,
  `
  -- Rules that tell when something happens in the market. What of it is null depends on the rule.
  CREATE TABLE alert_rule (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
    name TEXT NOT NULL,
    scope TEXT NOT NULL,
    list_id INTEGER REFERENCES watch_list ON DELETE CASCADE,
    theme TEXT,
    condition TEXT NOT NULL,
    cents INTEGER,
    percent REAL,
    flip_to TEXT,
    repeat_days INTEGER,
    digest TEXT NOT NULL,
    daily_cap INTEGER NOT NULL,
    is_on INTEGER NOT NULL,
    -- What happened before is not told: when it was saved or turned on last.
    since INTEGER NOT NULL,
    created_at INTEGER NOT NULL
  );
  CREATE INDEX alert_rule_account ON alert_rule (account_id);
  CREATE INDEX alert_rule_list ON alert_rule (list_id) WHERE list_id IS NOT NULL;
  CREATE INDEX alert_rule_theme ON alert_rule (theme) WHERE theme IS NOT NULL;
  CREATE INDEX alert_rule_on ON alert_rule (since) WHERE is_on;
  CREATE INDEX alert_rule_all ON alert_rule (scope) WHERE is_on;
  CREATE TABLE alert_rule_channel (
    rule_id INTEGER NOT NULL REFERENCES alert_rule ON DELETE CASCADE,
    channel_id INTEGER NOT NULL REFERENCES channel ON DELETE CASCADE,
    PRIMARY KEY (rule_id, channel_id)
  ) WITHOUT ROWID;
  CREATE INDEX alert_rule_channel_channel ON alert_rule_channel (channel_id);
  -- What rules hold for and have told; moves of a value are counted from its base. Where no
  -- retailer is concerned, its name is empty.
  CREATE TABLE alert_told (
    item_kind TEXT NOT NULL,
    item_key TEXT NOT NULL,
    rule_id INTEGER NOT NULL REFERENCES alert_rule ON DELETE CASCADE,
    retailer TEXT NOT NULL,
    account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
    told_at INTEGER NOT NULL,
    base_cents INTEGER,
    PRIMARY KEY (item_kind, item_key, rule_id, retailer)
  ) WITHOUT ROWID;
  CREATE INDEX alert_told_rule ON alert_told (rule_id);
  CREATE INDEX alert_told_account ON alert_told (account_id);
  -- What was told, or would have been. Of the token that ends the rule, a hash.
  CREATE TABLE notification (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
    rule_id INTEGER REFERENCES alert_rule ON DELETE SET NULL,
    rule_name TEXT NOT NULL,
    at INTEGER NOT NULL,
    item_kind TEXT NOT NULL,
    item_key TEXT NOT NULL,
    number TEXT NOT NULL,
    title TEXT NOT NULL,
    retailer TEXT,
    reason TEXT NOT NULL,
    facts TEXT NOT NULL,
    state TEXT NOT NULL,
    due_at INTEGER NOT NULL,
    held_for TEXT,
    token_hash BLOB
  );
  CREATE INDEX notification_account ON notification (account_id, id);
  CREATE INDEX notification_rule ON notification (rule_id, at) WHERE rule_id IS NOT NULL;
  CREATE INDEX notification_at ON notification (at);
  CREATE INDEX notification_due ON notification (due_at) WHERE state = 'waiting';
  CREATE INDEX notification_token ON notification (token_hash) WHERE token_hash IS NOT NULL;
  -- Quiet hours are minutes of the day in the time zone.
  CREATE TABLE alert_settings (
    account_id INTEGER PRIMARY KEY REFERENCES account ON DELETE CASCADE,
    time_zone TEXT NOT NULL,
    quiet_from INTEGER,
    quiet_until INTEGER
  );
  -- How far alerts have come: in the log, and in the look at everything that is had once a day.
  CREATE TABLE alert_progress (
    name TEXT PRIMARY KEY,
    position INTEGER NOT NULL,
    key TEXT
  ) WITHOUT ROWID;
  -- Whose rules have to do with an item.
  CREATE INDEX watched_item_key ON watched_item (kind, key);
  CREATE INDEX lot_set ON lot (set_key) WHERE sold < quantity;
  `,
  `
  -- What waits is counted without reading it, and so is since when it does.
  CREATE INDEX delivery_waiting_at ON delivery (at) WHERE state = 'waiting';
  `,
  `
  -- Where the log was when a rule was saved or turned on last: what is before it is not told.
  ALTER TABLE alert_rule ADD COLUMN position INTEGER NOT NULL DEFAULT 0;
  UPDATE alert_rule SET position = since * 1000 - 1;
  DROP INDEX alert_rule_on;
  CREATE INDEX alert_rule_on ON alert_rule (position) WHERE is_on;
  `,
  `
  -- A step of alerts that is under way: up to which rule it is done, and where in the log it ends.
  ALTER TABLE alert_progress ADD COLUMN rule_id INTEGER;
  ALTER TABLE alert_progress ADD COLUMN until INTEGER;
  `,
  `
  -- How often a replay was asked for.
  ALTER TABLE channel ADD COLUMN replays INTEGER NOT NULL DEFAULT 0;
  `,
  `
  -- The deliveries that tell of a notification: their ids, with spaces in between.
  ALTER TABLE notification ADD COLUMN delivery_ids TEXT;
  `,
  `
  -- Links that a spreadsheet reads a CSV file from. They spend from a key, and go with it. Their
  -- signatures are made of a secret that is not in the store.
  CREATE TABLE sheet_link (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
    key_id INTEGER NOT NULL REFERENCES api_key ON DELETE CASCADE,
    name TEXT NOT NULL,
    content TEXT NOT NULL,
    handle TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    last_used_at INTEGER,
    -- What was spent through it on the last day on which it was used, for its owner to see.
    used_day INTEGER NOT NULL,
    used INTEGER NOT NULL
  );
  CREATE INDEX sheet_link_account ON sheet_link (account_id);
  CREATE INDEX sheet_link_key ON sheet_link (key_id);
  `,
  `
  -- How the day of purchase is known: 'known', 'assumed' or 'unknown'. Analytics ask for it, too.
  ALTER TABLE lot ADD COLUMN date_basis TEXT NOT NULL DEFAULT 'known';
  DROP INDEX lot_position;
  CREATE INDEX lot_position ON lot
    (account_id, set_key, condition, purchase_date, quantity, price_cents, date_basis,
      is_estimated);
  `,
  `
  -- Changes to many lots at once, with what takes them back, for a day.
  CREATE TABLE lot_edit (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    changed INTEGER NOT NULL,
    refused TEXT NOT NULL,
    undo TEXT NOT NULL
  );
  CREATE INDEX lot_edit_account ON lot_edit (account_id, id);
  CREATE INDEX lot_edit_at ON lot_edit (at);
  -- Lots in the order in which they were recorded.
  CREATE INDEX lot_account ON lot (account_id, id);
  -- Views of the inventory that somebody has named: the query of an address.
  CREATE TABLE saved_view (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
    name TEXT NOT NULL,
    query TEXT NOT NULL,
    is_default INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    UNIQUE (account_id, name)
  );
  `,
  `
  -- Files that owners sent, between being looked at and being imported; they end soon.
  CREATE TABLE import_draft (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
    name TEXT NOT NULL,
    content BLOB NOT NULL,
    result TEXT,
    expires_at INTEGER NOT NULL
  );
  CREATE INDEX import_draft_account ON import_draft (account_id);
  CREATE INDEX import_draft_end ON import_draft (expires_at);
  `,
  `
  -- What the units of each lot cost when they were sold: the parts of the cost of the sale.
  ALTER TABLE ledger_take ADD COLUMN cost_cents INTEGER;
  ${toSqlite(fillTakeCosts)}
  `,
];
