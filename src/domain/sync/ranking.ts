/** The order of questions: what has waited too long, then what is worth most. */
import { TopList } from '../kernel/top-list.ts';
import { type QuestionFacts, standingOf } from './worth.ts';

/**
 * Of so many questions, one at least was never asked before, as long as there are any: what nobody
 * holds or looks up gets its turn, too.
 */
const questionsPerNew = 10;

/** Above what any answer is worth: no value passes 2 · 10⁹ cents, and no count 10⁵ units. */
const dueScore = 1e15;

/** A number by which questions are put in order, the highest first; null: it is not asked now. */
export function scoreOf(facts: QuestionFacts): number | null {
  const standing = standingOf(facts);
  if (standing === null) return null;
  return standing.isDue ? dueScore + (facts.askedDays ?? 0) : standing.worth;
}

/** Chooses among questions that are told apart by growing numbers. */
export class Ranking {
  readonly #limit: number;
  readonly #best: TopList;
  readonly #bestNew: TopList;

  /** Chooses so many at most. */
  constructor(limit: number) {
    this.#limit = limit;
    this.#best = new TopList(limit);
    this.#bestNew = new TopList(Math.floor(limit / questionsPerNew));
  }

  /** Takes a question into account. */
  add(entry: number, facts: QuestionFacts): void {
    const score = scoreOf(facts);
    if (score === null) return;
    this.#best.add(entry, score);
    if (facts.askedDays === null) this.#bestNew.add(entry, score);
  }

  /** The questions that are asked next, in order. */
  chosen(): number[] {
    const best = this.#best.entries();
    const newOnes = this.#bestNew.entries();
    const places = new Set(best);
    const missing = newOnes.filter((entry) => !places.has(entry));
    // They take the places of the last ones that were asked before.
    let tooMany = Math.max(0, best.length + missing.length - this.#limit);
    const stays = new Set(newOnes);
    const kept = best.toReversed().filter((entry) => stays.has(entry) || tooMany-- <= 0);
    return [...kept.reverse(), ...missing];
  }
}
