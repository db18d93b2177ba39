/** The order of questions: overdue ones first, then by expected value. */
import { TopList } from '../kernel/top-list.ts';
import { type QuestionFacts, standingOf } from './worth.ts';

/** One in this many questions is new, so that items without demand are asked about too. */
const questionsPerNew = 10;

/** Higher than any worth: values are below 2 · 10⁹ cents, and counts below 10⁵ units. */
const dueScore = 1e15;

/** A higher score is asked first; null: not to be asked now. */
export function scoreOf(facts: QuestionFacts): number | null {
  const standing = standingOf(facts);
  if (standing === null) return null;
  return standing.isDue ? dueScore + (facts.askedDays ?? 0) : standing.worth;
}

/** Selects among questions, which are identified by increasing numbers. */
export class Ranking {
  readonly #limit: number;
  readonly #best: TopList;
  readonly #bestNew: TopList;

  constructor(limit: number) {
    this.#limit = limit;
    this.#best = new TopList(limit);
    this.#bestNew = new TopList(Math.floor(limit / questionsPerNew));
  }

  add(entry: number, facts: QuestionFacts): void {
    const score = scoreOf(facts);
    if (score === null) return;
    this.#best.add(entry, score);
    if (facts.askedDays === null) this.#bestNew.add(entry, score);
  }

  /** The selected questions, in order. */
  chosen(): number[] {
    const best = this.#best.entries();
    const newOnes = this.#bestNew.entries();
    const known = new Set(best);
    const missing = newOnes.filter((entry) => !known.has(entry));
    // New questions replace the last ones that were asked before.
    let tooMany = Math.max(0, best.length + missing.length - this.#limit);
    const stays = new Set(newOnes);
    const kept = best.toReversed().filter((entry) => stays.has(entry) || tooMany-- <= 0);
    return [...kept.reverse(), ...missing];
  }
}
