/** Exports everything stored about an account, for its owner. */

import type { AccountRoomStore } from '../../accounts/accounts.store.ts';
import { type AuditEntry, isByMember } from '../../accounts/audit/audit.ts';
import { auditEntries } from '../../accounts/audit/audit-text.work.ts';
import { endpointRecords } from '../../accounts/keys/endpoint-uses.work.ts';
import type { KeyUsage } from '../../accounts/keys/key-places.ts';
import type { ApiKey } from '../../accounts/keys/keys.ts';
import { scopeNames } from '../../accounts/keys/scopes.ts';
import type { AccountNotice } from '../../accounts/notices/account-notice.ts';
import type { SheetLink } from '../../accounts/sheet-links/sheet-link.ts';
import { failedSignInDays, signInMethods } from '../../accounts/sign-in/failed-sign-ins.ts';
import type { AlertRoomStore } from '../../alerts/alerts.store.ts';
import type { DeliveryChannel } from '../../alerts/channels/delivery-channel.ts';
import type { AlertRule, AlertSettings } from '../../alerts/conditions/alert-rule.ts';
import { hideEndLinks } from '../../alerts/conditions/end-link.ts';
import type { Notification } from '../../alerts/conditions/notification.ts';
import type { Delivery } from '../../alerts/delivery/delivery.ts';
import {
  type WatchedItem,
  type WatchList,
  watchLimits,
} from '../../alerts/watchlists/watch-list.ts';
import type { SavedBox } from '../../buying/boxes/saved-box.ts';
import type { BuyingRoomStore } from '../../buying/buying.store.ts';
import type { SkippedDeal } from '../../buying/deals/skipped-deals.ts';
import type { BuyingSettings, OwnRate } from '../../buying/prices/buying-settings.ts';
import { printedBarcode } from '../../catalog/barcodes/barcode.ts';
import { presentNotice } from '../../contract/plus/notices.ts';
import { toUsd, toUsdOrNull } from '../../kernel/money.ts';
import { pagesOf } from '../../kernel/pages.ts';
import { snakeKey } from '../../kernel/snake-key.ts';
import { clockText, dayMs, formatDay, formatInstant } from '../../kernel/time.ts';
import type { MarketReading } from '../../publish/reading.store.ts';
import type { OwnBarcode } from '../barcodes/own-barcodes.ts';
import type { PortfolioRoomStore } from '../portfolio.store.ts';
import type { Purchase } from '../purchases/purchases.ts';
import type { OfferedShare, Share } from '../sharing/share.ts';
import { brickfolioRecords, rowRecords } from './export-records.work.ts';
import { recordLines } from './export-text.work.ts';

/** Everything that an account has in the store. */
interface Exported extends AccountRoomStore, BuyingRoomStore, AlertRoomStore, PortfolioRoomStore {
  /** Uploaded files, which a later room stores. */
  listImportDrafts(
    accountId: number,
  ): Promise<readonly { readonly id: number; readonly expiresAt: number }[]>;
  findImportDraft(
    accountId: number,
    id: number,
    at: number,
  ): Promise<{
    readonly name: string;
    readonly content: Uint8Array;
    readonly result: string | null;
  } | null>;
}

/** Titles come from published data, because a server has no access to source rows. */
export interface AccountData {
  readonly accounts: Exported;
  readonly market: Pick<MarketReading, 'findListedItems'>;
}

/**
 * Everything that is stored about an account as JSON, without secrets, in chunks. Lots and sales
 * can be imported with `import collection` and `import sales`.
 */
export async function* exportAccount(
  portfolio: AccountData,
  who: { readonly accountId: number; readonly email: string },
  at: number,
): AsyncGenerator<string> {
  const { accounts, market } = portfolio;
  const { accountId, email } = who;
  const source = { accounts, market: { findTitles: market.findListedItems }, accountId };
  const closed = await accounts.findClosed(email, at);
  const account = closed ?? (await accounts.findAccount(email, at));
  const facts = account && {
    email: account.email,
    plan: account.plan,
    is_operator: account.role !== null,
    role: account.role,
    created_at: formatInstant(account.createdAt),
    deleted_at: closed && formatInstant(closed.closedAt),
  };
  const usage = await accounts.findUsage(accountId, 0);
  yield `{"exported_at":"${formatInstant(at)}",\n"account":${JSON.stringify(facts)}`;
  const region = await accounts.findRegion(accountId);
  yield part('regional_settings', region && record(region, ['timeZone', 'currency', 'locale']));
  const settings = await accounts.findBuyingSettings(accountId);
  yield part('buying_settings', settingsRecord(settings));
  yield* list('brickfolios', await brickfolioRecords(source));
  const ownFields = await accounts.listOwnFields(accountId);
  yield* list('own_fields', listed(ownFields, ['name']));
  yield* list('lots', rowRecords('collection', source));
  yield* list('sales', rowRecords('sales', source));
  yield* list('predictions', predictionRecords(accounts, accountId));
  yield* list('photos', photoRecords(accounts, accountId));
  const views = await accounts.listSavedViews(accountId);
  yield* list('saved_views', listed(views, ['name', 'query', 'isDefault']));
  const visit = await accounts.findVisit(accountId);
  yield part('last_visit', visit && record(visit, ['seenAt', 'beforeAt']));
  yield* list('skipped_deals', (await accounts.listSkippedDeals(accountId)).map(skippedRecord));
  yield* list('own_barcodes', (await accounts.listOwnBarcodes(accountId)).map(barcodeRecord));
  yield* list('purchases', purchaseRecords(accounts, accountId));
  yield* list('saved_boxes', boxRecords(accounts, accountId));
  const lists = await accounts.listWatchLists(accountId);
  yield* list('watch_lists', listed(lists, ['name', 'createdAt']));
  yield* list('watched_items', watchedRecords(accounts, accountId, lists));
  const channels = await accounts.listDeliveryChannels(accountId);
  yield* list('channels', channels.map(channelRecord));
  yield* list('deliveries', deliveryRecords(accounts, channels));
  yield* list('notices', noticeRecords(accounts, accountId));
  const alertSettings = await accounts.findAlertSettings(accountId);
  yield part('alert_settings', alertSettingsRecord(alertSettings));
  const rules = await accounts.listAlertRules(accountId);
  const alerts = rules.map((rule) => ruleRecord(rule, lists));
  yield* list('alerts', alerts);
  yield* list('notifications', notificationRecords(accounts, accountId));
  yield* list('keys', ((await accounts.listKeys(email, at)) ?? []).map(keyRecord));
  yield* list('spreadsheet_links', (await accounts.listSheetLinks(accountId)).map(linkRecord));
  yield* list('shares', (await accounts.listShares(accountId, at)).map(shareRecord));
  const received = await accounts.listMemberships(accountId, at);
  yield* list('shared_with_me', received.map(offerRecord));
  yield* list('usage', usage.days.map(usageRecord));
  yield part('calls_earlier', usage.earlier);
  yield* list('usage_by_endpoint', await endpointRecords(accounts, who, at));
  yield* signIns(accounts, accountId, at);
  yield* list('recent_changes', changeRecords(accounts, accountId));
  yield* list('uploaded_files', fileRecords(accounts, accountId, at));
  yield* list('activity', activityRecords(accounts, accountId));
  yield '}\n';
}

function part(name: string, value: unknown): string {
  return `,\n"${name}":${JSON.stringify(value)}`;
}

async function* signIns(accounts: Exported, accountId: number, at: number): AsyncGenerator<string> {
  const sessions = await accounts.listSessions(accountId, at);
  yield* list('sessions', listed(sessions, ['agent', 'createdAt', 'lastSeenAt']));
  const passkeys = await accounts.listPasskeys(accountId);
  yield* list('passkeys', listed(passkeys, ['name', 'createdAt', 'lastUsedAt']));
  const identities = await accounts.listIdentities(accountId);
  yield* list('identities', listed(identities, ['issuer', 'subject', 'createdAt']));
  const failed = await accounts.listFailedSignIns(accountId, failedSignInsMax);
  yield* list('failed_sign_ins', listed(failed, ['hourAt', 'method', 'count']));
}

/** Of one account: every hour that is kept, by each method. */
const failedSignInsMax = (failedSignInDays + 1) * 24 * signInMethods.length;

/** Fields by their names in the file: `lastUsedAt` is `last_used_at`, `askCents` is `ask_usd`. */
function record<Row extends object>(row: Row, fields: readonly (keyof Row & string)[]): object {
  const values = fields.map((field): [string, unknown] => {
    const value = row[field];
    const name = snakeKey(field).replace(/_cents$/, '_usd');
    if (typeof value !== 'number') return [name, value];
    if (/(?:^|_)at$/.test(name)) return [name, formatInstant(value)];
    return [name, name.endsWith('_usd') ? toUsd(value) : value];
  });
  return Object.fromEntries(values);
}

function listed<Row extends object>(
  rows: readonly Row[],
  fields: readonly (keyof Row & string)[],
): readonly object[] {
  return rows.map((row) => record(row, fields));
}

type Records = AsyncGenerator<readonly object[]>;

const rowsAtOnce = 1_000;

/** `read` gets the last row of the page before, null for the first. */
async function* pagedRecords<Row>(
  read: (last: Row | null) => Promise<readonly Row[]>,
  recordOf: (row: Row) => object,
): Records {
  for await (const page of pagesOf(read)) yield page.map(recordOf);
}

/** A change may have a megabyte. */
const changesAtOnce = 5;

/** Changes of the last day with what is needed to undo them; latest first. */
function changeRecords(accounts: Exported, accountId: number): Records {
  type Change = Awaited<ReturnType<PortfolioRoomStore['listEdits']>>[number];
  return pagedRecords<Change>(
    (last) => accounts.listEdits(accountId, { before: last?.id ?? null, limit: changesAtOnce }),
    (change) => ({
      ...record(change, ['at', 'kind', 'changed']),
      undo: JSON.parse(change.undo),
    }),
  );
}

/** Files that wait to be imported, or to be undone, for an hour. */
async function* fileRecords(accounts: Exported, accountId: number, at: number): Records {
  for (const { id, expiresAt } of await accounts.listImportDrafts(accountId)) {
    const draft = await accounts.findImportDraft(accountId, id, at);
    if (!draft) continue;
    const { name, content, result } = draft;
    const gzip = Buffer.from(content).toString('base64');
    const kept = result === null ? null : JSON.parse(result);
    yield [{ name, expires_at: formatInstant(expiresAt), content_gzip: gzip, result: kept }];
  }
}

/** Audit entries about the account, latest first, without the names of operators. */
async function* activityRecords(accounts: Exported, accountId: number): Records {
  for await (const entries of auditEntries(accounts, accountId)) {
    yield entries.map((entry) => ({
      at: formatInstant(entry.at),
      by: entry.actorId === accountId ? 'you' : otherActor(entry),
      action: entry.action,
      detail: entry.detail,
      network: entry.network,
    }));
  }
}

function otherActor(entry: AuditEntry): string {
  if (isByMember(entry)) return 'member';
  return entry.actor === 'service' ? 'service' : 'operator';
}

/** In the units of the settings form. */
function settingsRecord(settings: BuyingSettings) {
  return {
    share: settings.share,
    margin_pct: settings.marginBasisPoints / 100,
    sales_tax_pct: settings.taxBasisPoints / 100,
    cashback_pct: settings.cashbackBasisPoints / 100,
    inbound_usd: settings.inboundCents / 100,
    cost_of_money_pct: settings.moneyBasisPoints / 100,
    own_rates: settings.ownRates.map(rateRecord),
    today_min_profit_usd: settings.todayMinProfitCents / 100,
    today_min_roi_pct: settings.todayMinRoiPercent,
    today_max_wait_days: settings.todayMaxWaitDays,
    hour_usd: settings.hourCents / 100,
    seconds_per_lot: settings.secondsPerLot,
    seconds_per_piece: settings.secondsPerPiece,
  };
}

function rateRecord({ platform, basisPoints, feeCents }: OwnRate) {
  return { platform, percent: basisPoints / 100, per_order_usd: feeCents / 100 };
}

const predictionsAtOnce = 4_000;

/** Predictions of lots, by the source IDs of the lots. */
function predictionRecords(accounts: Exported, accountId: number): Records {
  type Prediction = Awaited<ReturnType<PortfolioRoomStore['listPredictions']>>[number];
  return pagedRecords<Prediction>(
    (last) =>
      accounts.listPredictions(accountId, { after: last?.sequence ?? 0, limit: predictionsAtOnce }),
    (prediction) => ({
      lot: prediction.lot,
      predicted_at: formatInstant(prediction.at),
      ...record(prediction, ['condition', 'valueCents', 'netHalfCents', 'netSafeCents']),
      ...record(prediction, ['channel', 'waitDays']),
    }),
  );
}

const photosAtOnce = 500;

/** Photos by the source IDs of their lots, in the order they were added; one picture at a time. */
async function* photoRecords(accounts: Exported, accountId: number): Records {
  type PhotoOfLot = Awaited<ReturnType<PortfolioRoomStore['pagePhotos']>>[number];
  const pages = pagesOf<PhotoOfLot>((last) =>
    accounts.pagePhotos(accountId, { after: last?.id ?? 0, limit: photosAtOnce }),
  );
  for await (const page of pages) {
    for (const { id, createdAt, ...photo } of page) {
      const picture = await accounts.findPicture(accountId, id, 'content');
      if (!picture) continue;
      const facts = record(photo, ['lot', 'position', 'width', 'height']);
      const webp = Buffer.from(picture).toString('base64');
      yield [{ ...facts, added_at: formatInstant(createdAt), content_webp: webp }];
    }
  }
}

/** Items of all watch lists; each list fits in one read. */
async function* watchedRecords(
  accounts: Exported,
  accountId: number,
  lists: readonly WatchList[],
): Records {
  for (const { id, name } of lists) {
    const page = { after: 0, limit: watchLimits.items };
    const items = await accounts.listWatchedItems(accountId, id, page);
    yield items.map((item) => watchedRecord(name, item));
  }
}

function watchedRecord(list: string, item: WatchedItem) {
  const { kind } = item;
  return { list, item_type: kind, ...record(item, ['number', 'targetCents', 'note', 'addedAt']) };
}

/** Without the address and the secret, either of which would let others send to it. */
function channelRecord(channel: DeliveryChannel) {
  const { id, subscription, notices, createdAt } = channel;
  return {
    channel_id: id,
    ...record(channel, ['kind', 'name', 'state', 'stateReason']),
    event_kinds: subscription?.kinds ?? [],
    event_scope: subscription?.scope ?? null,
    notice_kinds: notices,
    created_at: formatInstant(createdAt),
  };
}

function noticeRecords(accounts: Exported, accountId: number): Records {
  return pagedRecords<AccountNotice>(
    (last) =>
      accounts.listAccountNotices(accountId, { after: last?.position ?? 0, limit: rowsAtOnce }),
    presentNotice,
  );
}

/** Latest first for each channel. */
async function* deliveryRecords(accounts: Exported, channels: readonly DeliveryChannel[]): Records {
  for (const { id, accountId } of channels) {
    yield* pagedRecords<Delivery>(
      (last) =>
        accounts.listDeliveries(accountId, id, { before: last?.id ?? null, limit: rowsAtOnce }),
      deliveryRecord,
    );
  }
}

function deliveryRecord(delivery: Delivery) {
  return {
    ...record(delivery, ['channelId', 'messageId', 'type']),
    added_at: formatInstant(delivery.at),
    ...record(delivery, ['state', 'tries', 'triedAt', 'answerStatus', 'answer']),
    body: hideEndLinks(delivery.body),
  };
}

function alertSettingsRecord({ timeZone, quiet }: AlertSettings) {
  return {
    time_zone: timeZone,
    quiet_from: quiet && clockText(quiet.from),
    quiet_until: quiet && clockText(quiet.until),
  };
}

function ruleRecord(rule: AlertRule, lists: readonly WatchList[]) {
  const { scope, condition } = rule;
  const listId = scope.kind === 'list' ? scope.listId : null;
  return {
    alert_id: rule.id,
    name: rule.name,
    scope: scope.kind,
    list: lists.find(({ id }) => id === listId)?.name ?? null,
    theme: scope.kind === 'theme' ? scope.theme : null,
    condition: condition.kind,
    usd: 'cents' in condition ? condition.cents / 100 : null,
    percent: 'percent' in condition ? condition.percent : null,
    to: 'to' in condition ? condition.to : null,
    ...record(rule, ['channelIds', 'repeatDays', 'digest']),
    daily_limit: rule.dailyCap,
    ...record(rule, ['isOn', 'createdAt']),
  };
}

/** Latest first. */
function notificationRecords(accounts: Exported, accountId: number): Records {
  return pagedRecords<Notification>(
    (last) =>
      accounts.listNotifications(accountId, { before: last?.id ?? null, limit: rowsAtOnce }),
    notificationRecord,
  );
}

function notificationRecord(notification: Notification) {
  return {
    alert_id: notification.ruleId,
    alert: notification.ruleName,
    at: formatInstant(notification.at),
    item_type: notification.itemKind,
    ...record(notification, ['number', 'title', 'retailer', 'reason', 'state', 'dueAt']),
  };
}

/** A named list in JSON, complete or page by page. */
async function* list(name: string, records: readonly object[] | Records): AsyncGenerator<string> {
  yield `,\n"${name}":[`;
  yield* recordLines('next' in records ? records : [records]);
  yield '\n]';
}

/** Without the hash. */
function keyRecord(key: ApiKey) {
  const { old } = key;
  return {
    key_id: key.id,
    ...record(key, ['name', 'prefix', 'allowance']),
    scopes: scopeNames(key.scopes),
    networks: key.networks?.split(' ') ?? null,
    is_test: key.isTest,
    limited_by_operator: key.isLimited,
    old_secret: old && {
      prefix: old.prefix,
      works_until: formatInstant(old.until),
      ...record(old, ['lastUsedAt']),
    },
    ...record(key, ['createdAt', 'expiresAt', 'revokedAt', 'lastUsedAt']),
  };
}

/** Without the URL, which gives access to its data. */
function linkRecord(link: SheetLink) {
  const { id, name, content } = link;
  return {
    link_id: id,
    name,
    shows: content,
    ...record(link, ['keyId', 'createdAt', 'lastUsedAt']),
  };
}

/** Without the token of a link. */
function shareRecord(share: Share) {
  return {
    ...sharedThing(share),
    name: share.name,
    member: share.memberEmail,
    ...record(share, ['createdAt', 'expiresAt', 'lastUsedAt']),
  };
}

function offerRecord(share: OfferedShare) {
  return {
    ...sharedThing(share),
    owner: share.ownerEmail,
    ...record(share, ['expiresAt']),
  };
}

function sharedThing(share: Share | OfferedShare) {
  return {
    share_id: share.id,
    shows: share.boxId === null ? 'collection' : 'box',
    ...record(share, ['title', 'withCosts']),
  };
}

function skippedRecord(deal: SkippedDeal) {
  return { set: deal.setKey, ...record(deal, ['priceCents', 'skippedAt']) };
}

function barcodeRecord(barcode: OwnBarcode) {
  return {
    barcode: printedBarcode(barcode.code),
    set: barcode.setKey,
    ...record(barcode, ['firstScannedAt', 'lastScannedAt']),
  };
}

const purchasesAtOnce = 500;

/** Lots of a purchase have source IDs that begin with its own. */
async function* purchaseRecords(accounts: Exported, accountId: number): Records {
  for (let offset = 0; ; ) {
    const page = { limit: purchasesAtOnce, offset };
    const { rows } = await accounts.pagePurchases(accountId, page);
    if (rows.length === 0) return;
    yield rows.map(purchaseRecord);
    offset += rows.length;
  }
}

function purchaseRecord(purchase: Purchase) {
  const prices = Object.entries(purchase.prices).map(([row, cents]) => [row, toUsd(cents)]);
  return {
    ...record(purchase, ['sourceId', 'store', 'purchaseDate']),
    ...record(purchase, ['totalCents', 'taxCents', 'shippingCents']),
    prices_usd: Object.fromEntries(prices),
    returns: listed(purchase.returns, ['date', 'units', 'costCents', 'refundCents', 'items']),
    created_at: formatInstant(purchase.createdAt),
  };
}

/** One box at a time: a box may have a thousand rows. */
async function* boxRecords(accounts: Exported, accountId: number): Records {
  for (const { id } of await accounts.listBoxes(accountId)) {
    const box = await accounts.findBox(accountId, id);
    if (box) yield [boxRecord(box)];
  }
}

function boxRecord(box: SavedBox) {
  return {
    name: box.name,
    asking_usd: toUsdOrNull(box.askCents),
    value_usd: toUsdOrNull(box.valueCents),
    max_bid_usd: toUsdOrNull(box.maxCents),
    ...record(box, ['boughtAs', 'createdAt', 'changedAt']),
    items: box.rows.map((row) => ({
      text: row.text,
      item_type: row.kind,
      ...record(row, ['number', 'condition', 'grade', 'quantity', 'priceCents', 'maxCents']),
    })),
    terms: box.terms,
  };
}

function usageRecord({ keyId, day, used }: KeyUsage) {
  return { key_id: keyId, date: formatDay(day * dayMs), calls: used };
}
