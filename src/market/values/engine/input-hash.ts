/** A hash of all inputs of a value: equal inputs have equal hashes. */

import {
  channels,
  completenesses,
  conditions,
  type StoredSale,
} from '../../source-rows/source-rows.ts';
import { type Rejection, rejections } from './admit.ts';
import type { StateReader, StateWriter } from './state-bytes.ts';

const bits = new Float64Array(1);
const words = new Uint32Array(bits.buffer);

/** Two 32-bit lanes; not cryptographic. */
export class InputHash {
  #low = 0x9e3779b9;
  #high = 0x85ebca6b;

  addWord(word: number): void {
    this.#low = Math.imul(this.#low ^ word, 0x5bd1e995);
    this.#low ^= this.#low >>> 15;
    this.#high = Math.imul(this.#high ^ word ^ (this.#low >>> 7), 0xc2b2ae35);
    this.#high ^= this.#high >>> 13;
  }

  add(value: number): void {
    bits[0] = value;
    this.addWord(words[0] ?? 0);
    this.addWord(words[1] ?? 0);
  }

  addText(text: string | null): void {
    this.addWord(text?.length ?? 0xffffffff);
    if (text === null) return;
    for (let index = 0; index < text.length; index++) this.addWord(text.charCodeAt(index));
  }

  copy(): InputHash {
    const copy = new InputHash();
    copy.#low = this.#low;
    copy.#high = this.#high;
    return copy;
  }

  write(to: StateWriter): void {
    to.number(this.#low);
    to.number(this.#high);
  }

  read(from: StateReader): void {
    this.#low = from.number();
    this.#high = from.number();
  }

  /** An integer below 2⁵². */
  value(): number {
    return (this.#high & 0xfffff) * 2 ** 32 + (this.#low >>> 0);
  }
}

/** Eight hexadecimal digits. */
export function shortHash(text: string): string {
  const hash = new InputHash();
  hash.addText(text);
  return (hash.value() % 2 ** 32).toString(16).padStart(8, '0');
}

/** The content of a sale and its rejection, but not its source or ingestion time. */
export function addSale(hash: InputHash, sale: StoredSale, rejection: Rejection | null): void {
  const kind =
    conditions.indexOf(sale.condition) +
    10 * (sale.channel === null ? 9 : channels.indexOf(sale.channel)) +
    100 * (sale.completeness === null ? 9 : completenesses.indexOf(sale.completeness)) +
    1_000 * (rejection === null ? 0 : 1 + rejections.indexOf(rejection)) +
    10_000 * (sale.currency === 'USD' ? 1 : 0);
  hash.addWord(kind);
  hash.addWord(sale.quantity);
  hash.add(sale.soldAt);
  hash.add(sale.priceCents);
  hash.add(sale.shippingCents);
  hash.add(sale.usdPerUnit);
  hash.addText(sale.seller);
}
