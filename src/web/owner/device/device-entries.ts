/** Takes entries that a device made, often without a network: each is applied once. */

import { firstBrickfolio } from '../../../accounts/people/account.ts';
import { countMatching } from '../../../alerts/watchlists/watched-items.work.ts';
import { readBarcode } from '../../../catalog/barcodes/barcode.ts';
import { type ItemKind, itemKey, itemKinds } from '../../../catalog/items/numbers.ts';
import { sentence } from '../../../kernel/text.ts';
import type { EventItems } from '../../../market/events/events.ts';
import { conditions } from '../../../market/source-rows/source-rows.ts';
import {
  deviceEntryLimits,
  type EntryChange,
  type EntryMark,
} from '../../../portfolio/device/device-entries.ts';
import { quantityMax } from '../../../portfolio/lots/fields.ts';
import { lotDefaults } from '../../../portfolio/lots/lots.ts';
import { boughtRows } from '../../../portfolio/lots/own-lots.work.ts';
import { type AccountRow, isRejected } from '../../../portfolio/lots/private-rows.ts';
import { findExact, findListPrice } from '../../catalog/find-item.ts';
import { FormReader } from '../../kit/form-reader.ts';
import { pickedLengthMax } from '../../kit/set-picker.tsx';
import type { OwnSentRequest, PageAnswer, WebDeps } from '../../page.ts';

/** An entry as it was sent; its fields depend on the kind. */
type SentEntry = EntryMark & { readonly kind: string } & Readonly<Record<string, unknown>>;

/** The device deletes applied entries, and shows the reason with the others. */
interface EntryOutcome {
  /** Null if it is applied, now or before. */
  readonly reason: string | null;
  /** The errors of its fields, if it is refused for them. */
  readonly faults?: Readonly<Record<string, string>>;
  /** Whether the server failed, so that it may be applied when it is sent again. */
  readonly hasFailed?: boolean;
}

/**
 * The form has the account that made the entries, the time by the clock of the device, and the
 * entries as JSON. Only the account that made them may send them.
 */
export async function takeEntries(deps: WebDeps, sent: OwnSentRequest): Promise<PageAnswer> {
  const { who, form } = sent;
  if (form.text('account') !== String(who.accountId)) {
    return { data: { error: 'These entries are from another account.' }, status: 409 };
  }
  const entries = readEntries(form.text('entries'), Number(form.text('sent_at')), sent.at);
  if (entries === null) {
    const error = `Send a list of 1 to ${deviceEntryLimits.perRequest} entries.`;
    return { data: { error }, status: 400 };
  }
  const ids = entries.map(({ id }) => id);
  const applied = await deps.accounts.findSentForms(who.accountId, ids);
  const results: (EntryOutcome & { readonly id: string })[] = [];
  for (const entry of entries) {
    const { id } = entry;
    try {
      const isDone = applied.has(id);
      results.push({ id, ...(isDone ? { reason: null } : await takeEntry(deps, sent, entry)) });
    } catch (error) {
      // The others go on.
      deps.onFailure('device entry', error);
      results.push({ id, reason: failed, hasFailed: true });
    }
  }
  return { data: { results } };
}

const failed = 'The server failed to save it. It will be sent again.';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * Null if it is no list of entries. `sentAt` is by the clock of the device, which may have been set
 * right since an entry was made: none was made after it arrived.
 */
function readEntries(text: string, sentAt: number, at: number): readonly SentEntry[] | null {
  try {
    const list: unknown = JSON.parse(text);
    if (!Array.isArray(list) || !list.every(isEntry) || !Number.isInteger(sentAt)) return null;
    if (list.length === 0 || list.length > deviceEntryLimits.perRequest) return null;
    const madeAt = (entry: SentEntry) => Math.min(at, entry.madeAt + at - sentAt);
    return list.map((entry) => ({ ...entry, madeAt: madeAt(entry) }));
  } catch {
    return null;
  }
}

function isEntry(value: unknown): value is SentEntry {
  if (typeof value !== 'object' || value === null) return false;
  const { id, madeAt, kind } = value as Partial<SentEntry>;
  return (
    typeof id === 'string' && uuid.test(id) && Number.isInteger(madeAt) && typeof kind === 'string'
  );
}

async function takeEntry(deps: WebDeps, sent: OwnSentRequest, entry: SentEntry) {
  const read = Object.hasOwn(readers, entry.kind) ? readers[entry.kind] : undefined;
  const kind = entry.kind.slice(0, 20);
  if (!read) return { reason: `This server does not know entries of the kind '${kind}'.` };
  const fields = FormReader.ofQuery(textsOf(entry), sent.today);
  const change = await read({ deps, sent, entry, fields });
  if (!fields.isGood || change === null) {
    const { faults } = fields.typed;
    return { reason: Object.values(faults)[0] ?? 'It could not be read.', faults };
  }
  const { id, madeAt } = entry;
  const mark = { id, madeAt };
  const reason = await applyEntry(deps, sent.who.accountId, { mark, change, at: sent.at });
  if (reason === null && 'watched' in change) await settleAlerts(deps, sent, change.keys);
  return { reason: reason && sentence(reason) };
}

/** Returns why it was not applied; null if it was, now or before. */
async function applyEntry(
  { accounts }: WebDeps,
  accountId: number,
  entry: { readonly mark: EntryMark; readonly change: Change; readonly at: number },
): Promise<string | null> {
  const { mark, change, at } = entry;
  if (!('rows' in change)) {
    const outcome = await accounts.applyForm({ ...mark, accountId, at }, (store) =>
      store.applyEntry(accountId, { mark, change, at }),
    );
    return outcome === 'done' || outcome === 'sent before' ? null : outcome;
  }
  const { outcomes } = await accounts.change(accountId, { ...change, sent: mark }, at);
  return outcomes.find(isRejected)?.reason ?? null;
}

/** The effect of an entry; one about lots is a change like that of a form. */
type Change = EntryChange | { readonly rows: readonly AccountRow[] };

/** Alerts that an item matches already are not sent. */
async function settleAlerts(deps: WebDeps, sent: OwnSentRequest, keys: EventItems): Promise<void> {
  const { accountId } = sent.who;
  for (const item of await deps.accounts.findWatched(accountId, keys)) {
    await countMatching(deps, { accountId, listId: item.listId }, [item]);
  }
}

/** The fields of an entry as they would be in a form, so that the same rules apply. */
function textsOf(entry: SentEntry): URLSearchParams {
  const texts = new URLSearchParams();
  for (const [name, value] of Object.entries(entry)) {
    if (value === null || value === '') continue;
    const isCents = name === 'priceCents' && typeof value === 'number';
    texts.set(isCents ? 'price' : name, String(isCents ? value / 100 : value));
  }
  return texts;
}

interface Reading {
  readonly deps: WebDeps;
  readonly sent: OwnSentRequest;
  readonly entry: SentEntry;
  readonly fields: FormReader;
}

/** Null, or an error of a field, if the entry is not valid. */
const readers: Readonly<Record<string, (reading: Reading) => Promise<Change | null>>> = {
  purchase: readPurchase,
  watch: readWatch,
  code: readCode,
};

/** A lot, as from the form that adds one. Without a price, the list price is used. */
async function readPurchase(reading: Reading): Promise<Change | null> {
  const { deps, sent, entry, fields } = reading;
  const item = await readItem(reading);
  const quantity = fields.whole('quantity', { min: 1, max: quantityMax });
  const condition = fields.word('condition', conditions);
  const purchaseDate = fields.pastDay('date');
  const paidCents = fields.centsOrNull('price');
  if (!item) return null;
  const hasList = paidCents === null && item.kind === 'set';
  const listCents = hasList ? await findListPrice(deps, item.number) : null;
  const priceCents = paidCents ?? listCents;
  if (priceCents === null) {
    fields.fail('price', 'Enter what you paid. The list price is unknown.');
    return null;
  }
  const isEstimated = paidCents === null;
  const terms = { ...item, quantity, condition, priceCents, purchaseDate, isEstimated };
  const brickfolios = await deps.accounts.listBrickfolios(sent.who.accountId);
  const usual = brickfolios.find(({ isDefault }) => isDefault) ?? brickfolios[0];
  const brickfolio = { name: usual?.name ?? firstBrickfolio, isNew: usual === undefined };
  return { rows: boughtRows(entry.id, { lots: [{ ...lotDefaults, ...terms }], brickfolio }) };
}

async function readWatch(reading: Reading): Promise<EntryChange | null> {
  const item = await readItem(reading);
  if (!item) return null;
  const key = itemKey(item.kind, item.number);
  const keys = await reading.deps.market.findAllKeys({ set: [], minifig: [], [item.kind]: [key] });
  return { watched: { ...item, key, targetCents: null, note: '' }, keys };
}

async function readCode({ fields }: Reading): Promise<EntryChange | null> {
  const barcode = readBarcode(fields.form.text('code'));
  if (barcode === null) fields.fail('code', 'It is no barcode: its check digit does not match.');
  return barcode === null ? null : { barcode };
}

/** The item with exactly this number; null, and an error, if there is none. */
async function readItem({
  deps,
  fields,
}: Reading): Promise<{ readonly kind: ItemKind; readonly number: string } | null> {
  const kind = fields.word('type', itemKinds);
  const number = fields.text('number', pickedLengthMax);
  if (!fields.isGood) return null;
  const found = await findExact(deps, kind, number);
  if (!found) fields.fail('number', `No ${kind} has the number ${number}.`);
  return found && { kind, number: found.number };
}
