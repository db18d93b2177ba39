/** Turns lots of files into rows, with lookups of sets, rates and stored lots. */

import { type ItemKind, itemKey, looksLikeMinifig } from '../../catalog/items/numbers.ts';
import { hiddenCharacterProblem } from '../../kernel/text.ts';
import { formatDay } from '../../kernel/time.ts';
import { conditionOfGrade, type Grade } from '../../market/grades/grades.ts';
import type { KnownSet } from '../../market/source-rows/market-ingest.ts';
import {
  type Condition,
  conditions,
  usualCondition,
} from '../../market/source-rows/source-rows.ts';
import {
  assumedPurchaseDate,
  type DateBasis,
  type HoldingStatus,
  numberFields,
  type StoredLot,
} from '../../portfolio/lots/lots.ts';
import type { PrivateRow } from '../../portfolio/lots/private-rows.ts';
import { feedBrickfolio, feedHolding } from '../feed/feed-private.ts';
import { Fields, RowError } from '../runner/fields.ts';
import type { ReadOptions } from '../runner/format.work.ts';
import {
  isRejection,
  type LocatedRow,
  type Location,
  type Prerequisite,
  type Rejection,
  readLocated,
  rejectionRow,
  type SourceItem,
} from '../runner/located-row.ts';
import { type LooseMoney, looseMoney, looseWhole } from '../runner/loose.ts';
import { RunningNumbers } from '../runner/running-numbers.ts';
import type { Owner } from './account.work.ts';
import { gradeOfWord, type ImportedLotDetails } from './imported-lot-details.ts';
import { toDollars } from './rates.work.ts';

/** A lot before any lookup. */
export interface LotDraft extends Location {
  /** The lot's ID; or only its source, if rows have no IDs. */
  readonly id: { readonly own: string } | { readonly source: string };
  /** Undefined if the file does not say; the number decides. */
  readonly kind?: ItemKind;
  readonly number: string;
  readonly quantity: number;
  /** Null if unknown; then the usual one of its kind. */
  readonly condition: Condition | null;
  /** Unit price; null if unknown. */
  readonly price: LooseMoney | null;
  /** Purchase date; null if unknown. */
  readonly date: string | null;
  /** The file's retail price, or its market price of a minifig, in US cents. */
  readonly retailCents: number | null;
  readonly brickfolio?: string;
  readonly status?: HoldingStatus;
  readonly details?: ImportedLotDetails;
  /** Notes for a lot that is not stored yet, if the details have none. */
  readonly newNotes?: string | null;
  /** The date as written, if it is ambiguous. */
  readonly unclearDay?: string;
  /** As the file names the set. */
  readonly name?: string | null;
}

type KnownItem = { readonly kind: ItemKind } & Omit<KnownSet, 'title'>;

interface KnownDraft {
  readonly draft: LotDraft & { readonly condition: Condition };
  readonly known: KnownItem;
}

interface NamedDraft extends KnownDraft {
  readonly sourceId: string;
}

interface DatedDraft extends NamedDraft {
  readonly date: string;
  readonly dateBasis: DateBasis;
}

interface Price {
  readonly cents: number;
  readonly isEstimated: boolean;
}

export function readWhole(text: string, name: string): number {
  const value = looseWhole(text);
  if (value === null) throw new RowError(`${name} must be a whole number, not '${text}'`);
  return value;
}

/** At least 0; `name` starts the message. */
export function readMoney(text: string, name: string, example: string): LooseMoney {
  const value = looseMoney(text);
  if (value === null || value.cents < 0) {
    throw new RowError(`${name} must be an amount such as ${example}, not '${text}'`);
  }
  return value;
}

export class LotWriter {
  /** Occurrences by item, condition and date. */
  private readonly numbers = new RunningNumbers();
  /** Existing collections, and those created by earlier rows. */
  private readonly brickfolios: Set<string>;

  constructor(
    private readonly options: ReadOptions,
    private readonly owner: Owner,
  ) {
    this.brickfolios = new Set(owner.brickfolios);
  }

  /** Collections to create come first. */
  async toRows(drafts: readonly (LotDraft | Rejection)[]): Promise<SourceItem[]> {
    const named = await this.nameAll(drafts);
    const ids = named.flatMap((each) => ('sourceId' in each ? each.sourceId : []));
    const stored = await this.options.store.accounts.findLotsBySourceIds(this.owner.id, ids);
    const today = formatDay(this.options.clock());
    const dated = named.map((each) =>
      'sourceId' in each ? this.withDate(each, stored.get(each.sourceId), today) : each,
    );
    const paid = await this.findPaid(
      dated.filter((each): each is DatedDraft => 'sourceId' in each),
      today,
    );
    const rows = dated.map((lot): LocatedRow => {
      if (!('sourceId' in lot)) return rejectionRow(lot);
      const before = stored.get(lot.sourceId);
      const row = readLocated(lot.draft, () => {
        const price = this.priceOf(lot, paid.get(lot) ?? null, before);
        return { row: this.rowOf(lot, price, before) };
      });
      // Stored lots keep their values, so their gaps do not matter.
      return before ? row : withGaps(row, lot.draft);
    });
    const once = rows.filter((row, index) => !isSameReject(row, rows[index - 1]));
    return [...this.prerequisites(once), ...once];
  }

  /** Assigns source IDs to lots of known items, and rejects the others. */
  private async nameAll(
    drafts: readonly (LotDraft | Rejection)[],
  ): Promise<(NamedDraft | Rejection)[]> {
    const checked = drafts.map((draft) => (isRejection(draft) ? draft : withCheckedNames(draft)));
    const find = await this.findItems(
      checked.filter((draft): draft is LotDraft => !isRejection(draft)),
    );
    return checked.map((draft) => {
      if (isRejection(draft)) return draft;
      const known = find(draft);
      if (!known) return unknownItem(draft);
      const condition = draft.condition ?? usualCondition(known.kind);
      const found = { draft: { ...draft, condition }, known };
      return { ...found, sourceId: this.nameOf(found) };
    });
  }

  /** A number of unknown kind is that of a set, or else of a minifig. */
  private async findItems(
    drafts: readonly LotDraft[],
  ): Promise<(draft: LotDraft) => KnownItem | null> {
    const { market } = this.options.store;
    const keysOf = (kind: ItemKind, among: readonly LotDraft[]) => [
      ...new Set(
        among.flatMap((each) => ((each.kind ?? kind) === kind ? [itemKey(kind, each.number)] : [])),
      ),
    ];
    const sets = await market.findKnownSets(keysOf('set', drafts));
    const setOf = ({ kind, number }: LotDraft) =>
      kind === 'minifig' ? undefined : sets.get(itemKey('set', number));
    const others = drafts.filter((draft) => !setOf(draft));
    const minifigs = await market.findKnownMinifigs(keysOf('minifig', others));
    return (draft) => {
      const set = setOf(draft);
      if (set) return { kind: 'set', ...set };
      const minifig =
        draft.kind === 'set' ? undefined : minifigs.get(itemKey('minifig', draft.number));
      if (!minifig) return null;
      const { number, year, valueCents } = minifig;
      // Minifigs have no list price, so their value is used.
      return { kind: 'minifig', number, year, releaseDate: null, msrpCents: valueCents };
    };
  }

  /**
   * Rows without IDs are identified by item, condition, date and a running number, so that removing
   * one does not change those with other dates.
   */
  private nameOf({ draft, known }: KnownDraft): string {
    const { id, number, condition, date } = draft;
    if ('own' in id) return id.own;
    const { brickfolio } = this.options.settings;
    const source = brickfolio === null ? id.source : `${id.source}/${brickfolio.trim()}`;
    const day = date === null ? '' : `/${date}`;
    const name = `${source}/${itemKey(known.kind, number)}/${condition}${day}`;
    return `${name}#${this.numbers.next(name)}`;
  }

  /** From the file, or else stored, or else answered by the owner, or else assumed. */
  private withDate(each: NamedDraft, stored: StoredLot | undefined, today: string): DatedDraft {
    const { date } = each.draft;
    if (date !== null) return { ...each, date, dateBasis: 'known' };
    const answered = this.options.answers?.purchaseDate ?? null;
    if (answered !== null && !stored) return { ...each, date: answered, dateBasis: 'known' };
    const missing = this.options.settings.missingDate === 'release' ? 'assumed' : 'unknown';
    return {
      ...each,
      date: stored?.purchaseDate ?? assumedPurchaseDate(each.known, today),
      dateBasis: stored?.dateBasis ?? missing,
    };
  }

  /** Unit prices of the file in US cents, or an error if there is no rate. */
  private async findPaid(
    lots: readonly DatedDraft[],
    today: string,
  ): Promise<Map<DatedDraft, number | RowError | null>> {
    const amounts = lots.map(({ draft, date, dateBasis }) => ({
      money: draft.price,
      date,
      // There may be no rates for an assumed date.
      fallbackDate: dateBasis === 'known' ? date : today,
    }));
    const paid = await toDollars(this.options.store.market, amounts);
    return new Map(lots.map((lot, index) => [lot, paid[index] ?? null]));
  }

  /** From the file; without one, rejected, stored, answered or assumed, by the settings. */
  private priceOf(
    { draft, known }: NamedDraft,
    paid: number | RowError | null,
    stored: StoredLot | undefined,
  ): Price {
    if (paid instanceof RowError) throw paid;
    if (paid !== null) return { cents: paid, isEstimated: false };
    const { missingPrice } = this.options.settings;
    if (missingPrice === 'reject') {
      throw this.noPrice('there is no price', '--missing-price msrp or zero');
    }
    if (stored && !stored.isEstimated) return { cents: stored.priceCents, isEstimated: false };
    const answered = this.options.answers?.priceCents ?? null;
    if (answered !== null && !stored) return { cents: answered, isEstimated: false };
    if (missingPrice === 'zero') return { cents: 0, isEstimated: true };
    const before = stored?.priceCents || null;
    const cents = before ?? known.msrpCents ?? draft.retailCents;
    if (cents === null) {
      throw this.noPrice(
        known.kind === 'set'
          ? `there is no price, and no MSRP of ${known.number}`
          : `there is no price, and no value of ${known.number}`,
        '--missing-price zero',
      );
    }
    return { cents, isEstimated: true };
  }

  /** The flag is for the command line; pages ask the owner. */
  private noPrice(reason: string, flag: string): RowError {
    return new RowError(this.options.answers ? reason : `${reason}; use ${flag}`);
  }

  private rowOf(
    { draft, known, sourceId, date, dateBasis }: DatedDraft,
    price: Price,
    stored: StoredLot | undefined,
  ): PrivateRow {
    const named = this.options.settings.brickfolio;
    const record = {
      account: this.owner.email,
      source_id: sourceId,
      // Lots moved to another collection stay there, unless a collection is given.
      brickfolio:
        draft.brickfolio ?? ((named === null && stored?.brickfolio) || this.owner.brickfolio),
      ...numberFields({ kind: known.kind, number: draft.number }),
      quantity: draft.quantity,
      condition: draft.condition,
      purchase_price_usd: price.cents / 100,
      purchase_date: date,
      status: draft.status ?? stored?.status ?? null,
      ...draft.details,
      notes: draft.details?.notes ?? (stored ? null : (draft.newNotes ?? null)),
    };
    const row = feedHolding.read(new Fields(record, this.options.clock()));
    const { isEstimated } = price;
    // Details that the file does not have stay as stored.
    return { ...row, facts: { ...row.facts, isEstimated, dateBasis } };
  }

  private prerequisites(rows: readonly LocatedRow[]): Prerequisite[] {
    const named = rows.flatMap(({ result }) =>
      'row' in result && result.row.kind === 'holding' ? [result.row.facts.brickfolio] : [],
    );
    const missing = [...new Set(named)].filter((name) => !this.brickfolios.has(name));
    return missing.map((name) => {
      this.brickfolios.add(name);
      const record = { account: this.owner.email, name };
      return { prerequisite: feedBrickfolio.read(new Fields(record, this.options.clock())) };
    });
  }
}

/** Rows that become two lots are rejected once. */
function isSameReject({ where, result }: LocatedRow, before: LocatedRow | undefined): boolean {
  if ('row' in result || !before || 'row' in before.result) return false;
  return where === before.where && result.reason === before.result.reason;
}

/** Adds the gaps of a lot. The text stays lazy. */
function withGaps(located: LocatedRow, draft: LotDraft): LocatedRow {
  const { date, price, unclearDay = null, name = null } = draft;
  const gaps = { hasNoDate: date === null, hasNoPrice: price === null, unclearDay, name };
  return {
    where: located.where,
    get text() {
      return located.text;
    },
    result: { ...located.result, gaps },
  };
}

/** Texts with control characters cannot be looked up in every store. */
function withCheckedNames(draft: LotDraft): LotDraft | Rejection {
  const ofNumber = hiddenCharacterProblem(draft.number);
  const ofName = 'own' in draft.id ? hiddenCharacterProblem(draft.id.own) : null;
  if (!ofNumber && !ofName) return draft;
  const reason = ofNumber ? `the number ${ofNumber}` : `the lot ID ${ofName}`;
  return { where: draft.where, text: draft.text, reason };
}

function unknownItem({ where, text, number, kind }: LotDraft): Rejection {
  const noun = kind ?? (looksLikeMinifig(number) ? 'minifig' : 'set');
  return { where, text, reason: `${noun} '${number}' is not in the catalog` };
}

/** A condition with what its word says beyond it: as a grade, or else as a note. */
export function readGraded(
  word: string,
  read: (word: string) => Condition = readCondition,
): { readonly condition: Condition; readonly grade: Grade | null; readonly note: string | null } {
  const grade = gradeOfWord(word);
  if (grade) return { condition: conditionOfGrade(grade), grade, note: null };
  const condition = read(word);
  const isPlain = /^(n|new|sealed|u|used)$/i.test(word.trim());
  return { condition, grade: null, note: isPlain ? null : `Condition: ${word.trim()}` };
}

/** Throws if the word is unknown. */
export function readCondition(word: string): Condition {
  const key = word.toLowerCase().replace(/[^a-z]/g, '');
  if (key === 'new' || key === 'n') return 'sealed';
  if (key === 'u' || key.startsWith('used')) return 'used';
  const condition = conditions.find((each) => each === key);
  if (condition) return condition;
  throw new RowError(`the condition must be New, Sealed or Used, not '${word}'`);
}
