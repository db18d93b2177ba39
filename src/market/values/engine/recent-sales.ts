/** The recent sales of each seller, each stored as a few numbers with the time last. */
import { at } from '../../../kernel/at.ts';
import type { StateReader, StateWriter } from './state-bytes.ts';

/** Those read from a checkpoint stay as they are until the seller sells again: most never do. */
type Numbers = number[] | Float64Array;

/** Recent numbers, from `start` on. */
interface Kept {
  readonly numbers: Numbers;
  start: number;
}

export class RecentSales {
  /** By latest sale. */
  readonly #sellers = new Map<string, Kept>();
  /** No seller's latest sale is before this, so that most sales need no search for them. */
  #allAfter = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly keptMs: number,
    /** Numbers for each sale. */
    private readonly width: number,
  ) {}

  /** Sellers with a recent sale, as of the latest one. */
  get size(): number {
    return this.#sellers.size;
  }

  /** A seller's recent sales before one of now, in order of time. */
  of(seller: string, now: number): Readonly<Kept> {
    const kept = this.#sellers.get(seller) ?? { numbers: [], start: 0 };
    const { numbers } = kept;
    const [from, last] = [now - this.keptMs, this.width - 1];
    while (kept.start < numbers.length && at(numbers, kept.start + last) <= from) {
      kept.start += this.width;
    }
    return kept;
  }

  /** Forgets sellers without a recent sale. */
  add(seller: string, ...added: number[]): void {
    const { numbers, start } = this.of(seller, at(added, this.width - 1));
    const isMostlyOld = 2 * start > numbers.length || numbers instanceof Float64Array;
    const kept = isMostlyOld
      ? { numbers: [...numbers.slice(start)], start: 0 }
      : { numbers, start };
    kept.numbers.push(...added);
    this.#sellers.delete(seller);
    this.#sellers.set(seller, kept);
    const from = latestAt(kept) - this.keptMs;
    if (this.#allAfter > from) return;
    for (const [other, own] of this.#sellers) {
      this.#allAfter = latestAt(own);
      if (this.#allAfter > from) return;
      this.#sellers.delete(other);
    }
  }

  write(to: StateWriter): void {
    to.list([...this.#sellers], ([seller, { numbers, start }]) => {
      to.text(seller);
      to.numbers(numbers.slice(start));
    });
  }

  read(from: StateReader): void {
    from.list(() => this.#sellers.set(from.text(), { numbers: from.view(), start: 0 }));
  }
}

function latestAt({ numbers }: Kept): number {
  return at(numbers, numbers.length - 1);
}

/** When somebody else last sold the item. */
export class OtherSellers {
  #latest: { readonly seller: string; readonly at: number } | null = null;
  /** The latest sale of a seller other than that of `#latest`. */
  #othersAt = Number.NEGATIVE_INFINITY;

  /** Before a sale, which is recorded. */
  lastAt(seller: string, now: number): number {
    if (this.#latest && this.#latest.seller !== seller) this.#othersAt = this.#latest.at;
    this.#latest = { seller, at: now };
    return this.#othersAt;
  }

  write(to: StateWriter): void {
    to.optional(this.#latest, ({ seller, at }) => {
      to.text(seller);
      to.number(at);
    });
    to.number(this.#othersAt);
  }

  read(from: StateReader): void {
    this.#latest = from.optional(() => ({ seller: from.text(), at: from.number() }));
    this.#othersAt = from.number();
  }
}
