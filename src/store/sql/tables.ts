/**
 * All tables and columns of both engines, for statements and for `move`. Tables come after those
 * they refer to. A test compares this list with both databases.
 */
import type { FileName } from '../sqlite/files.ts';

/** SQLite stores booleans as 0 and 1. */
export type ColumnType = 'integer' | 'boolean' | 'double' | 'text' | 'bytes';

export interface Column {
  readonly name: string;
  readonly type: ColumnType;
}

export interface Table {
  readonly file: FileName;
  readonly name: string;
  /** The PostgreSQL name with the schema. */
  readonly target: string;
  /** The columns of the primary key; rows are moved in this order. */
  readonly key: readonly string[];
  readonly columns: readonly Column[];
}

type Names = Partial<Readonly<Record<ColumnType, string>>>;

/** `key` and the names of each type are separated by spaces. */
function describe(file: FileName, target: string, key: string, names: Names): Table {
  const [, name = ''] = target.split('.');
  const columns = Object.entries(names).flatMap(([type, list]) =>
    list.split(/\s+/).map((column) => ({ name: column, type: type as ColumnType })),
  );
  return { file, name, target, key: key.split(' '), columns };
}

const fieldsByColumn = new Map<string, string>();

/** The field of a column: `priceCents` for `price_cents`. */
export function fieldOf(column: string): string {
  const known = fieldsByColumn.get(column);
  if (known !== undefined) return known;
  const field = column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  fieldsByColumn.set(column, field);
  return field;
}

export function columnOf(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The fields of a table, except for some. */
export function fieldsOf(table: Table, but: readonly string[] = []): string[] {
  return table.columns.map(({ name }) => fieldOf(name)).filter((field) => !but.includes(field));
}

/**
 * The columns of a table, or some of them, selected under the names of their fields. Integers are
 * cast to doubles: the PostgreSQL client returns 64-bit integers as text, which takes longer to
 * convert. Booleans are cast so that the SQLite engine recognizes them. An ORDER BY must name the
 * table, as in `lot.id`: a plain `id` is the double, which has no index.
 */
export function columnsOf(table: Table, alias: string, fields?: readonly string[]): string {
  return table.columns
    .filter(({ name }) => fields === undefined || fields.includes(fieldOf(name)))
    .map(({ name, type }) => {
      const cast = casts[type] ?? '';
      return `${alias}.${name}${cast} AS "${fieldOf(name)}"`;
    })
    .join(', ');
}

const casts: Partial<Record<ColumnType, string>> = { integer: '::float8', boolean: '::boolean' };

/** Whether two rows are equal in some fields; undefined equals null. */
export function isSameRow(fields: readonly string[], a: object, b: object): boolean {
  const [first, second] = [a as Record<string, unknown>, b as Record<string, unknown>];
  for (const field of fields) {
    if ((first[field] ?? null) !== (second[field] ?? null)) return false;
  }
  return true;
}

const market = (target: string, key: string, names: Names) =>
  describe('market.db', target, key, names);

const accounts = (name: string, key: string, names: Names) =>
  describe('accounts.db', `private.${name}`, key, names);

const marketTables = {
  meta: market('published.meta', 'name', { text: 'name', integer: 'value' }),
  item: market('published.item', 'id', {
    integer: 'id version published_version due_at part_of valued_as',
    text: 'kind key number',
  }),
  alias: market('published.alias', 'key item_id source', {
    text: 'key source',
    integer: 'item_id',
  }),
  document: market('published.document', 'item_id', {
    integer: 'item_id stamp',
    text: 'kind key body',
  }),
  listing: market('published.listing', 'item_id', {
    integer: 'item_id new_cents used_cents minifigs_count year interest',
    text:
      'kind key number name theme search_row upc_key ean_key item_class ' +
      'other_names subthemes themes new_tier used_tier',
    bytes: 'set_values day_values',
  }),
  interest: market('published.interest', 'kind key', {
    text: 'kind key',
    integer: 'day looked_up held held_before units',
    double: 'looked_up_before',
  }),
  series: market('published.series', 'item_id condition', {
    integer: 'item_id first_month revision stamp',
    text: 'condition',
    bytes: 'points provenance',
  }),
  retail: market('published.retail', 'item_id', {
    integer: 'item_id changed_at stamp',
    text: 'key asin_key upc_key ean_key body months',
  }),
  deal: market('published.deal', 'set_key retailer', { text: 'set_key retailer body' }),
  dealLog: market('published.deal_log', 'id', {
    integer: 'id opened_at price_cents closed_at',
    text: 'set_key retailer prediction closed_why',
  }),
  gradeEffect: market('published.grade_effect', 'name', {
    text: 'name',
    double: 'share',
    integer: 'sales',
  }),
  dealScore: market('published.deal_score', 'week tier percent', {
    integer: 'week percent predicted got cleared',
    text: 'tier',
  }),
  themeList: market('published.theme_list', 'id', { integer: 'id', text: 'body' }),
  restatement: market('published.restatement', 'id', {
    integer: 'id from_month at',
    text: 'reason',
  }),
  event: market('published.event', 'position', {
    integer: 'position at',
    text: 'kind item_kind key retailer before after',
  }),
  eventState: market('published.event_state', 'item_id', {
    integer: 'item_id',
    text: 'body',
    boolean: 'is_undone',
  }),
  retailChange: market('published.retail_change', 'set_key retailer at', {
    text: 'set_key retailer seller_type',
    integer: 'at price_cents',
    boolean: 'in_stock is_corrected',
  }),
  removedDocument: market('published.removed_document', 'type number', {
    text: 'type number',
    integer: 'stamp place',
  }),
  importLog: market('published.import_log', 'id', { integer: 'id at', text: 'body rejects' }),
  importUndo: market('source.import_undo', 'id', {
    integer: 'id import_id',
    text: 'kind body',
  }),
  catalogRecord: market('source.catalog_record', 'item_id source', {
    integer: 'item_id gone_at',
    text: 'source body',
  }),
  partedMinifig: market('source.parted_minifig', 'key other_key', {
    text: 'key other_key',
    integer: 'parted_at',
  }),
  setMinifig: market('source.set_minifig', 'set_id minifig_key source', {
    integer: 'set_id',
    text: 'minifig_key source minifig_number',
  }),
  sale: market('source.sale', 'item_id sold_at source source_id', {
    integer: 'item_id price_cents shipping_cents quantity sold_at ingested_at retracted_at',
    text: 'source source_id condition currency channel seller completeness',
  }),
  offer: market('source.offer', 'item_id retailer observed_at', {
    integer: `item_id observed_at price_cents list_price_cents lowest_fba_cents fba_sellers
      buy_box_cents last_at looks`,
    text: 'retailer currency seller_type asin product_url',
    boolean: 'in_stock',
    bytes: 'gaps',
  }),
  listings: market('source.listings', 'item_id condition channel', {
    integer: 'item_id observed_at units lowest_cents',
    text: 'condition channel currency',
  }),
  fx: market('published.fx', 'currency date', {
    text: 'currency date',
    double: 'usd_per_unit',
    integer: 'ingested_at',
  }),
  waiting: market('published.waiting', 'currency', {
    text: 'currency first_date last_date',
    integer: 'count',
  }),
  retailState: market('source.retail_state', 'item_id retailer', {
    integer: 'item_id fold_version checked_at',
    text: 'retailer state',
  }),
  retailWeek: market('source.retail_week', 'item_id week', { integer: 'item_id week price_cents' }),
  parameters: market('source.parameters', 'month', { integer: 'month', text: 'version body' }),
  checkpoint: market('source.checkpoint', 'item_id at', {
    integer: 'item_id at version',
    text: 'key',
    bytes: 'state',
  }),
  evidence: market('published.evidence', 'item_id', { integer: 'item_id', text: 'body' }),
  score: market('published.score', 'week kind condition tier bin in_range', {
    integer: 'week bin count',
    text: 'kind condition tier',
    boolean: 'in_range',
  }),
  uncertainty: market('source.uncertainty', 'item_id', {
    integer:
      'item_id new_cents new_value_spread new_sale_spread new_sales new_usual_rate ' +
      'used_cents used_value_spread used_sale_spread used_sales used_usual_rate',
    text: 'kind key',
    boolean: 'is_traded has_barcode',
  }),
  syncSource: market('published.sync_source', 'name', { text: 'name body' }),
  syncItem: market('source.sync_item', 'source kind key topic', {
    text: 'source kind key topic',
    integer: 'asked_at failures retry_at',
    boolean: 'is_known',
  }),
};

const accountTables = {
  account: accounts('account', 'id', {
    integer: 'id created_at private_version calls_earlier closed_at',
    text: 'email email_key password_hash plan role time_zone currency locale',
  }),
  apiKey: accounts('api_key', 'id', {
    integer:
      'id account_id allowance created_at expires_at revoked_at place used_before last_used_at ' +
      'scopes warned old_until old_used_at',
    text: 'name prefix networks old_prefix',
    bytes: 'hash old_hash',
    boolean: 'is_test is_limited',
  }),
  sheetLink: accounts('sheet_link', 'id', {
    integer: 'id account_id key_id created_at last_used_at used_day used',
    text: 'name content handle',
  }),
  usage: accounts('usage', 'account_id place day', {
    integer: 'account_id place day used last_at key_id',
  }),
  endpointUsage: accounts('endpoint_usage', 'account_id day key_id endpoint', {
    integer: 'account_id day key_id calls cost errors',
    text: 'endpoint',
  }),
  brickfolio: accounts('brickfolio', 'id', {
    integer: 'id account_id created_at',
    text: 'name description',
    boolean: 'is_default',
  }),
  lot: accounts('lot', 'id', {
    integer: 'id account_id brickfolio_id quantity price_cents sold asking_cents',
    text:
      'source_id kind key number condition purchase_date status date_basis grade notes tags ' +
      'place bought_at listed_at listing_url own_fields',
    boolean: 'is_estimated',
  }),
  ownField: accounts('own_field', 'id', { integer: 'id account_id', text: 'name' }),
  lotPrediction: accounts('lot_prediction', 'lot_id', {
    integer: 'lot_id account_id at value_cents net_half_cents net_safe_cents',
    text: 'condition channel',
    double: 'wait_days',
  }),
  ledgerSale: accounts('ledger_sale', 'id', {
    integer:
      'id account_id quantity gross_cents platform_fees_cents payment_fees_cents ' +
      'shipping_cents cost_cents',
    text: 'source_id kind key number condition platform sale_date given',
  }),
  ledgerTake: accounts('ledger_take', 'sale_id lot_id', {
    integer: 'sale_id lot_id quantity cost_cents',
  }),
  lotEdit: accounts('lot_edit', 'id', {
    integer: 'id account_id at changed',
    text: 'kind refused undo',
  }),
  photo: accounts('photo', 'id', {
    integer: 'id account_id lot_id edit_id position width height bytes created_at',
    text: 'hash',
  }),
  photoPicture: accounts('photo_picture', 'photo_id', {
    integer: 'photo_id',
    bytes: 'thumb content',
  }),
  savedView: accounts('saved_view', 'id', {
    integer: 'id account_id created_at',
    text: 'name query',
    boolean: 'is_default',
  }),
  purchase: accounts('purchase', 'id', {
    integer: 'id account_id total_cents tax_cents shipping_cents created_at',
    text: 'source_id store purchase_date prices returns',
  }),
  savedBox: accounts('saved_box', 'id', {
    integer: 'id account_id ask_cents value_cents max_cents created_at changed_at',
    text: 'name contents terms bought_as',
  }),
  share: accounts('share', 'id', {
    integer:
      'id account_id brickfolio_id box_id accept_until member_id created_at expires_at ' +
      'last_used_at',
    text: 'name',
    boolean: 'with_costs',
    bytes: 'token_hash',
  }),
  importDraft: accounts('import_draft', 'id', {
    integer: 'id account_id expires_at',
    text: 'name result path corrections',
    bytes: 'content',
  }),
  buyingSettings: accounts('buying_settings', 'account_id', {
    double: 'share',
    integer:
      'account_id margin_basis_points tax_basis_points cashback_basis_points inbound_cents ' +
      'money_basis_points',
    text: 'own_rates',
  }),
  watchList: accounts('watch_list', 'id', { integer: 'id account_id created_at', text: 'name' }),
  watchedItem: accounts('watched_item', 'id', {
    integer: 'id account_id list_id target_cents added_at',
    text: 'kind key number note',
  }),
  session: accounts('session', 'id', {
    integer: 'id account_id created_at last_seen_at expires_at',
    text: 'agent method',
    bytes: 'token_hash',
  }),
  resetLink: accounts('reset_link', 'account_id', {
    integer: 'account_id expires_at',
    bytes: 'token_hash',
  }),
  tries: accounts('tries', 'key', { text: 'key', integer: 'since count' }),
  device: accounts('device', 'id', {
    integer: 'id account_id last_used_at',
    bytes: 'token_hash',
  }),
  authenticator: accounts('authenticator', 'account_id', {
    integer: 'account_id created_at last_step',
    bytes: 'secret',
  }),
  recoveryCode: accounts('recovery_code', 'account_id hash', {
    integer: 'account_id',
    bytes: 'hash',
  }),
  signInStep: accounts('sign_in_step', 'token_hash', {
    integer: 'account_id expires_at',
    bytes: 'token_hash',
  }),
  passkey: accounts('passkey', 'id', {
    integer: 'id account_id counter created_at last_used_at',
    text: 'name credential_id',
    bytes: 'public_key',
  }),
  challenge: accounts('challenge', 'hash', {
    integer: 'account_id expires_at',
    bytes: 'hash',
  }),
  identity: accounts('identity', 'issuer subject', {
    integer: 'account_id created_at',
    text: 'issuer subject',
  }),
  invitation: accounts('invitation', 'id', {
    integer: 'id created_at expires_at',
    text: 'plan',
    boolean: 'is_operator',
    bytes: 'token_hash',
  }),
  notice: accounts('notice', 'id', {
    integer: 'id from_at until_at',
    text: 'severity title text',
  }),
  // The secret of email is the hash of the link that confirms the address, until it is used.
  channel: accounts('channel', 'id', {
    integer:
      'id account_id old_secret_until failing_since failures retry_at next_at position ' +
      'created_at notice_position',
    text: 'kind name state state_reason kinds scope notices',
    bytes: 'address secret old_secret',
  }),
  accountNotice: accounts('account_notice', 'position', {
    integer: 'position account_id at',
    text: 'kind name body',
  }),
  delivery: accounts('delivery', 'id', {
    integer: 'id channel_id position at tries due_at tried_at answer_status',
    text: 'message_id type order_key body state answer',
  }),
  deliveryTally: accounts('delivery_tally', 'kind outcome', {
    text: 'kind outcome',
    integer: 'count',
  }),
  alertRule: accounts('alert_rule', 'id', {
    integer: 'id account_id list_id cents repeat_days daily_cap since position created_at',
    text: 'name scope theme condition flip_to digest',
    double: 'percent',
    boolean: 'is_on',
  }),
  alertRuleChannel: accounts('alert_rule_channel', 'rule_id channel_id', {
    integer: 'rule_id channel_id',
  }),
  alertMatch: accounts('alert_match', 'item_kind item_key rule_id retailer', {
    text: 'item_kind item_key retailer',
    integer: 'rule_id account_id reported_at base_cents',
  }),
  notification: accounts('notification', 'id', {
    integer: 'id account_id rule_id at due_at',
    text:
      'rule_name item_kind item_key number title retailer reason facts state held_for ' +
      'delivery_ids',
    bytes: 'token_hash',
  }),
  visit: accounts('visit', 'account_id', {
    integer: 'account_id seen_at before_at alert_id',
  }),
  skippedDeal: accounts('skipped_deal', 'account_id set_key', {
    integer: 'account_id price_cents skipped_at',
    text: 'set_key',
  }),
  ownBarcode: accounts('own_barcode', 'account_id code', {
    integer: 'account_id first_scanned_at last_scanned_at',
    text: 'code set_key',
  }),
  deviceEntry: accounts('device_entry', 'account_id id', {
    integer: 'account_id applied_at',
    text: 'id',
  }),
  alertSettings: accounts('alert_settings', 'account_id', {
    integer: 'account_id quiet_from quiet_until',
  }),
  // IDs of accounts are not references: entries outlive the accounts.
  audit: accounts('audit', 'id', {
    integer: 'id at actor_id account_id',
    text: 'actor action detail network',
  }),
  alertProgress: accounts('alert_progress', 'name', {
    text: 'name key',
    integer: 'position rule_id until',
  }),
};

export const tables = { ...marketTables, ...accountTables };

export const movedTables: readonly Table[] = Object.values(tables);

/** Tables that `move` does not copy: leases, heartbeats, and files that are created again. */
export const leftBehind: readonly string[] = [
  'lease',
  'heartbeat',
  'bulk_file',
  'bulk_chunk',
  'bulk_export',
];

/** Tables with rows even in an empty store; `move` replaces them. */
export const replacedTables: ReadonlySet<string> = new Set([
  'published.meta',
  'published.theme_list',
]);

/** Tables with generated ids; they continue after the highest id ever used. */
export const numberedTables: ReadonlySet<string> = new Set([
  'published.item',
  'published.restatement',
  'published.import_log',
  'published.deal_log',
  'source.import_undo',
  'private.account',
  'private.api_key',
  'private.sheet_link',
  'private.brickfolio',
  'private.lot',
  'private.own_field',
  'private.ledger_sale',
  'private.lot_edit',
  'private.photo',
  'private.saved_view',
  'private.purchase',
  'private.saved_box',
  'private.share',
  'private.import_draft',
  'private.session',
  'private.device',
  'private.passkey',
  'private.invitation',
  'private.notice',
  'private.watch_list',
  'private.watched_item',
  'private.channel',
  'private.delivery',
  'private.alert_rule',
  'private.notification',
  'private.audit',
]);
