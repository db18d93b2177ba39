/** Makes lots of what files tell: looks up sets, rates, and the lots that are there already. */

import { itemKey } from '../../domain/catalog/numbers.ts';
import { hiddenCharacterProblem } from '../../domain/kernel/text.ts';
import { formatDay } from '../../domain/kernel/time.ts';
import type { KnownSet } from '../../domain/market/market-lookups.ts';
import { type Condition, conditions } from '../../domain/market/source-rows.ts';
import type { StoredLot } from '../../domain/portfolio/lot-store.ts';
import type { PrivateRow } from '../../domain/portfolio/private-rows.ts';
import { feedBrickfolio, feedHolding } from '../feed/feed-private.ts';
import { Fields, RowFault } from '../fields.ts';
import type { ReadOptions } from '../format.ts';
import { placed, type Refusal, refused } from '../placed.ts';
import type { Groundwork, PlacedRow, SourceItem } from '../source-row.ts';
import type { Owner } from './account.ts';
import { isRefusal, type LotDraft } from './draft.ts';
import { toDollars } from './rates.ts';

/** A draft with the name that it is stored under. */
interface NamedDraft {
  readonly draft: LotDraft;
  readonly sourceId: string;
  readonly known: KnownSet;
}

/** What one unit cost, and whether that is a guess. */
interface Price {
  readonly cents: number;
  readonly isEstimated: boolean;
}

/** Turns drafts into rows, a group at a time. */
export class LotWriter {
  /** How often a set was met in a condition, for names. As large as the sets of the catalog. */
  private readonly met = new Map<string, number>();
  private hasBrickfolio: boolean;

  constructor(
    private readonly options: ReadOptions,
    private readonly owner: Owner,
  ) {
    this.hasBrickfolio = !owner.brickfolio.isNew;
  }

  /** The rows of a group, and the collection before the first lot if it has to be made. */
  async place(drafts: readonly (LotDraft | Refusal)[]): Promise<SourceItem[]> {
    const named = await this.nameAll(drafts);
    const lots = named.filter((each): each is NamedDraft => 'sourceId' in each);
    const ids = lots.map(({ sourceId }) => sourceId);
    const stored = await this.options.store.accounts.findLots(this.owner.id, ids);
    const today = formatDay(this.options.clock());
    const dated = lots.map((each) => ({
      ...each,
      date: each.draft.date ?? stored.get(each.sourceId)?.purchaseDate ?? today,
    }));
    const paid = await toDollars(
      this.options.store.market,
      dated.map(({ draft, date }) => ({ money: draft.price, date })),
    );
    let next = 0;
    const rows = named.map((each): PlacedRow => {
      if (!('sourceId' in each)) return refused(each, each.reason);
      const index = next++;
      const date = dated[index]?.date ?? today;
      const { draft, sourceId } = each;
      return placed(draft, () => {
        const price = this.priceOf(each, paid[index] ?? null, stored.get(sourceId));
        return { row: this.rowOf(each, { date, price, stored: stored.get(sourceId) }) };
      });
    });
    return [...this.groundwork(rows), ...rows];
  }

  /** Gives every lot of a known set its name; the others are refused. */
  private async nameAll(
    drafts: readonly (LotDraft | Refusal)[],
  ): Promise<(NamedDraft | Refusal)[]> {
    const checked = drafts.map((draft) => (isRefusal(draft) ? draft : withSoundNames(draft)));
    const keys = checked.flatMap((d) => (isRefusal(d) ? [] : [itemKey('set', d.number)]));
    const sets = await this.options.store.market.findKnownSets([...new Set(keys)]);
    return checked.map((draft) => {
      if (isRefusal(draft)) return draft;
      const known = sets.get(itemKey('set', draft.number));
      if (!known) return { ...draft, reason: unknownSet(draft.number) };
      return { draft, known, sourceId: this.nameOf(draft) };
    });
  }

  /**
   * Rows without names are told apart by set, condition, day, and the how manieth they are: when
   * one leaves the file, those of other days stay what they are.
   */
  private nameOf({ id, number, condition, date }: LotDraft): string {
    if ('own' in id) return id.own;
    const { brickfolio } = this.options.settings;
    const source = brickfolio === null ? id.source : `${id.source}/${brickfolio.trim()}`;
    const day = date === null ? '' : `/${date}`;
    const name = `${source}/${itemKey('set', number)}/${condition}${day}`;
    const count = (this.met.get(name) ?? 0) + 1;
    this.met.set(name, count);
    return `${name}#${count}`;
  }

  /** What the file says; else what is stored; else what was asked for. */
  private priceOf(
    { draft, known }: NamedDraft,
    paid: number | RowFault | null,
    stored: StoredLot | undefined,
  ): Price {
    if (paid instanceof RowFault) throw paid;
    if (paid !== null) return { cents: paid, isEstimated: false };
    const { missingPrice } = this.options.settings;
    if (missingPrice === 'reject') {
      throw new RowFault(
        'there is no price; --missing-price msrp or zero takes it as one of these',
      );
    }
    if (stored && !stored.isEstimated) return { cents: stored.priceCents, isEstimated: false };
    if (missingPrice === 'zero') return { cents: 0, isEstimated: true };
    const before = stored?.priceCents || null;
    const cents = before ?? known.msrpCents ?? draft.retailCents;
    if (cents === null) {
      throw new RowFault(
        `there is no price, and no MSRP of ${known.number}; --missing-price zero takes 0`,
      );
    }
    return { cents, isEstimated: true };
  }

  private rowOf(
    { draft, sourceId }: NamedDraft,
    { date, price, stored }: { date: string; price: Price; stored: StoredLot | undefined },
  ): PrivateRow {
    const { brickfolio } = this.options.settings;
    const record = {
      account: this.owner.email,
      source_id: sourceId,
      // What was put elsewhere since stays there, unless a collection is named.
      brickfolio: (brickfolio === null && stored?.brickfolio) || this.owner.brickfolio.name,
      set_number: draft.number,
      quantity: draft.quantity,
      condition: draft.condition,
      purchase_price_usd: price.cents / 100,
      purchase_date: date,
      status: stored?.status ?? 'owned',
    };
    const row = feedHolding.read(new Fields(record, this.options.clock()));
    if (row.kind !== 'holding') throw new Error('A holding was read as something else.');
    return { ...row, facts: { ...row.facts, isEstimated: price.isEstimated } };
  }

  private groundwork(rows: readonly PlacedRow[]): Groundwork[] {
    if (this.hasBrickfolio || rows.every(({ source }) => 'reason' in source)) return [];
    this.hasBrickfolio = true;
    const record = { account: this.owner.email, name: this.owner.brickfolio.name };
    return [{ groundwork: feedBrickfolio.read(new Fields(record, this.options.clock())) }];
  }
}

/** Names are looked up before the feed's rules see them, and not every store takes any text. */
function withSoundNames(draft: LotDraft): LotDraft | Refusal {
  const ofNumber = hiddenCharacterProblem(draft.number);
  const ofName = 'own' in draft.id ? hiddenCharacterProblem(draft.id.own) : null;
  if (!ofNumber && !ofName) return draft;
  const reason = ofNumber ? `the number of the set ${ofNumber}` : `the name of the lot ${ofName}`;
  return { where: draft.where, text: draft.text, reason };
}

/** Why a number cannot be in a collection. */
function unknownSet(number: string): string {
  return /^([a-z]{2,4}\d{2,4}[a-z]?|fig-\d+)$/i.test(number)
    ? `'${number}' is the number of a minifig; brickfolios hold sets`
    : `there is no set '${number}'`;
}

/** The condition that a word means; throws with the words that are known. */
export function readCondition(word: string): Condition {
  const key = word.toLowerCase().replace(/[^a-z]/g, '');
  if (key === 'new' || key === 'n') return 'sealed';
  if (key === 'u' || key.startsWith('used')) return 'used';
  const condition = conditions.find((each) => each === key);
  if (condition) return condition;
  throw new RowFault(
    `the condition '${word}' is not known: New, UsedAsNew, UsedComplete, UsedIncomplete, ` +
      'Used or Sealed',
  );
}
