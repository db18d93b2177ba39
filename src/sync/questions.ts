/** All questions that a source can be asked at an instant, as they are told apart and weighed. */
import { dayMs, dayOf } from '../domain/kernel/time.ts';
import { keptUncertainty } from '../domain/market/uncertainty.ts';
import { lookUpsOn } from '../domain/search/interest.ts';
import type { ItemName, PlanScope, Topic } from '../domain/sync/planning.ts';
import type { AskedQuestion, PlannedItem, PlanningStore } from '../domain/sync/planning-store.ts';
import type { QuestionFacts, Wanted } from '../domain/sync/worth.ts';

/** A question about an item. */
export interface PlannedQuestion {
  readonly item: PlannedItem;
  readonly topic: Topic;
  readonly asked: AskedState;
  readonly facts: QuestionFacts;
}

/** What came of a question so far. */
export type AskedState = Pick<AskedQuestion, 'askedAt' | 'retryAt' | 'isKnown'>;

const neverAsked: AskedState = { askedAt: null, retryAt: null, isKnown: true };

/** The questions about items of one kind that need the same. */
interface KindQuestions {
  readonly topics: readonly Topic[];
  readonly items: readonly PlannedItem[];
  /** What was asked, all about one item together, and where that begins. */
  readonly asked: readonly AskedQuestion[];
  readonly askedFrom: ReadonlyMap<string, number>;
  readonly wanted: ReadonlyMap<string, Wanted>;
}

const nobody: Wanted = { units: 0, lookUps: 0 };

/** All questions of some topics. They are made when they are looked at: there are many. */
export class AllQuestions {
  readonly #kinds: readonly KindQuestions[];
  readonly #at: number;

  private constructor(kinds: readonly KindQuestions[], at: number) {
    this.#kinds = kinds;
    this.#at = at;
  }

  /** Reads what they are made from. */
  static async load(store: PlanningStore, scope: PlanScope): Promise<AllQuestions> {
    const kinds: KindQuestions[] = [];
    const alike = Map.groupBy(scope.topics, ({ kind, needs }) => `${kind} ${needs}`);
    for (const [first, ...others] of alike.values()) {
      if (first) kinds.push(await loadKind(store, { ...scope, topics: [first, ...others] }));
    }
    return new AllQuestions(kinds, scope.at);
  }

  /** How many there are. */
  get count(): number {
    return this.#kinds.reduce((sum, { items, topics }) => sum + items.length * topics.length, 0);
  }

  /** Each of them, with its number. */
  forEach(visit: (index: number, facts: QuestionFacts, asked: AskedState) => void): void {
    let index = 0;
    for (const kind of this.#kinds) {
      for (const item of kind.items) {
        for (const topic of kind.topics) {
          const asked = findAsked(kind, item.key, topic.name);
          visit(index++, this.#facts(kind, { item, topic, asked }), asked);
        }
      }
    }
  }

  /** The question with a number. */
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

  /** Those about one item. */
  ofItem({ kind, key }: ItemName): PlannedQuestion[] {
    return this.#kinds.flatMap((questions) => {
      const topics = questions.topics.filter((topic) => topic.kind === kind);
      const item = topics.length > 0 && questions.items.find((each) => each.key === key);
      return item ? topics.map((topic) => this.#question(questions, item, topic)) : [];
    });
  }

  /** Whether a question failed not long ago, and is not asked yet. */
  isPostponed({ retryAt }: AskedState): boolean {
    return retryAt !== null && retryAt > this.#at;
  }

  #question(kind: KindQuestions, item: PlannedItem, topic: Topic): PlannedQuestion {
    const asked = findAsked(kind, item.key, topic.name);
    return { item, topic, asked, facts: this.#facts(kind, { item, topic, asked }) };
  }

  #facts(
    { wanted }: KindQuestions,
    { item, topic, asked: { askedAt, isKnown } }: Omit<PlannedQuestion, 'facts'>,
  ): QuestionFacts {
    return {
      uncertainty: topic.condition && keptUncertainty(item, topic.condition),
      wanted: wanted.get(item.key) ?? nobody,
      // A clock that was ahead does not make an answer come from the future.
      askedDays: askedAt === null ? null : Math.max(0, this.#at - askedAt) / dayMs,
      isKnown,
      reachDays: topic.reachDays,
      restDays: topic.restDays,
    };
  }
}

/** What is known of a question about an item. */
function findAsked({ asked, askedFrom }: KindQuestions, key: string, topic: string): AskedState {
  for (let index = askedFrom.get(key) ?? asked.length; index < asked.length; index++) {
    const row = asked[index];
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
  const asked = await store.listAsked(source, kind);
  const askedFrom = new Map<string, number>();
  asked.forEach(({ key }, index) => {
    if (index === 0 || asked[index - 1]?.key !== key) askedFrom.set(key, index);
  });
  const wanted = new Map<string, Wanted>();
  for (const counts of await store.listWanted(kind)) {
    wanted.set(counts.key, { units: counts.units, lookUps: lookUpsOn(counts, dayOf(at)) });
  }
  return { topics, items, asked, askedFrom, wanted };
}
