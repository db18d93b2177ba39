/** The tables of `accounts.db`. */

/** The schema of version 0.9.0. IDs are never reused, because people write them down. */
const schema = `
  CREATE TABLE account (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    email TEXT NOT NULL,
    email_key TEXT NOT NULL UNIQUE,
    password_hash TEXT,
    plan TEXT NOT NULL,
    -- 'admin', 'operator' or 'support' of the site; null for everybody else.
    role TEXT,
    created_at INTEGER NOT NULL,
    -- Increases with every change of the account's private data.
    private_version INTEGER NOT NULL DEFAULT 0,
    -- Calls on days whose usage has been deleted.
    calls_earlier INTEGER NOT NULL DEFAULT 0,
    -- When it was closed; it is erased some days later, unless it is restored.
    closed_at INTEGER,
    -- Regional settings; null if not chosen.
    time_zone TEXT,
    currency TEXT,
    locale TEXT
  );
  CREATE INDEX account_closed ON account (closed_at) WHERE closed_at IS NOT NULL;
  -- Who is signed in, and links to set a password. Only hashes of their tokens are stored.
  CREATE TABLE session (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
    token_hash BLOB NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    last_seen_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    agent TEXT NOT NULL,
    -- How it began: password, code, passkey or provider.
    method TEXT NOT NULL
  );
  CREATE INDEX session_account ON session (account_id);
  CREATE INDEX session_expiry ON session (expires_at);
  CREATE TABLE reset_link (
    account_id INTEGER PRIMARY KEY REFERENCES account ON DELETE CASCADE,
    token_hash BLOB NOT NULL UNIQUE,
    expires_at INTEGER NOT NULL
  );
  CREATE INDEX reset_link_expiry ON reset_link (expires_at);
  -- Attempts to sign in and the like since an instant. Keys are hashes.
  CREATE TABLE tries (
    key TEXT PRIMARY KEY,
    since INTEGER NOT NULL,
    count INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX tries_since ON tries (since);
  -- Browsers that signed in before, which strangers' wrong passwords do not lock out.
  CREATE TABLE device (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
    token_hash BLOB NOT NULL,
    last_used_at INTEGER NOT NULL,
    UNIQUE (account_id, token_hash)
  );
  CREATE INDEX device_use ON device (last_used_at);
  -- Authenticator apps. Their secrets are encrypted with a key that is not in the store.
  CREATE TABLE authenticator (
    account_id INTEGER PRIMARY KEY REFERENCES account ON DELETE CASCADE,
    secret BLOB NOT NULL,
    created_at INTEGER NOT NULL,
    -- The time step of the last code, which is not accepted again; null until one was typed.
    last_step INTEGER
  );
  CREATE TABLE recovery_code (
    account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
    hash BLOB NOT NULL,
    PRIMARY KEY (account_id, hash)
  ) WITHOUT ROWID;
  -- Sign-ins that wait for a code.
  CREATE TABLE sign_in_step (
    token_hash BLOB PRIMARY KEY,
    account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
    expires_at INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX sign_in_step_account ON sign_in_step (account_id);
  CREATE INDEX sign_in_step_expiry ON sign_in_step (expires_at);
  CREATE TABLE passkey (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
    name TEXT NOT NULL,
    credential_id TEXT NOT NULL UNIQUE,
    public_key BLOB NOT NULL,
    counter INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    last_used_at INTEGER
  );
  CREATE INDEX passkey_account ON passkey (account_id);
  -- Hashes of what passkeys are asked to sign, each once; the account is null for sign-ins.
  CREATE TABLE challenge (
    hash BLOB PRIMARY KEY,
    account_id INTEGER REFERENCES account ON DELETE CASCADE,
    expires_at INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX challenge_account ON challenge (account_id);
  CREATE INDEX challenge_expiry ON challenge (expires_at);
  -- Accounts of an identity provider that sign in to an account.
  CREATE TABLE identity (
    issuer TEXT NOT NULL,
    subject TEXT NOT NULL,
    account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (issuer, subject),
    UNIQUE (account_id, issuer)
  ) WITHOUT ROWID;
  -- Links that create an account; that of the first operator is void once there is an operator.
  CREATE TABLE invitation (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    token_hash BLOB NOT NULL UNIQUE,
    plan TEXT NOT NULL,
    is_operator INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
  );
  CREATE INDEX invitation_expiry ON invitation (expires_at);
  -- What operators say on the status page.
  CREATE TABLE notice (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    severity TEXT NOT NULL,
    title TEXT NOT NULL,
    text TEXT NOT NULL,
    from_at INTEGER NOT NULL,
    until_at INTEGER
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
    revoked_at INTEGER,
    -- One of the account's five places for keys; usage is counted by place.
    place INTEGER NOT NULL,
    -- What other keys had used in the place on the day this one was created, before it was.
    used_before INTEGER NOT NULL,
    -- The last use of a key that lost its place, or whose usage has been deleted.
    last_used_at INTEGER,
    -- What the key may be used for, as bits; 15 is everything.
    scopes INTEGER NOT NULL DEFAULT 15,
    -- How many mails before its end were sent, or were not needed when it was created.
    warned INTEGER NOT NULL DEFAULT 0,
    -- The only networks that it may be used from, separated by spaces; null: everywhere.
    networks TEXT,
    -- The earlier secret of a rolled key, which works for a day more.
    old_hash BLOB UNIQUE,
    old_prefix TEXT,
    old_until INTEGER,
    old_used_at INTEGER,
    -- A test key gets fixed data at no cost.
    is_test INTEGER NOT NULL DEFAULT 0,
    -- An operator limited it: its owner cannot change its access, or let it end later.
    is_limited INTEGER NOT NULL DEFAULT 0
  );
  CREATE INDEX api_key_expiry ON api_key (expires_at) WHERE expires_at IS NOT NULL;
  CREATE INDEX api_key_account ON api_key (account_id);
  CREATE TABLE usage (
    account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
    place INTEGER NOT NULL,
    day INTEGER NOT NULL,
    used INTEGER NOT NULL,
    last_at INTEGER NOT NULL,
    -- The key that was used last; it may have been deleted.
    key_id INTEGER NOT NULL,
    PRIMARY KEY (account_id, place, day)
  ) WITHOUT ROWID;
  CREATE INDEX usage_day ON usage (day);
  -- Calls by endpoint and key, saved every few minutes; the counts above are exact.
  CREATE TABLE endpoint_usage (
    account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
    day INTEGER NOT NULL,
    -- It may have been deleted.
    key_id INTEGER NOT NULL,
    endpoint TEXT NOT NULL,
    calls INTEGER NOT NULL,
    cost INTEGER NOT NULL,
    errors INTEGER NOT NULL,
    PRIMARY KEY (account_id, day, key_id, endpoint)
  ) WITHOUT ROWID;
  CREATE INDEX endpoint_usage_day ON endpoint_usage (day);
  -- One row, written now and then to test whether the file can be written to.
  CREATE TABLE heartbeat (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    at INTEGER NOT NULL
  );
  -- Links to CSV files for spreadsheets. They use the quota of a key, and are deleted with it.
  -- Their signatures are made with a secret that is not in the store.
  CREATE TABLE sheet_link (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
    key_id INTEGER NOT NULL REFERENCES api_key ON DELETE CASCADE,
    name TEXT NOT NULL,
    content TEXT NOT NULL,
    handle TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    last_used_at INTEGER,
    -- Calls on the last day the link was used, to show to its owner.
    used_day INTEGER NOT NULL,
    used INTEGER NOT NULL
  );
  CREATE INDEX sheet_link_account ON sheet_link (account_id);
  CREATE INDEX sheet_link_key ON sheet_link (key_id);

  CREATE TABLE brickfolio (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
    name TEXT NOT NULL,
    description TEXT,
    is_default INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    UNIQUE (account_id, name)
  );
  -- A lot stays as it was bought; sales refer to the units they took.
  CREATE TABLE lot (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
    source_id TEXT NOT NULL,
    brickfolio_id INTEGER NOT NULL REFERENCES brickfolio ON DELETE CASCADE,
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    number TEXT NOT NULL,
    quantity INTEGER NOT NULL,
    condition TEXT NOT NULL,
    price_cents INTEGER NOT NULL,
    -- Whether the price is a guess, because it is not known what was paid.
    is_estimated INTEGER NOT NULL,
    purchase_date TEXT NOT NULL,
    -- Whether the purchase date is 'known', 'assumed' or 'unknown'.
    date_basis TEXT NOT NULL,
    status TEXT NOT NULL,
    -- The sum of its takes, so that a sale finds what is left without adding them up.
    sold INTEGER NOT NULL DEFAULT 0 CHECK (sold BETWEEN 0 AND quantity),
    -- What the owner knows about the units; null if nothing.
    grade TEXT,
    notes TEXT,
    tags TEXT,
    place TEXT,
    bought_at TEXT,
    asking_cents INTEGER,
    listed_at TEXT,
    listing_url TEXT,
    -- Values by the names in own_field, as a JSON object.
    own_fields TEXT,
    UNIQUE (account_id, source_id)
  );
  CREATE INDEX lot_account ON lot (account_id, id);
  -- To delete all lots of a brickfolio, sold out or not.
  CREATE INDEX lot_brickfolio ON lot (brickfolio_id);
  -- What a sale can take units from.
  CREATE INDEX lot_open ON lot (account_id, kind, key, condition, purchase_date, id)
    WHERE sold < quantity;
  -- The orders in which the API's version 1 lists lots; it knows only sets.
  CREATE INDEX lot_entry ON lot (account_id, purchase_date DESC, id)
    WHERE sold < quantity AND kind = 'set';
  CREATE INDEX lot_entry_brickfolio ON lot (brickfolio_id, purchase_date DESC, id)
    WHERE sold < quantity AND kind = 'set';
  -- All columns that analytics reads, in the order in which it reads lots.
  CREATE INDEX lot_position ON lot
    (account_id, kind, key, condition, grade, purchase_date, quantity, price_cents, date_basis,
      is_estimated);
  -- Whose alerts concern an item.
  CREATE INDEX lot_item ON lot (kind, key) WHERE sold < quantity;
  -- Lots for sale, those listed longest first.
  CREATE INDEX lot_listed ON lot (account_id, listed_at, id)
    WHERE status = 'listed' AND sold < quantity;
  -- Fields of lots that the account named itself.
  CREATE TABLE own_field (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
    name TEXT NOT NULL,
    UNIQUE (account_id, name)
  );
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
  CREATE TABLE ledger_sale (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
    source_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    key TEXT NOT NULL,
    number TEXT NOT NULL,
    condition TEXT NOT NULL,
    platform TEXT NOT NULL,
    sale_date TEXT NOT NULL,
    quantity INTEGER NOT NULL,
    gross_cents INTEGER NOT NULL,
    platform_fees_cents INTEGER NOT NULL,
    payment_fees_cents INTEGER NOT NULL,
    shipping_cents INTEGER NOT NULL,
    cost_cents INTEGER NOT NULL,
    -- The sale as it was given, to recognize it when it is imported again unchanged.
    given TEXT NOT NULL,
    UNIQUE (account_id, source_id)
  );
  CREATE INDEX ledger_sale_date ON ledger_sale (account_id, sale_date DESC, id, kind);
  CREATE INDEX ledger_sale_item ON ledger_sale (account_id, kind, key);
  -- The units that a sale took from a lot.
  CREATE TABLE ledger_take (
    sale_id INTEGER NOT NULL REFERENCES ledger_sale ON DELETE CASCADE,
    lot_id INTEGER NOT NULL REFERENCES lot ON DELETE CASCADE,
    quantity INTEGER NOT NULL,
    -- Their share of the cost of the sale.
    cost_cents INTEGER NOT NULL,
    PRIMARY KEY (sale_id, lot_id)
  ) WITHOUT ROWID;
  CREATE INDEX ledger_take_lot ON ledger_take (lot_id);
  -- Changes of many lots at once, with what is needed to undo them within a day.
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
  -- Photos of lots. Without a lot, they belong to a change that can restore it; without either,
  -- they are deleted soon, a few at a time.
  CREATE TABLE photo (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
    lot_id INTEGER REFERENCES lot ON DELETE SET NULL,
    edit_id INTEGER REFERENCES lot_edit ON DELETE SET NULL,
    position INTEGER NOT NULL,
    width INTEGER NOT NULL,
    height INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    hash TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    UNIQUE (lot_id, hash)
  );
  CREATE INDEX photo_account ON photo (account_id, id);
  CREATE INDEX photo_edit ON photo (edit_id, lot_id);
  CREATE TABLE photo_picture (
    photo_id INTEGER PRIMARY KEY REFERENCES photo ON DELETE CASCADE,
    thumb BLOB NOT NULL,
    content BLOB NOT NULL
  );
  -- Named views of the inventory, as the query of their address.
  CREATE TABLE saved_view (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
    name TEXT NOT NULL,
    query TEXT NOT NULL,
    is_default INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    UNIQUE (account_id, name)
  );
  -- Purchases of several items with one receipt. Source ids of their lots begin with theirs.
  CREATE TABLE purchase (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
    source_id TEXT NOT NULL,
    store TEXT,
    purchase_date TEXT NOT NULL,
    total_cents INTEGER NOT NULL,
    tax_cents INTEGER NOT NULL,
    shipping_cents INTEGER NOT NULL,
    -- Prices of items on the receipt, and units that went back, as JSON.
    prices TEXT NOT NULL,
    returns TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    UNIQUE (account_id, source_id)
  );
  CREATE INDEX purchase_date ON purchase (account_id, purchase_date, id);
  -- Boxes that an account evaluates. Contents and terms are JSON.
  CREATE TABLE saved_box (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
    name TEXT NOT NULL,
    contents TEXT NOT NULL,
    ask_cents INTEGER,
    terms TEXT NOT NULL,
    value_cents INTEGER,
    max_cents INTEGER,
    -- The source ID of the purchase that it became.
    bought_as TEXT,
    created_at INTEGER NOT NULL,
    changed_at INTEGER NOT NULL
  );
  CREATE INDEX saved_box_account ON saved_box (account_id, changed_at);
  -- A collection or box that others may read: with a link, or as a member once the invitation was
  -- accepted. Revoking deletes the row.
  CREATE TABLE share (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
    brickfolio_id INTEGER REFERENCES brickfolio ON DELETE CASCADE,
    box_id INTEGER REFERENCES saved_box ON DELETE CASCADE,
    with_costs INTEGER NOT NULL,
    -- Of a link; the invited address until the invitation is accepted.
    name TEXT NOT NULL,
    -- SHA-256 of the token of the link or the invitation.
    token_hash BLOB UNIQUE,
    -- When the invitation expires; null for links, and once it was accepted.
    accept_until INTEGER,
    member_id INTEGER REFERENCES account ON DELETE CASCADE,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    last_used_at INTEGER
  );
  CREATE INDEX share_account ON share (account_id);
  CREATE INDEX share_member ON share (member_id);
  CREATE INDEX share_brickfolio ON share (brickfolio_id);
  CREATE INDEX share_box ON share (box_id);
  -- Uploaded files that have not been imported yet. Deleted soon.
  CREATE TABLE import_draft (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
    name TEXT NOT NULL,
    content BLOB NOT NULL,
    result TEXT,
    expires_at INTEGER NOT NULL,
    -- The page that imports it, without the ID.
    path TEXT NOT NULL,
    -- The owner's corrections of rows, as JSON.
    corrections TEXT
  );
  CREATE INDEX import_draft_account ON import_draft (account_id);
  CREATE INDEX import_draft_end ON import_draft (expires_at);
  -- How an account buys and sells. Its own rates on platforms are JSON.
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

  -- Sets and minifigs that an account watches, whether it holds them or not.
  CREATE TABLE watch_list (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
    name TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    UNIQUE (account_id, name)
  );
  -- Keys stay as they were when the item was added; the market knows what became of them.
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
  CREATE INDEX watched_item_key ON watched_item (kind, key);

  -- Where an account is notified. Addresses and secrets are encrypted.
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
    -- When to look for deliveries to send; null: there are none.
    next_at INTEGER,
    -- The kinds of events that it receives, separated by commas.
    kinds TEXT,
    scope TEXT,
    -- How far in the event log it has been sent.
    position INTEGER,
    created_at INTEGER NOT NULL,
    -- The kinds of notices about the account that it receives, separated by commas.
    notices TEXT,
    -- How far in the notices it has been sent.
    notice_position INTEGER
  );
  CREATE INDEX channel_account ON channel (account_id);
  CREATE INDEX channel_next ON channel (next_at) WHERE next_at IS NOT NULL;
  CREATE INDEX channel_position ON channel (position) WHERE position IS NOT NULL;
  -- Notices about an account, or about all of them.
  CREATE TABLE account_notice (
    position INTEGER PRIMARY KEY,
    account_id INTEGER REFERENCES account ON DELETE CASCADE,
    kind TEXT NOT NULL,
    -- Identifies the occasion.
    name TEXT NOT NULL UNIQUE,
    at INTEGER NOT NULL,
    -- Details as JSON.
    body TEXT NOT NULL
  );
  CREATE INDEX account_notice_account ON account_notice (account_id, position);
  CREATE INDEX account_notice_at ON account_notice (at);
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
  -- To count what waits, and find since when, without reading it.
  CREATE INDEX delivery_waiting_at ON delivery (at) WHERE state = 'waiting';
  CREATE INDEX delivery_ended ON delivery (at) WHERE state <> 'waiting';
  CREATE TABLE delivery_tally (
    kind TEXT NOT NULL,
    outcome TEXT NOT NULL,
    count INTEGER NOT NULL,
    PRIMARY KEY (kind, outcome)
  ) WITHOUT ROWID;
  -- Which process sends deliveries, while it renews its lease.
  CREATE TABLE lease (
    name TEXT PRIMARY KEY,
    holder TEXT NOT NULL,
    until INTEGER NOT NULL
  ) WITHOUT ROWID;

  -- Alerts. Which columns are null depends on the scope and the condition.
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
    -- When the rule was last saved or turned on, and the end of the event log then: earlier events
    -- do not trigger it.
    since INTEGER NOT NULL,
    position INTEGER NOT NULL,
    created_at INTEGER NOT NULL
  );
  CREATE INDEX alert_rule_account ON alert_rule (account_id);
  CREATE INDEX alert_rule_list ON alert_rule (list_id) WHERE list_id IS NOT NULL;
  CREATE INDEX alert_rule_theme ON alert_rule (theme) WHERE theme IS NOT NULL;
  CREATE INDEX alert_rule_on ON alert_rule (position) WHERE is_on;
  CREATE INDEX alert_rule_all ON alert_rule (scope) WHERE is_on;
  CREATE TABLE alert_rule_channel (
    rule_id INTEGER NOT NULL REFERENCES alert_rule ON DELETE CASCADE,
    channel_id INTEGER NOT NULL REFERENCES channel ON DELETE CASCADE,
    PRIMARY KEY (rule_id, channel_id)
  ) WITHOUT ROWID;
  CREATE INDEX alert_rule_channel_channel ON alert_rule_channel (channel_id);
  -- The items for which a rule has triggered. Changes of a value are measured from the base. The
  -- retailer is empty if the rule is not about one.
  CREATE TABLE alert_match (
    item_kind TEXT NOT NULL,
    item_key TEXT NOT NULL,
    rule_id INTEGER NOT NULL REFERENCES alert_rule ON DELETE CASCADE,
    retailer TEXT NOT NULL,
    account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
    reported_at INTEGER NOT NULL,
    base_cents INTEGER,
    PRIMARY KEY (item_kind, item_key, rule_id, retailer)
  ) WITHOUT ROWID;
  CREATE INDEX alert_match_rule ON alert_match (rule_id);
  CREATE INDEX alert_match_account ON alert_match (account_id);
  -- Alerts that triggered, sent or not. The token turns the rule off; only its hash is stored.
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
    token_hash BLOB,
    -- The IDs of its deliveries, separated by spaces.
    delivery_ids TEXT
  );
  CREATE INDEX notification_account ON notification (account_id, id);
  CREATE INDEX notification_rule ON notification (rule_id, at) WHERE rule_id IS NOT NULL;
  CREATE INDEX notification_at ON notification (at);
  CREATE INDEX notification_due ON notification (due_at) WHERE state = 'waiting';
  CREATE INDEX notification_token ON notification (token_hash) WHERE token_hash IS NOT NULL;
  -- When an account was last seen, when its visit before that ended, and the last alert it saw.
  CREATE TABLE visit (
    account_id INTEGER PRIMARY KEY REFERENCES account ON DELETE CASCADE,
    seen_at INTEGER NOT NULL,
    before_at INTEGER,
    alert_id INTEGER NOT NULL
  );
  -- Deals that an account does not want to see at this price or a higher one.
  CREATE TABLE skipped_deal (
    account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
    set_key TEXT NOT NULL,
    price_cents INTEGER NOT NULL,
    skipped_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, set_key)
  ) WITHOUT ROWID;
  -- Barcodes that an account scanned and no set had, with the set that the account chose.
  CREATE TABLE own_barcode (
    account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
    code TEXT NOT NULL,
    set_key TEXT,
    first_scanned_at INTEGER NOT NULL,
    last_scanned_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, code)
  ) WITHOUT ROWID;
  -- Entries that devices made without a network and that were applied, so that none is applied
  -- twice.
  CREATE TABLE device_entry (
    account_id INTEGER NOT NULL REFERENCES account ON DELETE CASCADE,
    id TEXT NOT NULL,
    applied_at INTEGER NOT NULL,
    PRIMARY KEY (account_id, id)
  ) WITHOUT ROWID;
  CREATE INDEX device_entry_applied_at ON device_entry (applied_at);
  -- Quiet hours are minutes of the day in the time zone of the account.
  CREATE TABLE alert_settings (
    account_id INTEGER PRIMARY KEY REFERENCES account ON DELETE CASCADE,
    quiet_from INTEGER,
    quiet_until INTEGER
  );
  -- How far alerts have been evaluated: in the event log, and in the daily check of all items.
  CREATE TABLE alert_progress (
    name TEXT PRIMARY KEY,
    position INTEGER NOT NULL,
    key TEXT,
    -- A step in progress: the last rule that is done, and where in the log the step ends.
    rule_id INTEGER,
    until INTEGER
  ) WITHOUT ROWID;

  -- Who did what to which account. Entries outlive the accounts. They are never changed or deleted,
  -- except that networks are removed.
  CREATE TABLE audit (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    actor TEXT NOT NULL,
    actor_id INTEGER,
    action TEXT NOT NULL,
    account_id INTEGER,
    detail TEXT NOT NULL,
    network TEXT
  );
  CREATE INDEX audit_account ON audit (account_id, id);
  CREATE INDEX audit_network ON audit (at) WHERE network IS NOT NULL;
  CREATE TRIGGER audit_update BEFORE UPDATE ON audit
    WHEN NEW.network IS NOT NULL
      OR (NEW.id, NEW.at, NEW.actor, NEW.actor_id, NEW.action, NEW.account_id, NEW.detail)
        IS NOT (OLD.id, OLD.at, OLD.actor, OLD.actor_id, OLD.action, OLD.account_id, OLD.detail)
    BEGIN SELECT RAISE(ABORT, 'The audit log is append-only.'); END;
  CREATE TRIGGER audit_delete BEFORE DELETE ON audit
    BEGIN SELECT RAISE(ABORT, 'The audit log is append-only.'); END;
  -- INSERT OR REPLACE would delete without that trigger.
  CREATE TRIGGER audit_replace BEFORE INSERT ON audit
    WHEN EXISTS (SELECT 1 FROM audit WHERE id = NEW.id)
    BEGIN SELECT RAISE(ABORT, 'The audit log is append-only.'); END;
`;

/** One entry per schema version. Append to it; never change a released entry. */
export const accountMigrations: readonly string[] = [schema];
