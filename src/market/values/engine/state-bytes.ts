/**
 * Writes and reads the state of a fold as bytes: numbers exactly as they are, texts once each. What
 * is written is read in the same order.
 */
import { at } from '../../../kernel/at.ts';

export class StateWriter {
  readonly #numbers: number[] = [];
  readonly #texts = new Map<string, number>();

  number(value: number): void {
    this.#numbers.push(value);
  }

  flag(value: boolean): void {
    this.number(value ? 1 : 0);
  }

  text(value: string): void {
    this.number(this.#texts.getOrInsert(value, this.#texts.size));
  }

  optional<T>(value: T | null, write: (value: T) => void): void {
    this.flag(value !== null);
    if (value !== null) write(value);
  }

  numbers(values: ArrayLike<number> & Iterable<number>): void {
    this.number(values.length);
    for (const value of values) this.#numbers.push(value);
  }

  list<T>(values: readonly T[], write: (value: T) => void): void {
    this.number(values.length);
    for (const value of values) write(value);
  }

  bytes(): Uint8Array {
    const numbers = new Float64Array(1 + this.#numbers.length);
    numbers[0] = this.#numbers.length;
    numbers.set(this.#numbers, 1);
    const texts = new TextEncoder().encode(JSON.stringify([...this.#texts.keys()]));
    const bytes = new Uint8Array(numbers.byteLength + texts.byteLength);
    bytes.set(new Uint8Array(numbers.buffer));
    bytes.set(texts, numbers.byteLength);
    return bytes;
  }
}

export class StateReader {
  readonly #content: Content;
  #next: number;

  constructor(content: Uint8Array | Content, next = 0) {
    this.#content = content instanceof Uint8Array ? contentOf(content) : content;
    this.#next = next;
  }

  /** A reader that continues from here, while this one stays. */
  copy(): StateReader {
    return new StateReader(this.#content, this.#next);
  }

  number(): number {
    const value = this.#content.numbers[this.#next++];
    if (value === undefined) throw new Error('The state of a fold is too short.');
    return value;
  }

  flag(): boolean {
    return this.number() === 1;
  }

  text(): string {
    return at(this.#content.texts, this.number());
  }

  optional<T>(read: () => T): T | null {
    return this.flag() ? read() : null;
  }

  numbers(): number[] {
    const values = new Array<number>(this.number());
    // Not `Array.from`, which takes ten times as long.
    for (let index = 0; index < values.length; index++) values[index] = this.number();
    return values;
  }

  /** Numbers without copying them, because many are never used. */
  view(): Float64Array {
    const length = this.number();
    this.#next += length;
    return this.#content.numbers.subarray(this.#next - length, this.#next);
  }

  list<T>(read: () => T): T[] {
    const values: T[] = [];
    for (let left = this.number(); left > 0; left--) values.push(read());
    return values;
  }
}

interface Content {
  readonly numbers: Float64Array;
  readonly texts: readonly string[];
}

function contentOf(bytes: Uint8Array): Content {
  // Copied, because the bytes of a row may start at any address.
  const copy = bytes.slice();
  const count = new DataView(copy.buffer).getFloat64(0, true);
  const end = (1 + count) * numberBytes;
  return {
    numbers: new Float64Array(copy.buffer, numberBytes, count),
    texts: JSON.parse(new TextDecoder().decode(copy.subarray(end))),
  };
}

const numberBytes = 8;
