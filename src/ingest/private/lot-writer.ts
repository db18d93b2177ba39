/** Makes lots of what files describe: looks up sets, rates, and the lots that are there already. */

import { itemKey } from '../../domain/catalog/numbers.ts';
import { hiddenCharacterProblem } from '../../domain/kernel/text.ts';
import { formatDay } from '../../domain/kernel/time.ts';
import type { KnownSet } from '../../domain/market/market-lookups.ts';
import { type Condition, conditions } from '../../domain/market/source-rows.ts';
import type { StoredLot } from '../../domain/portfolio/lot-store.ts';
import {
  type DateBasis,
  type HoldingStatus,
  lotFacts,
  standInDate,
} from '../../domain/portfolio/lots.ts';
import type { PrivateRow } from '../../domain/portfolio/private-rows.ts';
import { feedBrickfolio, feedHolding } from '../feed/feed-private.ts';
import { Fields, RowError } from '../fields.ts';
import type { ReadOptions } from '../format.ts';
import {
  isRejection,
  type LocatedRow,
  type Location,
  type Prerequisite,
  type Rejection,
  readLocated,
  rejectionRow,
  type SourceItem,
} from '../located-row.ts';
import type { LooseMoney } from '../loose.ts';
import { RunningNumbers } from '../running-numbers.ts';
import type { Owner } from './account.ts';
import { toDollars } from './rates.ts';

/** A lot as a file describes it, before anything is looked up. */
export interface LotDraft extends Location {
  /** Names the lot by itself; or only the source, where rows have no names of their own. */
  readonly id: { readonly own: string } | { readonly source: string };
  readonly number: string;
  readonly quantity: number;
  readonly condition: Condition;
  /** What one unit cost; null when the file does not say. */
  readonly price: LooseMoney | null;
  /** The day of purchase; null when the file does not say. */
  readonly date: string | null;
  /** The retail price that the file gives, in US cents. */
  readonly retailCents: number | null;
  /** The collection and the status, where the file has them. */
  readonly brickfolio?: string;
  readonly status?: HoldingStatus;
  /** The day as it is written, where nothing says whether the day or the month comes first. */
  readonly unclearDay?: string;
}

/** A draft with the name that it is stored under. */
interface NamedDraft {
  readonly draft: LotDraft;
  readonly sourceId: string;
  readonly known: KnownSet;
}

/** A named draft with its day of purchase, and how that is known. */
interface DatedDraft extends NamedDraft {
  readonly date: string;
  readonly dateBasis: DateBasis;
}

/** What one unit cost, and whether that is a guess. */
interface Price {
  readonly cents: number;
  readonly isEstimated: boolean;
}

/** Turns drafts into rows, a group at a time. */
export class LotWriter {
  /** How often a set was met in a condition, for names. As large as the sets of the catalog. */
  private readonly numbers = new RunningNumbers();
  /** Collections that are there, or that rows before these have made. */
  private readonly brickfolios: Set<string>;

  constructor(
    private readonly options: ReadOptions,
    private readonly owner: Owner,
  ) {
    this.brickfolios = new Set(owner.brickfolios);
  }

  /** The rows of a group, and before them the collections that have to be made. */
  async toRows(drafts: readonly (LotDraft | Rejection)[]): Promise<SourceItem[]> {
    const named = await this.nameAll(drafts);
    const ids = named.flatMap((each) => ('sourceId' in each ? each.sourceId : []));
    const stored = await this.options.store.accounts.findLots(this.owner.id, ids);
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
      // What is stored stays as it is: its owner is not asked again.
      return before ? row : withGaps(row, lot.draft);
    });
    const once = rows.filter((row, index) => !isSameRefusal(row, rows[index - 1]));
    return [...this.prerequisites(once), ...once];
  }

  /** Gives every lot of a known set its name; the others are refused. */
  private async nameAll(
    drafts: readonly (LotDraft | Rejection)[],
  ): Promise<(NamedDraft | Rejection)[]> {
    const checked = drafts.map((draft) => (isRejection(draft) ? draft : withCheckedNames(draft)));
    const keys = checked.flatMap((d) => (isRejection(d) ? [] : [itemKey('set', d.number)]));
    const sets = await this.options.store.market.findKnownSets([...new Set(keys)]);
    return checked.map((draft) => {
      if (isRejection(draft)) return draft;
      const known = sets.get(itemKey('set', draft.number));
      if (!known) return unknownSet(draft);
      return { draft, known, sourceId: this.nameOf(draft) };
    });
  }

  /**
   * Rows without names are distinguished by set, condition, day, and a running number: when
   * one leaves the file, those of other days stay what they are.
   */
  private nameOf({ id, number, condition, date }: LotDraft): string {
    if ('own' in id) return id.own;
    const { brickfolio } = this.options.settings;
    const source = brickfolio === null ? id.source : `${id.source}/${brickfolio.trim()}`;
    const day = date === null ? '' : `/${date}`;
    const name = `${source}/${itemKey('set', number)}/${condition}${day}`;
    return `${name}#${this.numbers.next(name)}`;
  }

  /** The day that the file says; else the one stored; else one that stands in. */
  private withDate(each: NamedDraft, stored: StoredLot | undefined, today: string): DatedDraft {
    const { date } = each.draft;
    if (date !== null) return { ...each, date, dateBasis: 'known' };
    const answered = this.options.answers?.purchaseDate ?? null;
    if (answered !== null && !stored) return { ...each, date: answered, dateBasis: 'known' };
    const missing = this.options.settings.missingDate === 'release' ? 'assumed' : 'unknown';
    return {
      ...each,
      date: stored?.purchaseDate ?? standInDate(each.known, today),
      dateBasis: stored?.dateBasis ?? missing,
    };
  }

  /** What the file says that a unit cost, in US cents; the error where there is no rate for it. */
  private async findPaid(
    lots: readonly DatedDraft[],
    today: string,
  ): Promise<Map<DatedDraft, number | RowError | null>> {
    const amounts = lots.map(({ draft, date, dateBasis }) => ({
      money: draft.price,
      date,
      // Rates may not reach back to the day that stands in.
      fallbackDate: dateBasis === 'known' ? date : today,
    }));
    const paid = await toDollars(this.options.store.market, amounts);
    return new Map(lots.map((lot, index) => [lot, paid[index] ?? null]));
  }

  /** What the file says; else what is stored; else what was asked for. */
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
        `there is no price, and no MSRP of ${known.number}`,
        '--missing-price zero',
      );
    }
    return { cents, isEstimated: true };
  }

  /** The flag is for those who typed the command: pages ask instead. */
  private noPrice(reason: string, flag: string): RowError {
    return new RowError(this.options.answers ? reason : `${reason}; use ${flag}`);
  }

  private rowOf(
    { draft, sourceId, date, dateBasis }: DatedDraft,
    price: Price,
    stored: StoredLot | undefined,
  ): PrivateRow {
    const named = this.options.settings.brickfolio;
    const record = {
      account: this.owner.email,
      source_id: sourceId,
      // What was put elsewhere since stays there, unless a collection is named.
      brickfolio:
        draft.brickfolio ?? ((named === null && stored?.brickfolio) || this.owner.brickfolio),
      set_number: draft.number,
      quantity: draft.quantity,
      condition: draft.condition,
      purchase_price_usd: price.cents / 100,
      purchase_date: date,
      status: draft.status ?? stored?.status ?? null,
    };
    const row = feedHolding.read(new Fields(record, this.options.clock()));
    const { isEstimated } = price;
    if (!stored) return { ...row, facts: { ...row.facts, isEstimated, dateBasis } };
    // A file decides these alone; everything else about the lot stays as it is stored.
    const { brickfolio, setNumber, quantity, condition, priceCents, purchaseDate, status } =
      row.facts;
    const said = { brickfolio, setNumber, quantity, condition, priceCents, purchaseDate, status };
    return { ...row, facts: { ...lotFacts(stored), ...said, isEstimated, dateBasis } };
  }

  private prerequisites(rows: readonly LocatedRow[]): Prerequisite[] {
    const named = rows.flatMap(({ result }) =>
      'row' in result && result.row.kind === 'holding' ? [result.row.facts.brickfolio] : [],
    );
    const made = [...new Set(named)].filter((name) => !this.brickfolios.has(name));
    return made.map((name) => {
      this.brickfolios.add(name);
      const record = { account: this.owner.email, name };
      return { prerequisite: feedBrickfolio.read(new Fields(record, this.options.clock())) };
    });
  }
}

/** Whether the row before was the same: a line that would be two lots is refused once. */
function isSameRefusal({ where, result }: LocatedRow, before: LocatedRow | undefined): boolean {
  if ('row' in result || result.minifig || !before || 'row' in before.result) return false;
  return where === before.where && result.reason === before.result.reason;
}

/** A row with what the file does not say of it. Its text is made no earlier than it was. */
function withGaps(located: LocatedRow, { date, price, unclearDay }: LotDraft): LocatedRow {
  const hasNo = { hasNoDate: date === null, hasNoPrice: price === null };
  const gaps = { ...hasNo, unclearDay: unclearDay ?? null };
  return {
    where: located.where,
    get text() {
      return located.text;
    },
    result: { ...located.result, gaps },
  };
}

/** Names are looked up before the feed's rules see them, and not every store takes any text. */
function withCheckedNames(draft: LotDraft): LotDraft | Rejection {
  const ofNumber = hiddenCharacterProblem(draft.number);
  const ofName = 'own' in draft.id ? hiddenCharacterProblem(draft.id.own) : null;
  if (!ofNumber && !ofName) return draft;
  const reason = ofNumber ? `the set number ${ofNumber}` : `the lot ID ${ofName}`;
  return { where: draft.where, text: draft.text, reason };
}

/** Why a number cannot be in a collection. */
function unknownSet({ where, text, number, quantity, condition }: LotDraft): Rejection {
  if (!/^([a-z]{2,4}\d{2,4}[a-z]?|fig-\d+)$/i.test(number)) {
    return { where, text, reason: `set '${number}' is not in the catalog` };
  }
  const reason = `'${number}' is the number of a minifig; only sets can be imported`;
  return { where, text, reason, minifig: { number, quantity, condition } };
}

/** The condition that a word means; throws with the words that are known. */
export function readCondition(word: string): Condition {
  const key = word.toLowerCase().replace(/[^a-z]/g, '');
  if (key === 'new' || key === 'n') return 'sealed';
  if (key === 'u' || key.startsWith('used')) return 'used';
  const condition = conditions.find((each) => each === key);
  if (condition) return condition;
  throw new RowError(
    'the condition must be New, Sealed, Used, UsedAsNew, UsedComplete or UsedIncomplete; ' +
      `it is '${word}'`,
  );
}
