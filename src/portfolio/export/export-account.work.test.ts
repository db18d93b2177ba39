/** The export of an account has everything stored about it, in the units of its forms. */
import { expect, test } from 'bun:test';
import { formatInstant } from '../../kernel/time.ts';
import { tables } from '../../store/sql/tables.ts';
import { type AccountData, exportAccount } from './export-account.work.ts';

const now = Date.UTC(2026, 10, 15, 12);
const instant = formatInstant(now);

/** Fakes of paged queries: latest first by ID, and in order by sequence. */
const latestFirst =
  <T extends { readonly id: number }>(rows: readonly T[]) =>
  async (...given: readonly unknown[]) => {
    const { before, limit } = given.at(-1) as { before: number | null; limit: number };
    const known = rows.filter(({ id }) => before === null || id < before);
    return known.toSorted((a, b) => b.id - a.id).slice(0, limit);
  };
const inPlaces =
  <T extends { readonly sequence: number }>(rows: readonly T[]) =>
  async (_: number, { after, limit }: { readonly after: number; readonly limit: number }) =>
    rows.filter(({ sequence }) => sequence > after).slice(0, limit);

const nothing = {
  findAccount: async () => null,
  findClosed: async () => null,
  listAudit: async () => [],
  listEdits: async () => [],
  listImportDrafts: async () => [],
  findUsage: async () => ({ days: [], earlier: 0 }),
  findRegion: async () => ({ timeZone: 'Europe/Berlin', currency: 'EUR', locale: null }),
  findBuyingSettings: async () => ({
    share: 0.8,
    marginBasisPoints: 2_550,
    taxBasisPoints: 825,
    cashbackBasisPoints: 150,
    inboundCents: 4_99,
    moneyBasisPoints: 1_050,
    ownRates: [{ platform: 'ebay', basisPoints: 1_325, feeCents: 30 }],
    todayMinProfitCents: 10_00,
    todayMinRoiPercent: 15,
    todayMaxWaitDays: 365,
    hourCents: 22_50,
    secondsPerLot: 30,
    secondsPerPiece: 2,
  }),
  listBrickfolios: async () => [],
  listLots: inPlaces([]),
  listRecordedSales: inPlaces([]),
  listPredictions: inPlaces([]),
  pagePhotos: async () => [],
  listOwnFields: async () => [],
  listSavedViews: async () => [],
  findVisit: async () => null,
  listSkippedDeals: async () => [],
  listOwnBarcodes: async () => [],
  listBoxes: async () => [],
  pagePurchases: async () => ({ rows: [], total: 0 }),
  listWatchLists: async () => [],
  listWatchedItems: async () => [],
  listDeliveryChannels: async () => [],
  listDeliveries: latestFirst([]),
  listAccountNotices: async () => [],
  findAlertSettings: async () => ({ timeZone: 'UTC', quiet: null }),
  listAlertRules: async () => [],
  listNotifications: latestFirst([]),
  listKeys: async () => null,
  listEndpointUses: async () => [],
  listSheetLinks: async () => [],
  listShares: async () => [],
  listMemberships: async () => [],
  listPasskeys: async () => [],
  listIdentities: async () => [],
  listFailedSignIns: async () => [],
  listSessions: async () => [],
};

async function exported(change: object) {
  const portfolio = {
    accounts: { ...nothing, ...change },
    market: { findListedItems: async () => new Map() },
  } as unknown as AccountData;
  const pieces: string[] = [];
  const who = { accountId: 5, email: 'ann@example.com' };
  for await (const piece of exportAccount(portfolio, who, now)) pieces.push(piece);
  return JSON.parse(pieces.join(''));
}

/** The part of the export with the rows of each table of an account; a new table needs a row. */
const partsOfTables: Readonly<Record<string, string>> = {
  api_key: 'keys',
  sheet_link: 'spreadsheet_links',
  share: 'shares',
  usage: 'usage',
  endpoint_usage: 'usage_by_endpoint',
  brickfolio: 'brickfolios',
  lot: 'lots',
  lot_prediction: 'predictions',
  ledger_sale: 'sales',
  edit: 'recent_changes',
  photo: 'photos',
  own_field: 'own_fields',
  saved_view: 'saved_views',
  visit: 'last_visit',
  skipped_deal: 'skipped_deals',
  own_barcode: 'own_barcodes',
  // Only random IDs.
  sent_form: 'account',
  saved_box: 'saved_boxes',
  purchase: 'purchases',
  import_draft: 'uploaded_files',
  buying_settings: 'buying_settings',
  watch_list: 'watch_lists',
  watched_item: 'watched_items',
  session: 'sessions',
  // Only a hash, and when it expires.
  reset_link: 'account',
  sign_in_step: 'account',
  challenge: 'account',
  // Hashes and an encrypted secret.
  device: 'account',
  authenticator: 'account',
  recovery_code: 'account',
  passkey: 'passkeys',
  identity: 'identities',
  failed_sign_in: 'failed_sign_ins',
  channel: 'channels',
  account_notice: 'notices',
  alert_rule: 'alerts',
  // When an alert was last triggered by an item.
  alert_match: 'notifications',
  notification: 'notifications',
  alert_settings: 'alert_settings',
  audit: 'activity',
};

test('every table with rows of accounts is exported', async () => {
  const ofAccounts = Object.values(tables).filter(({ columns }) =>
    columns.some(({ name }) => name === 'account_id'),
  );
  const names = ofAccounts.map(({ name }) => name);
  expect(Object.keys(partsOfTables).sort()).toEqual(names.sort());
  const parts = Object.keys(await exported({}));
  for (const part of Object.values(partsOfTables)) expect(parts).toContain(part);
});

test('changes that can be undone, uploaded files and activity are exported', async () => {
  const undo = { kind: 'delete', lots: [{ id: 7 }] };
  const edit = { id: 4, at: now, kind: 'delete', changed: 1, undo: JSON.stringify(undo) };
  const content = new Uint8Array([1, 2, 3]);
  const entry = { id: 9, at: now, action: 'plan.changed', detail: 'free', network: null };
  const first = <Row>(rows: Row[]) => {
    return async (query: { readonly before: number | null }) => (query.before === null ? rows : []);
  };
  const all = await exported({
    listEdits: (_: number, page: { readonly before: number | null }) => first([edit])(page),
    listImportDrafts: async () => [{ id: 2, expiresAt: now }],
    findImportDraft: async () => ({ name: 'mine.csv', content, result: null }),
    listAudit: first([
      { ...entry, actor: 'account', actorId: 8 },
      { ...entry, actor: 'account', actorId: 5 },
      { ...entry, actor: 'machine', actorId: null },
      { ...entry, actor: 'service', actorId: null },
    ]),
  });
  expect(all.recent_changes).toEqual([{ at: instant, kind: 'delete', changed: 1, undo }]);
  const file = { name: 'mine.csv', expires_at: instant, content_gzip: 'AQID', result: null };
  expect(all.uploaded_files).toEqual([file]);
  const by = all.activity.map((row: { by: string }) => row.by);
  expect(by).toEqual(['operator', 'you', 'operator', 'service']);
  expect(Object.keys(all.activity[0])).toEqual(['at', 'by', 'action', 'detail', 'network']);
});

test('an empty account is exported with its settings', async () => {
  const empty = await exported({});
  expect(empty).toMatchObject({ exported_at: instant, account: null, calls_earlier: 0, keys: [] });
  expect(empty.buying_settings).toEqual({
    share: 0.8,
    margin_pct: 25.5,
    sales_tax_pct: 8.25,
    cashback_pct: 1.5,
    inbound_usd: 4.99,
    cost_of_money_pct: 10.5,
    own_rates: [{ platform: 'ebay', percent: 13.25, per_order_usd: 0.3 }],
    today_min_profit_usd: 10,
    today_min_roi_pct: 15,
    today_max_wait_days: 365,
    hour_usd: 22.5,
    seconds_per_lot: 30,
    seconds_per_piece: 2,
  });
  expect(empty.regional_settings).toEqual({
    time_zone: 'Europe/Berlin',
    currency: 'EUR',
    locale: null,
  });
  expect(empty.alert_settings).toEqual({ time_zone: 'UTC', quiet_from: null, quiet_until: null });
});

test('account, sessions and keys are exported without secrets', async () => {
  const account = { email: 'ann@example.com', plan: 'free', role: null, createdAt: now };
  const terms = { scopes: 15, networks: null, isTest: false, isLimited: false, old: null };
  const key = { id: 3, name: 'Sheet', prefix: 'bm_a', allowance: 100, createdAt: now, ...terms };
  const unused = { ...key, expiresAt: null, revokedAt: null, lastUsedAt: null };
  const used = {
    ...key,
    scopes: 5,
    networks: '203.0.113.7 ::1',
    isTest: true,
    isLimited: true,
    old: { prefix: 'bm_b', until: now, lastUsedAt: null },
    expiresAt: now + 1_000,
    revokedAt: now + 2_000,
    lastUsedAt: now + 3_000,
  };
  const link = { id: 4, name: 'Value', content: 'value', keyId: 3, createdAt: now };
  const all = await exported({
    findAccount: async () => ({ ...account, passwordHash: 'secret' }),
    findUsage: async (_: number, fromDay: number) => ({
      days: fromDay > 0 ? [] : [{ keyId: 3, day: 20_000, used: 7 }],
      earlier: 12,
    }),
    listKeys: async () => [unused, used],
    listEndpointUses: async () => [
      { day: 20_000, keyId: 3, endpoint: 'getSet', calls: 8, cost: 7, errors: 1 },
      { day: 20_000, keyId: 2, endpoint: 'getSet', calls: 1, cost: 1, errors: 0 },
    ],
    listSheetLinks: async () => [
      { ...link, lastUsedAt: null },
      { ...link, lastUsedAt: now },
    ],
    listPasskeys: async () => [{ name: 'Phone', createdAt: now, lastUsedAt: null, publicKey: 'x' }],
    listIdentities: async () => [
      { issuer: 'https://id.example.com', subject: 'ann', createdAt: now },
    ],
    listSessions: async () => [{ agent: 'Firefox', createdAt: now, lastSeenAt: now + 1_000 }],
  });
  expect(all.account).toEqual({
    email: 'ann@example.com',
    plan: 'free',
    is_operator: false,
    role: null,
    created_at: instant,
    deleted_at: null,
  });
  const identity = { issuer: 'https://id.example.com', subject: 'ann', created_at: instant };
  expect(all.identities).toEqual([identity]);
  const facts = { key_id: 3, name: 'Sheet', prefix: 'bm_a', allowance: 100, created_at: instant };
  expect(all.keys).toEqual([
    {
      ...facts,
      scopes: ['market', 'portfolio', 'sales', 'events'],
      networks: null,
      is_test: false,
      limited_by_operator: false,
      old_secret: null,
      expires_at: null,
      revoked_at: null,
      last_used_at: null,
    },
    {
      ...facts,
      scopes: ['market', 'sales'],
      networks: ['203.0.113.7', '::1'],
      is_test: true,
      limited_by_operator: true,
      old_secret: { prefix: 'bm_b', works_until: instant, last_used_at: null },
      expires_at: formatInstant(now + 1_000),
      revoked_at: formatInstant(now + 2_000),
      last_used_at: formatInstant(now + 3_000),
    },
  ]);
  const shown = { link_id: 4, name: 'Value', shows: 'value', key_id: 3, created_at: instant };
  expect(all.spreadsheet_links).toEqual([
    { ...shown, last_used_at: null },
    { ...shown, last_used_at: instant },
  ]);
  expect(all.usage).toEqual([{ key_id: 3, date: '2024-10-04', calls: 7 }]);
  expect(all.calls_earlier).toBe(12);
  const day = { date: '2024-10-04', endpoint: 'getSet' };
  const named = { key_id: 3, key_name: 'Sheet', key_prefix: 'bm_a' };
  const removed = { key_id: 2, key_name: null, key_prefix: null };
  expect(all.usage_by_endpoint).toEqual([
    { ...day, ...named, calls: 8, cost: 7, errors: 1 },
    { ...day, ...removed, calls: 1, cost: 1, errors: 0 },
  ]);
  expect(all.passkeys).toEqual([
    { name: 'Phone', created_at: new Date(now).toISOString(), last_used_at: null },
  ]);
  expect(all.sessions).toEqual([
    { agent: 'Firefox', created_at: instant, last_seen_at: formatInstant(now + 1_000) },
  ]);
});

test('watch lists are exported with their items', async () => {
  const item = { id: 1, listId: 1, kind: 'set', key: '1', number: '1-1', note: 'Soon' };
  const all = await exported({
    listWatchLists: async () => [
      { id: 1, name: 'Wanted', createdAt: now, items: 2 },
      { id: 2, name: 'Empty', createdAt: now, items: 0 },
    ],
    listWatchedItems: async (_: number, listId: number, { after }: { readonly after: number }) =>
      listId === 1 && after === 0
        ? [
            { ...item, targetCents: 49_99, addedAt: now },
            { ...item, targetCents: null, addedAt: now },
          ]
        : [],
    listOwnFields: async () => [{ id: 1, name: 'Buyer' }],
    listSavedViews: async () => [{ name: 'Sold', query: 'show=sold', isDefault: true }],
    listOwnBarcodes: async () => [
      { code: '0036000291452', setKey: '75192', firstScannedAt: now, lastScannedAt: now },
    ],
  });
  expect(all.watch_lists).toEqual([
    { name: 'Wanted', created_at: instant },
    { name: 'Empty', created_at: instant },
  ]);
  const row = { list: 'Wanted', item_type: 'set', number: '1-1', note: 'Soon', added_at: instant };
  expect(all.watched_items).toEqual([
    { ...row, target_usd: 49.99 },
    { ...row, target_usd: null },
  ]);
  expect(all.own_fields).toEqual([{ name: 'Buyer' }]);
  expect(all.saved_views).toEqual([{ name: 'Sold', query: 'show=sold', is_default: true }]);
  const scans = { first_scanned_at: instant, last_scanned_at: instant };
  expect(all.own_barcodes).toEqual([{ barcode: '036000291452', set: '75192', ...scans }]);
});

test('saved boxes are exported with their rows', async () => {
  const row = { text: '100 used', kind: 'set', number: '100', problem: null, condition: 'used' };
  const said = { grade: 'complete', quantity: 2, priceCents: 10_50, maxCents: null, ignored: '' };
  const facts = { id: 3, name: 'Attic', askCents: 90_00, valueCents: 120_00, maxCents: null };
  const box = { ...facts, boughtAs: null, createdAt: now, changedAt: now + 1_000 };
  const all = await exported({
    listBoxes: async () => [box, { ...box, id: 4 }],
    // The second one was removed meanwhile.
    findBox: async (_: number, id: number) =>
      id === 3 ? { ...box, rows: [{ ...row, ...said }], terms: { share: 0.8 } } : null,
  });
  expect(all.saved_boxes).toEqual([
    {
      name: 'Attic',
      asking_usd: 90,
      value_usd: 120,
      max_bid_usd: null,
      bought_as: null,
      created_at: instant,
      changed_at: formatInstant(now + 1_000),
      items: [
        {
          text: '100 used',
          item_type: 'set',
          number: '100',
          condition: 'used',
          grade: 'complete',
          quantity: 2,
          price_usd: 10.5,
          max_usd: null,
        },
      ],
      terms: { share: 0.8 },
    },
  ]);
});

test('purchases are exported, over all pages', async () => {
  const returned = { date: '2026-11-02', units: 1, costCents: 20_00, refundCents: 18_50 };
  const purchase = {
    id: 3,
    sourceId: 'web:p',
    store: 'Corner shop',
    purchaseDate: '2026-11-01',
    totalCents: 99_99,
    taxCents: 8_00,
    shippingCents: 0,
    prices: { 'set 100 sealed': 45_00 },
    returns: [{ ...returned, items: '100' }],
    createdAt: now,
    units: 3,
  };
  const all = await exported({
    pagePurchases: async (_: number, { offset }: { readonly offset: number }) => ({
      rows:
        offset === 0
          ? [purchase]
          : [{ ...purchase, store: null, returns: [] }].slice(offset - 1, 1),
      total: 2,
    }),
  });
  expect(all.purchases).toHaveLength(2);
  expect(all.purchases[0]).toEqual({
    source_id: 'web:p',
    store: 'Corner shop',
    purchase_date: '2026-11-01',
    total_usd: 99.99,
    tax_usd: 8,
    shipping_usd: 0,
    prices_usd: { 'set 100 sealed': 45 },
    returns: [{ date: '2026-11-02', units: 1, cost_usd: 20, refund_usd: 18.5, items: '100' }],
    created_at: instant,
  });
});

test('alerts are exported with their scope and quiet hours', async () => {
  const rule = {
    id: 1,
    name: 'Cheap',
    channelIds: [2],
    repeatDays: 3,
    digest: 'daily',
    dailyCap: 20,
    isOn: true,
    createdAt: now,
  };
  const rules = [
    { scope: { kind: 'list', listId: 8 }, condition: { kind: 'price_target' } },
    { scope: { kind: 'theme', theme: 'Town' }, condition: { kind: 'price_amount', cents: 49_99 } },
    { scope: { kind: 'all' }, condition: { kind: 'value_up', percent: 12.5 } },
    { scope: { kind: 'list', listId: 9 }, condition: { kind: 'flip', to: 'retailer' } },
  ].map((facts) => ({ ...rule, ...facts }));
  const all = await exported({
    listWatchLists: async () => [{ id: 8, name: 'Wanted', createdAt: now, items: 0 }],
    listAlertRules: async () => rules,
    findAlertSettings: async () => ({
      timeZone: 'Europe/Paris',
      quiet: { from: 22 * 60 + 5, until: 7 * 60 },
    }),
  });
  expect(all.alert_settings).toEqual({
    time_zone: 'Europe/Paris',
    quiet_from: '22:05',
    quiet_until: '07:00',
  });
  expect(all.alerts[0]).toEqual({
    alert_id: 1,
    name: 'Cheap',
    scope: 'list',
    list: 'Wanted',
    theme: null,
    condition: 'price_target',
    usd: null,
    percent: null,
    to: null,
    channel_ids: [2],
    repeat_days: 3,
    digest: 'daily',
    daily_limit: 20,
    is_on: true,
    created_at: instant,
  });
  const about = ['list', 'theme', 'usd', 'percent', 'to'];
  const facts = all.alerts.map((each: Record<string, unknown>) => about.map((name) => each[name]));
  expect(facts.slice(1)).toEqual([
    [null, 'Town', 49.99, null, null],
    [null, null, null, 12.5, null],
    [null, null, null, null, 'retailer'],
  ]);
});

test('predictions, deliveries and notifications are exported, over all pages', async () => {
  const predictions = Array.from({ length: 4_001 }, (_, index) => ({
    sequence: index + 1,
    lot: `lot-${index}`,
    at: now,
    condition: 'sealed',
    valueCents: 150_50,
    netHalfCents: 120_25,
    netSafeCents: 99_75,
    channel: 'ebay',
    waitDays: 7.5,
  }));
  const deliveries = Array.from({ length: 1_001 }, (_, index) => ({
    id: index + 1,
    channelId: 2,
    messageId: `m${index}`,
    type: 'alert',
    at: now,
    state: 'sent',
    tries: 1,
    triedAt: index === 0 ? null : now,
    answerStatus: 200,
    answer: 'ok',
    body: 'https://b.example/alerts/end/secret-token',
  }));
  const notifications = Array.from({ length: 1_001 }, (_, index) => ({
    id: index + 1,
    ruleId: 1,
    ruleName: 'Cheap',
    at: now,
    itemKind: 'set',
    number: String(index),
    title: 'Castle',
    retailer: null,
    reason: 'It is cheap',
    state: 'sent',
    dueAt: now + 1_000,
  }));
  const channel = { id: 2, accountId: 5, kind: 'webhook', name: 'Shop', createdAt: now };
  const state = { state: 'off', stateReason: 'Gone', address: 'sealed', notices: ['bulk.ready'] };
  const all = await exported({
    listPredictions: inPlaces(predictions),
    listDeliveryChannels: async () => [
      { ...channel, ...state, subscription: { kinds: ['retail.price'], scope: 'watch' } },
      { ...channel, ...state, id: 3, subscription: null },
    ],
    listDeliveries: (account: number, id: number, options: object) =>
      latestFirst(id === 2 ? deliveries : [])(account, id, options),
    listNotifications: latestFirst(notifications),
  });
  expect(all.predictions).toHaveLength(4_001);
  expect(all.predictions.at(-1)).toEqual({
    lot: 'lot-4000',
    predicted_at: instant,
    condition: 'sealed',
    value_usd: 150.5,
    net_half_usd: 120.25,
    net_safe_usd: 99.75,
    channel: 'ebay',
    wait_days: 7.5,
  });
  const facts = { kind: 'webhook', name: 'Shop', state: 'off', state_reason: 'Gone' };
  expect(all.channels).toEqual([
    {
      channel_id: 2,
      ...facts,
      event_kinds: ['retail.price'],
      event_scope: 'watch',
      notice_kinds: ['bulk.ready'],
      created_at: instant,
    },
    {
      channel_id: 3,
      ...facts,
      event_kinds: [],
      event_scope: null,
      notice_kinds: ['bulk.ready'],
      created_at: instant,
    },
  ]);
  expect(all.deliveries).toHaveLength(1_001);
  expect(all.deliveries[0]).toEqual({
    channel_id: 2,
    message_id: 'm1000',
    type: 'alert',
    added_at: instant,
    state: 'sent',
    tries: 1,
    tried_at: instant,
    answer_status: 200,
    answer: 'ok',
    body: 'https://b.example/alerts/end/…',
  });
  expect(all.deliveries.at(-1).tried_at).toBeNull();
  expect(all.notifications).toHaveLength(1_001);
  expect(all.notifications[0]).toEqual({
    alert_id: 1,
    alert: 'Cheap',
    at: instant,
    item_type: 'set',
    number: '1000',
    title: 'Castle',
    retailer: null,
    reason: 'It is cheap',
    state: 'sent',
    due_at: formatInstant(now + 1_000),
  });
});
