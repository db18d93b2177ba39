/** All questions that a source can be asked at an instant, as they are told apart and weighed. */
import type { ItemKind } from '../domain/catalog/numbers.ts';
import { dayMs, dayOf } from '../domain/kernel/time.ts';
import { unknownUncertainty, usualRates } from '../domain/market/uncertainty.ts';
import { lookUpsOn } from '../domain/search/interest.ts';
import type { ItemName, PlanScope, Topic } from '../domain/sync/planning.ts';
import type { AskedQuestion, PlannedItem, PlanningStore } from '../domain/sync/planning-store.ts';
import type { QuestionFacts, Wanted } from '../domain/sync/worth.ts';

/** A question about an item. */
export interface PlannedQuestion {
  readonly item: PlannedItem;
  readonly topic: Topic;
  readonly askedAt: number | null;
  /** It failed, and is not asked before this instant; null: it can be asked. */
  readonly postponedUntil: number | null;
  readonly facts: QuestionFacts;
}

/** The questions about items of one kind. */
interface KindQuestions {
  readonly topics: readonly Topic[];
  readonly items: readonly PlannedItem[];
  /** What was asked, by topic and then by key. */
  readonly asked: ReadonlyMap<string, ReadonlyMap<string, AskedQuestion>>;
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
    for (const [kind, topics] of Map.groupBy(scope.topics, (topic) => topic.kind)) {
      kinds.push(await loadKind(store, { ...scope, kind, topics }));
    }
    return new AllQuestions(kinds, scope.at);
  }

  /** How many there are at most: some of them cannot be asked. */
  get count(): number {
    return this.#kinds.reduce((sum, { items, topics }) => sum + items.length * topics.length, 0);
  }

  /** Each of those that the source could answer, with its number. */
  forEach(visit: (index: number, question: PlannedQuestion) => void): void {
    let index = 0;
    for (const kind of this.#kinds) {
      for (const item of kind.items) {
        for (const topic of kind.topics) {
          if (canAnswer(topic, item)) visit(index, this.#question(kind, item, topic));
          index++;
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
      if (!item) return [];
      return topics
        .filter((topic) => canAnswer(topic, item))
        .map((topic) => this.#question(questions, item, topic));
    });
  }

  #question({ asked, wanted }: KindQuestions, item: PlannedItem, topic: Topic): PlannedQuestion {
    const { askedAt, retryAt, isKnown } = asked.get(topic.name)?.get(item.key) ?? neverAsked;
    return {
      item,
      topic,
      askedAt,
      postponedUntil: retryAt !== null && retryAt > this.#at ? retryAt : null,
      facts: {
        uncertainty: topic.condition && this.#uncertainty(item, topic.kind)[topic.condition],
        wanted: wanted.get(item.key) ?? nobody,
        // A clock that was ahead does not make an answer come from the future.
        askedDays: askedAt === null ? null : Math.max(0, this.#at - askedAt) / dayMs,
        isKnown,
        reachDays: topic.reachDays,
        restDays: topic.restDays,
      },
    };
  }

  #uncertainty({ outlook }: PlannedItem, kind: ItemKind) {
    if (outlook) return outlook;
    const rates = usualRates({ kind, releasedAt: null }, this.#at);
    return { sealed: unknownUncertainty(rates.sealed), used: unknownUncertainty(rates.used) };
  }
}

const neverAsked: Pick<AskedQuestion, 'askedAt' | 'retryAt' | 'isKnown'> = {
  askedAt: null,
  retryAt: null,
  isKnown: true,
};

/** An item that was never published by this version is asked about by its number alone. */
function canAnswer({ needs }: Topic, { outlook }: PlannedItem): boolean {
  if (needs === null) return true;
  return needs === 'bricklink-number' ? outlook?.isTraded !== false : outlook?.hasBarcode === true;
}

async function loadKind(
  store: PlanningStore,
  scope: PlanScope & { readonly kind: ItemKind },
): Promise<KindQuestions> {
  const { source, kind, topics, at } = scope;
  const items = await store.listPlanned(kind);
  const asked = new Map(topics.map(({ name }) => [name, new Map<string, AskedQuestion>()]));
  for (const row of await store.listAsked(source, kind)) asked.get(row.topic)?.set(row.key, row);
  const wanted = new Map<string, Wanted>();
  for (const counts of await store.listWanted(kind)) {
    wanted.set(counts.key, { units: counts.units, lookUps: lookUpsOn(counts, dayOf(at)) });
  }
  return { topics, items, asked, wanted };
}
