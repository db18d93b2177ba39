/** All questions for a source at an instant, with the facts that determine their worth. */

import { lookUpsOn } from '../catalog/interest/interest.ts';
import { dayMs, dayOf } from '../kernel/time.ts';
import { keptUncertainty } from '../market/values/uncertainty.ts';
import type { PlanningStore } from './planning.store.ts';
import type { AskedQuestion, ItemName, PlannedItem, PlanScope, Topic } from './planning.ts';
import type { ItemInterest, QuestionFacts } from './worth.ts';

export interface PlannedQuestion {
  readonly item: PlannedItem;
  readonly topic: Topic;
  readonly state: AskedState;
  readonly facts: QuestionFacts;
}

export type AskedState = Pick<AskedQuestion, 'askedAt' | 'retryAt' | 'isKnown'>;

const neverAsked: AskedState = { askedAt: null, retryAt: null, isKnown: true };

/** Questions about items of one kind with the same requirements. */
interface KindQuestions {
  readonly topics: readonly Topic[];
  readonly items: readonly PlannedItem[];
  /** Sorted by item, with the index of each item's first row. */
  readonly rows: readonly AskedQuestion[];
  readonly firstRowOf: ReadonlyMap<string, number>;
  readonly interestOf: ReadonlyMap<string, ItemInterest>;
}

const noInterest: ItemInterest = { units: 0, lookUps: 0 };

/** Questions of some topics, created on access because there are many. */
export class AllQuestions {
  readonly #kinds: readonly KindQuestions[];
  readonly #at: number;

  private constructor(kinds: readonly KindQuestions[], at: number) {
    this.#kinds = kinds;
    this.#at = at;
  }

  static async load(store: PlanningStore, scope: PlanScope): Promise<AllQuestions> {
    const kinds: KindQuestions[] = [];
    const alike = Map.groupBy(scope.topics, ({ kind, needs }) => `${kind} ${needs}`);
    for (const [first, ...others] of alike.values()) {
      if (first) kinds.push(await loadKind(store, { ...scope, topics: [first, ...others] }));
    }
    return new AllQuestions(kinds, scope.at);
  }

  get count(): number {
    return this.#kinds.reduce((sum, { items, topics }) => sum + items.length * topics.length, 0);
  }

  forEach(visit: (index: number, facts: QuestionFacts, state: AskedState) => void): void {
    let index = 0;
    for (const kind of this.#kinds) {
      for (const item of kind.items) {
        for (const topic of kind.topics) {
          const state = findAsked(kind, item.key, topic.name);
          visit(index++, this.#facts(kind, { item, topic, state }), state);
        }
      }
    }
  }

  at(index: number): PlannedQuestion {
    let from = 0;
    for (const kind of this.#kinds) {
      const { items, topics } = kind;
      const item = items[Math.floor((index - from) / topics.length)];
      const topic = topics[(index - from) % topics.length];
      if (item && topic) return this.#question(kind, item, topic);
      from += items.length * topics.length;
    }
    throw new Error(`There is no question ${index}.`);
  }

  ofItem({ kind, key }: ItemName): PlannedQuestion[] {
    return this.#kinds.flatMap((questions) => {
      const topics = questions.topics.filter((topic) => topic.kind === kind);
      const item = topics.length > 0 && questions.items.find((each) => each.key === key);
      return item ? topics.map((topic) => this.#question(questions, item, topic)) : [];
    });
  }

  /** Whether a failed question must not be repeated yet. */
  isPostponed({ retryAt }: AskedState): boolean {
    return retryAt !== null && retryAt > this.#at;
  }

  #question(kind: KindQuestions, item: PlannedItem, topic: Topic): PlannedQuestion {
    const state = findAsked(kind, item.key, topic.name);
    return { item, topic, state, facts: this.#facts(kind, { item, topic, state }) };
  }

  #facts(
    { interestOf }: KindQuestions,
    { item, topic, state: { askedAt, isKnown } }: Omit<PlannedQuestion, 'facts'>,
  ): QuestionFacts {
    return {
      uncertainty: topic.condition && keptUncertainty(item, topic.condition),
      interest: interestOf.get(item.key) ?? noInterest,
      // The difference is negative if the clock was ahead.
      askedDays: askedAt === null ? null : Math.max(0, this.#at - askedAt) / dayMs,
      isKnown,
      reachDays: topic.reachDays,
      restDays: topic.restDays,
    };
  }
}

function findAsked({ rows, firstRowOf }: KindQuestions, key: string, topic: string): AskedState {
  for (let index = firstRowOf.get(key) ?? rows.length; index < rows.length; index++) {
    const row = rows[index];
    if (row?.key !== key) break;
    if (row.topic === topic) return row;
  }
  return neverAsked;
}

async function loadKind(
  store: PlanningStore,
  scope: PlanScope & { readonly topics: readonly [Topic, ...Topic[]] },
): Promise<KindQuestions> {
  const { source, topics, at } = scope;
  const [{ kind, needs }] = topics;
  const items = await store.listPlanned(kind, needs);
  const rows = await store.listAsked(source, kind);
  const firstRowOf = new Map<string, number>();
  rows.forEach(({ key }, index) => {
    if (index === 0 || rows[index - 1]?.key !== key) firstRowOf.set(key, index);
  });
  const interestOf = new Map<string, ItemInterest>();
  for (const counts of await store.listWanted(kind)) {
    interestOf.set(counts.key, { units: counts.units, lookUps: lookUpsOn(counts, dayOf(at)) });
  }
  return { topics, items, rows, firstRowOf, interestOf };
}
