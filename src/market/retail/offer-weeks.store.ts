/** The stored looks of sets at retailers, by week, while a batch is applied. */

import { weekOf, weekStart } from '../../kernel/time.ts';
import * as db from '../../store/sql/operation.ts';
import { columnsBut, fieldsOf, tables } from '../../store/sql/tables.ts';
import { ByItem } from '../source-rows/by-item.store.ts';
import { type Offer, retailers } from '../source-rows/source-rows.ts';
import { type OfferFacts, type OfferRun, OfferWeek } from './offer-runs.ts';

/** Identifies an observation of a set at a retailer. */
export interface LookKey extends Pick<Offer, 'retailer' | 'observedAt'> {
  readonly itemId: number;
}

interface HeldWeek extends Pick<Offer, 'retailer'> {
  readonly itemId: number;
  readonly number: number;
  stored: readonly OfferRun[];
  week: OfferWeek;
}

export interface RunRow extends OfferFacts, Pick<OfferRun, 'lastAt' | 'looks' | 'gaps'> {
  readonly observedAt: number;
}

const key = ['itemId', 'retailer', 'observedAt'] as const;
const changing = fieldsOf(tables.offer, key) as (keyof RunRow)[];

export function toRun({ observedAt, lastAt, looks, gaps, ...facts }: RunRow): OfferRun {
  return { facts, firstAt: observedAt, lastAt, looks, gaps };
}

export function* loadOfferWeeks(looks: readonly LookKey[]): db.Operation<OfferWeeks> {
  const weeks = new OfferWeeks();
  for (const look of looks) weeks.hold(look);
  yield* weeks.load();
  return weeks;
}

class OfferWeeks {
  private readonly held = new ByItem<number, HeldWeek>();

  /** A week that was not loaded belongs to a set that this batch added, so it is empty. */
  hold({ itemId, retailer, observedAt }: LookKey): HeldWeek {
    const number = weekOf(observedAt);
    const key = number * retailers.length + retailers.indexOf(retailer);
    return this.held.getOrMake(itemId, key, () => {
      return { itemId, retailer, number, stored: [], week: new OfferWeek([]) };
    });
  }

  *load(): db.Operation<void> {
    const held = this.held.list();
    const groups = yield* db.queryGroups<RunRow>(
      `SELECT ${columnsBut(tables.offer, 'o', ['itemId', 'retailer'])}
       FROM source.offer AS o WHERE o.item_id = r.id AND o.retailer = r.retailer
         AND o.observed_at >= r.since AND o.observed_at < r.until ORDER BY o.observed_at`,
      {
        types: { id: 'bigint', retailer: 'text', since: 'bigint', until: 'bigint' },
        rows: held.map(({ itemId, retailer, number }) => ({
          id: itemId,
          retailer,
          since: weekStart(number),
          until: weekStart(number + 1),
        })),
      },
    );
    for (const [index, each] of held.entries()) {
      each.stored = (groups[index] ?? []).map(toRun);
      each.week = new OfferWeek(each.stored);
    }
  }

  find(look: LookKey): OfferFacts | null {
    return this.hold(look).week.find(look.observedAt);
  }

  /** Adds or replaces a look; null removes it. */
  set(look: LookKey, facts: OfferFacts | null): void {
    this.hold(look).week.set(look.observedAt, facts);
  }

  *save(): db.Operation<void> {
    const changes: Changes = { removed: [], added: [], extended: [], replaced: [] };
    for (const held of this.held.list()) collectChanges(held, changes);
    yield* db.deleteEach(tables.offer, changes.removed);
    yield* db.insertRows(tables.offer, changes.added);
    yield* db.updateRows(tables.offer, ['lastAt', 'looks', 'gaps'], changes.extended);
    yield* db.updateRows(tables.offer, changing, changes.replaced);
  }
}

type StoredRun = RunRow & Pick<HeldWeek, 'itemId' | 'retailer'>;

interface Changes {
  readonly removed: StoredRun[];
  readonly added: StoredRun[];
  /** Runs with more or fewer looks. */
  readonly extended: StoredRun[];
  readonly replaced: StoredRun[];
}

/** Runs are identified by their first look. */
function collectChanges({ itemId, retailer, stored, week }: HeldWeek, changes: Changes): void {
  const toRow = ({ facts, firstAt, lastAt, looks, gaps }: OfferRun) => {
    return { ...facts, itemId, retailer, observedAt: firstAt, lastAt, looks, gaps };
  };
  for (const run of week.runs) {
    if (stored.includes(run)) continue;
    const before = stored.find(({ firstAt }) => firstAt === run.firstAt);
    const kind = !before ? 'added' : before.facts === run.facts ? 'extended' : 'replaced';
    changes[kind].push(toRow(run));
  }
  for (const run of stored) {
    if (!week.runs.some(({ firstAt }) => firstAt === run.firstAt)) changes.removed.push(toRow(run));
  }
}
