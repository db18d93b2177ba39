/** Exports everything stored about an account, for its owner. */
import { presentNotice } from '../contract/plus/notices.ts';
import { type AuditEntry, isByMember } from '../domain/account/audit.ts';
import type { KeyUsage } from '../domain/account/key-places.ts';
import type { ApiKey } from '../domain/account/keys.ts';
import type { Passkey } from '../domain/account/passkey.ts';
import type { Region } from '../domain/account/region.ts';
import { scopeNames } from '../domain/account/scopes.ts';
import type { Session, Visit } from '../domain/account/session.ts';
import type { OfferedShare, Share } from '../domain/account/share.ts';
import type { SheetLink } from '../domain/account/sheet-link.ts';
import type { AlertRule, AlertSettings } from '../domain/alerts/alert-rule.ts';
import { hideEndLinks } from '../domain/alerts/end-link.ts';
import type { Notification } from '../domain/alerts/notification.ts';
import { type WatchedItem, type WatchList, watchLimits } from '../domain/alerts/watch-list.ts';
import type { BuyingSettings, OwnRate } from '../domain/buying/buying-settings.ts';
import type { LotPrediction } from '../domain/buying/prediction.ts';
import type { SavedBox } from '../domain/buying/saved-box.ts';
import type { SkippedDeal } from '../domain/buying/skipped-deals.ts';
import { printedBarcode } from '../domain/catalog/barcode.ts';
import type { OwnBarcode } from '../domain/catalog/own-barcodes.ts';
import type { Delivery } from '../domain/delivery/delivery.ts';
import type { DeliveryChannel } from '../domain/delivery/delivery-channel.ts';
import { toUsd, toUsdOrNull } from '../domain/kernel/money.ts';
import { dayMs, formatDay, formatInstant } from '../domain/kernel/time.ts';
import type { Purchase } from '../domain/portfolio/purchases.ts';
import type { SavedView } from '../domain/portfolio/saved-views.ts';
import type { AccountStore, MarketReading } from '../store/store.ts';
import { auditEntries } from './audit-text.ts';
import { endpointRecords } from './endpoint-uses.ts';
import { brickfolioRecords, type ExportSource, rowRecords } from './export-records.ts';
import { recordLines } from './export-text.ts';

/** Titles come from published data, because a server has no access to source rows. */
export interface AccountData {
  readonly accounts: AccountStore;
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
  const { accounts } = portfolio;
  const { accountId, email } = who;
  const source = exportSource(portfolio, accountId);
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
  yield `,\n"regional_settings":${JSON.stringify(region && regionRecord(region))}`;
  const settings = settingsRecord(await accounts.findBuyingSettings(accountId));
  yield `,\n"buying_settings":${JSON.stringify(settings)}`;
  yield* list('brickfolios', brickfolioRecords(source));
  const ownFields = await accounts.listOwnFields(accountId);
  yield* list('own_fields', Promise.resolve(ownFields.map(({ name }) => ({ name }))));
  yield* list('lots', rowRecords('collection', source));
  yield* list('sales', rowRecords('sales', source));
  yield* list('predictions', predictionRecords(accounts, accountId));
  yield* list('photos', photoRecords(accounts, accountId));
  const views = await accounts.listSavedViews(accountId);
  yield* list('saved_views', Promise.resolve(views.map(viewRecord)));
  yield* visits(accounts, accountId);
  yield* buying(accounts, accountId);
  const lists = await accounts.listWatchLists(accountId);
  yield* list('watch_lists', Promise.resolve(lists.map(listRecord)));
  yield* list('watched_items', watchedRecords(accounts, accountId, lists));
  const channels = await accounts.listChannels(accountId);
  yield* list('channels', Promise.resolve(channels.map(channelRecord)));
  yield* list('deliveries', deliveryRecords(accounts, channels));
  yield* list('notices', noticeRecords(accounts, accountId));
  const alertSettings = alertSettingsRecord(await accounts.findAlertSettings(accountId));
  yield `,\n"alert_settings":${JSON.stringify(alertSettings)}`;
  const rules = await accounts.listAlertRules(accountId);
  yield* list('alerts', Promise.resolve(rules.map((rule) => ruleRecord(rule, lists))));
  yield* list('notifications', notificationRecords(accounts, accountId));
  const keys = accounts.listKeys(email, at).then((found) => found?.map(keyRecord) ?? []);
  yield* list('keys', keys);
  const links = accounts.listSheetLinks(accountId).then((found) => found.map(linkRecord));
  yield* list('spreadsheet_links', links);
  const shares = accounts.listShares(accountId, at).then((found) => found.map(shareRecord));
  yield* list('shares', shares);
  const received = accounts.listMemberships(accountId, at).then((found) => found.map(offerRecord));
  yield* list('shared_with_me', received);
  yield* list('usage', Promise.resolve(usage.days.map(usageRecord)));
  yield `,\n"calls_earlier":${usage.earlier}`;
  yield* list('usage_by_endpoint', endpointRecords(accounts, who, at));
  yield* signIns(accounts, accountId, at);
  yield* list('recent_changes', changeRecords(accounts, accountId));
  yield* list('uploaded_files', fileRecords(accounts, accountId, at));
  yield* list('activity', activityRecords(accounts, accountId));
  yield '}\n';
}

async function* signIns(
  accounts: AccountStore,
  accountId: number,
  at: number,
): AsyncGenerator<string> {
  yield* list(
    'sessions',
    accounts.listSessions(accountId, at).then((sessions) => sessions.map(sessionRecord)),
  );
  yield* list(
    'passkeys',
    accounts.listPasskeys(accountId).then((passkeys) => passkeys.map(passkeyRecord)),
  );
  yield* list(
    'identities',
    accounts.listIdentities(accountId).then((identities) =>
      identities.map(({ issuer, subject, createdAt }) => {
        return { issuer, subject, created_at: formatInstant(createdAt) };
      }),
    ),
  );
}

async function* visits(accounts: AccountStore, accountId: number): AsyncGenerator<string> {
  const visit = visitRecord(await accounts.findVisit(accountId));
  yield `,\n"last_visit":${JSON.stringify(visit)}`;
  const skipped = await accounts.listSkippedDeals(accountId);
  yield* list('skipped_deals', Promise.resolve(skipped.map(skippedRecord)));
  const barcodes = await accounts.listOwnBarcodes(accountId);
  yield* list('own_barcodes', Promise.resolve(barcodes.map(barcodeRecord)));
}

/** A change may have a megabyte. */
const changesAtOnce = 5;

/** Changes of the last day with what is needed to undo them; latest first. */
async function* changeRecords(
  accounts: AccountStore,
  accountId: number,
): AsyncGenerator<readonly object[]> {
  let before: number | null = null;
  for (;;) {
    const part: Awaited<ReturnType<AccountStore['listEdits']>> = await accounts.listEdits(
      accountId,
      { before, limit: changesAtOnce },
    );
    const last = part.at(-1);
    if (!last) return;
    yield part.map(({ at, kind, changed, undo }) => {
      return { at: formatInstant(at), kind, changed, undo: JSON.parse(undo) };
    });
    before = last.id;
  }
}

/** Files that wait to be imported, or to be undone, for an hour. */
async function* fileRecords(
  accounts: AccountStore,
  accountId: number,
  at: number,
): AsyncGenerator<readonly object[]> {
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
async function* activityRecords(
  accounts: AccountStore,
  accountId: number,
): AsyncGenerator<readonly object[]> {
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

function exportSource({ accounts, market }: AccountData, accountId: number): ExportSource {
  return { accounts, market: { findTitles: market.findListedItems }, accountId };
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
  };
}

function rateRecord({ platform, basisPoints, feeCents }: OwnRate) {
  return { platform, percent: basisPoints / 100, per_order_usd: feeCents / 100 };
}

const predictionsAtOnce = 4_000;

/** Predictions of lots, by the source IDs of the lots. */
async function* predictionRecords(
  accounts: AccountStore,
  accountId: number,
): AsyncGenerator<readonly object[]> {
  let after = 0;
  for (;;) {
    const options = { after, limit: predictionsAtOnce };
    const page = await accounts.listPredictions(accountId, options);
    const last = page.at(-1);
    if (!last) return;
    yield page.map(predictionRecord);
    after = last.sequence;
  }
}

function predictionRecord(prediction: LotPrediction & { readonly lot: string }) {
  return {
    lot: prediction.lot,
    predicted_at: formatInstant(prediction.at),
    condition: prediction.condition,
    value_usd: prediction.valueCents / 100,
    net_half_usd: prediction.netHalfCents / 100,
    net_safe_usd: prediction.netSafeCents / 100,
    channel: prediction.channel,
    wait_days: prediction.waitDays,
  };
}

const photosAtOnce = 500;

/** Photos by the source IDs of their lots, in the order they were added; one picture at a time. */
async function* photoRecords(
  accounts: AccountStore,
  accountId: number,
): AsyncGenerator<readonly object[]> {
  let after = 0;
  for (;;) {
    const page = await accounts.pagePhotos(accountId, { after, limit: photosAtOnce });
    const last = page.at(-1);
    if (!last) return;
    for (const { id, lot, position, width, height, createdAt } of page) {
      const picture = await accounts.findPicture(accountId, id, 'content');
      if (!picture) continue;
      const webp = Buffer.from(picture).toString('base64');
      yield [
        { lot, position, width, height, added_at: formatInstant(createdAt), content_webp: webp },
      ];
    }
    after = last.id;
  }
}

function listRecord({ name, createdAt }: WatchList) {
  return { name, created_at: formatInstant(createdAt) };
}

/** Items of all watch lists; each list fits in one read. */
async function* watchedRecords(
  accounts: AccountStore,
  accountId: number,
  lists: readonly WatchList[],
): AsyncGenerator<readonly object[]> {
  for (const { id, name } of lists) {
    const page = { after: 0, limit: watchLimits.items };
    const items = await accounts.listWatchedItems(accountId, id, page);
    yield items.map((item) => watchedRecord(name, item));
  }
}

function watchedRecord(list: string, item: WatchedItem) {
  const { kind, number, targetCents, note, addedAt } = item;
  return {
    list,
    item_type: kind,
    number,
    target_usd: targetCents === null ? null : targetCents / 100,
    note,
    added_at: formatInstant(addedAt),
  };
}

/** Without the address and the secret, either of which would let others send to it. */
function channelRecord(channel: DeliveryChannel) {
  const { id, kind, name, state, stateReason, subscription, notices, createdAt } = channel;
  return {
    channel_id: id,
    kind,
    name,
    state,
    state_reason: stateReason,
    event_kinds: subscription?.kinds ?? [],
    event_scope: subscription?.scope ?? null,
    notice_kinds: notices,
    created_at: formatInstant(createdAt),
  };
}

const noticesAtOnce = 1_000;

async function* noticeRecords(
  accounts: AccountStore,
  accountId: number,
): AsyncGenerator<readonly object[]> {
  for (let after = 0; ; ) {
    const notices = await accounts.listAccountNotices(accountId, { after, limit: noticesAtOnce });
    yield notices.map(presentNotice);
    if (notices.length < noticesAtOnce) return;
    after = notices.at(-1)?.position ?? after;
  }
}

const deliveriesAtOnce = 1_000;

/** Latest first for each channel. */
async function* deliveryRecords(
  accounts: AccountStore,
  channels: readonly DeliveryChannel[],
): AsyncGenerator<readonly object[]> {
  for (const { id, accountId } of channels) {
    let before: number | null = null;
    for (;;) {
      const options = { before, limit: deliveriesAtOnce };
      const page: Delivery[] = await accounts.listDeliveries(accountId, id, options);
      const last = page.at(-1);
      if (!last) break;
      yield page.map(deliveryRecord);
      before = last.id;
    }
  }
}

function deliveryRecord(delivery: Delivery) {
  const { triedAt } = delivery;
  return {
    channel_id: delivery.channelId,
    message_id: delivery.messageId,
    type: delivery.type,
    added_at: formatInstant(delivery.at),
    state: delivery.state,
    tries: delivery.tries,
    tried_at: triedAt === null ? null : formatInstant(triedAt),
    answer_status: delivery.answerStatus,
    answer: delivery.answer,
    body: hideEndLinks(delivery.body),
  };
}

function regionRecord({ timeZone, currency, locale }: Region) {
  return { time_zone: timeZone, currency, locale };
}

function alertSettingsRecord({ timeZone, quiet }: AlertSettings) {
  return {
    time_zone: timeZone,
    quiet_from: quiet && clockText(quiet.from),
    quiet_until: quiet && clockText(quiet.until),
  };
}

/** Minutes since midnight as `HH:MM`. */
function clockText(minute: number): string {
  const two = (number: number) => String(number).padStart(2, '0');
  return `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
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
    channel_ids: rule.channelIds,
    repeat_days: rule.repeatDays,
    digest: rule.digest,
    daily_limit: rule.dailyCap,
    is_on: rule.isOn,
    created_at: formatInstant(rule.createdAt),
  };
}

const notificationsAtOnce = 1_000;

/** Latest first. */
async function* notificationRecords(
  accounts: AccountStore,
  accountId: number,
): AsyncGenerator<readonly object[]> {
  let before: number | null = null;
  for (;;) {
    const options = { before, limit: notificationsAtOnce };
    const page: Notification[] = await accounts.listNotifications(accountId, options);
    const last = page.at(-1);
    if (!last) return;
    yield page.map(notificationRecord);
    before = last.id;
  }
}

function notificationRecord(notification: Notification) {
  return {
    alert_id: notification.ruleId,
    alert: notification.ruleName,
    at: formatInstant(notification.at),
    item_type: notification.itemKind,
    number: notification.number,
    title: notification.title,
    retailer: notification.retailer,
    reason: notification.reason,
    state: notification.state,
    due_at: formatInstant(notification.dueAt),
  };
}

/** A named list in JSON, complete or page by page. */
async function* list(
  name: string,
  records: Promise<readonly object[]> | AsyncIterable<readonly object[]>,
): AsyncGenerator<string> {
  yield `,\n"${name}":[`;
  yield* recordLines(records instanceof Promise ? onePage(records) : records);
  yield '\n]';
}

async function* onePage(records: Promise<readonly object[]>): AsyncGenerator<readonly object[]> {
  yield records;
}

/** Without the hash. */
function keyRecord(key: ApiKey) {
  const instant = (at: number | null) => (at === null ? null : formatInstant(at));
  return {
    key_id: key.id,
    name: key.name,
    prefix: key.prefix,
    allowance: key.allowance,
    scopes: scopeNames(key.scopes),
    networks: key.networks?.split(' ') ?? null,
    is_test: key.isTest,
    limited_by_operator: key.isLimited,
    old_secret: key.old && {
      prefix: key.old.prefix,
      works_until: instant(key.old.until),
      last_used_at: instant(key.old.lastUsedAt),
    },
    created_at: instant(key.createdAt),
    expires_at: instant(key.expiresAt),
    revoked_at: instant(key.revokedAt),
    last_used_at: instant(key.lastUsedAt),
  };
}

/** Without the URL, which gives access to its data. */
function linkRecord({ id, name, content, keyId, createdAt, lastUsedAt }: SheetLink) {
  return {
    link_id: id,
    name,
    shows: content,
    key_id: keyId,
    created_at: formatInstant(createdAt),
    last_used_at: lastUsedAt === null ? null : formatInstant(lastUsedAt),
  };
}

/** Without the token of a link. */
function shareRecord(share: Share) {
  const instant = (at: number | null) => (at === null ? null : formatInstant(at));
  return {
    share_id: share.id,
    shows: share.boxId === null ? 'collection' : 'box',
    title: share.title,
    with_costs: share.withCosts,
    name: share.name,
    member: share.memberEmail,
    created_at: instant(share.createdAt),
    expires_at: instant(share.expiresAt),
    last_used_at: instant(share.lastUsedAt),
  };
}

function offerRecord({ id, boxId, title, withCosts, ownerEmail, expiresAt }: OfferedShare) {
  return {
    share_id: id,
    shows: boxId === null ? 'collection' : 'box',
    title,
    with_costs: withCosts,
    owner: ownerEmail,
    expires_at: expiresAt === null ? null : formatInstant(expiresAt),
  };
}

function viewRecord({ name, query, isDefault }: SavedView) {
  return { name, query, is_default: isDefault };
}

function visitRecord(visit: Visit | null) {
  return (
    visit && {
      seen_at: formatInstant(visit.seenAt),
      before_at: visit.beforeAt === null ? null : formatInstant(visit.beforeAt),
    }
  );
}

function skippedRecord({ setKey, priceCents, skippedAt }: SkippedDeal) {
  return { set: setKey, price_usd: priceCents / 100, skipped_at: formatInstant(skippedAt) };
}

function barcodeRecord({ code, setKey, firstScannedAt, lastScannedAt }: OwnBarcode) {
  return {
    barcode: printedBarcode(code),
    set: setKey,
    first_scanned_at: formatInstant(firstScannedAt),
    last_scanned_at: formatInstant(lastScannedAt),
  };
}

/** Purchases and saved boxes. */
async function* buying(accounts: AccountStore, accountId: number): AsyncGenerator<string> {
  yield* list('purchases', purchaseRecords(accounts, accountId));
  yield* list('saved_boxes', boxRecords(accounts, accountId));
}

const purchasesAtOnce = 500;

/** Lots of a purchase have source IDs that begin with its own. */
async function* purchaseRecords(
  accounts: AccountStore,
  accountId: number,
): AsyncGenerator<readonly object[]> {
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
    source_id: purchase.sourceId,
    store: purchase.store,
    purchase_date: purchase.purchaseDate,
    total_usd: toUsd(purchase.totalCents),
    tax_usd: toUsd(purchase.taxCents),
    shipping_usd: toUsd(purchase.shippingCents),
    prices_usd: Object.fromEntries(prices),
    returns: purchase.returns.map(({ date, units, costCents, refundCents, items }) => {
      const amounts = { cost_usd: toUsd(costCents), refund_usd: toUsd(refundCents) };
      return { date, units, ...amounts, items };
    }),
    created_at: formatInstant(purchase.createdAt),
  };
}

/** One box at a time: a box may have a thousand rows. */
async function* boxRecords(
  accounts: AccountStore,
  accountId: number,
): AsyncGenerator<readonly object[]> {
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
    bought_as: box.boughtAs,
    created_at: formatInstant(box.createdAt),
    changed_at: formatInstant(box.changedAt),
    items: box.rows.map(({ text, kind, number, condition, grade, quantity, ...amounts }) => ({
      text,
      item_type: kind,
      number,
      condition,
      grade,
      quantity,
      price_usd: toUsdOrNull(amounts.priceCents),
      max_usd: toUsdOrNull(amounts.maxCents),
    })),
    terms: box.terms,
  };
}

function usageRecord({ keyId, day, used }: KeyUsage) {
  return { key_id: keyId, date: formatDay(day * dayMs), calls: used };
}

function passkeyRecord({ name, createdAt, lastUsedAt }: Passkey) {
  return {
    name,
    created_at: formatInstant(createdAt),
    last_used_at: lastUsedAt === null ? null : formatInstant(lastUsedAt),
  };
}

function sessionRecord({ agent, createdAt, lastSeenAt }: Session) {
  return {
    agent,
    created_at: formatInstant(createdAt),
    last_seen_at: formatInstant(lastSeenAt),
  };
}
