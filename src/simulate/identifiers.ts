/** Numbers and codes that name a made-up set: unique, well-formed, and nobody's real ones. */
import { checkDigit } from '../domain/catalog/barcode.ts';
import type { Random } from './random.ts';

/** Draws of a number before any six-digit one will do; a theme's own block can be nearly full. */
const blockAttemptsMax = 8;

/** Sets older than this often have a number of four digits. */
const shortNumberYears = 9;

/** Hands out set numbers, none of them twice. */
export class SetNumbers {
  private readonly taken = new Set<string>();

  /** A number in the block of the theme, as a rule. */
  take(random: Random, facts: { themeIndex: number; ageYears: number }): string {
    const isShort = facts.ageYears > shortNumberYears && random.chance(0.55);
    const isLong = random.chance(0.05);
    for (let attempt = 0; ; attempt++) {
      const block = 10 + facts.themeIndex * 2 + random.below(2);
      const number = isShort ? 1_000 + random.below(9_000) : block * 1_000 + random.below(1_000);
      const anyLong = 100_000 + random.below(900_000);
      const text = String(isLong || attempt >= blockAttemptsMax ? anyLong : number);
      if (this.claim(text)) return text;
    }
  }

  /** The second variant of a number; null when it has one already, or is one. */
  takeVariant(number: string): string | null {
    if (number.includes('-')) return null;
    const variant = `${number}-2`;
    return this.claim(variant) ? variant : null;
  }

  private claim(number: string): boolean {
    if (this.taken.has(number)) return false;
    this.taken.add(number);
    return true;
  }
}

/** A UPC in the range that is kept for use inside shops. */
export function upcOf(index: number): string {
  return withCheckDigit(`4${String(index + 1).padStart(10, '0')}`);
}

/** An EAN in the range that is kept for use inside shops. */
export function eanOf(index: number): string {
  return withCheckDigit(`29${String(index + 1).padStart(10, '0')}`);
}

function withCheckDigit(body: string): string {
  return `${body}${checkDigit(body)}`;
}

const asinLetters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** The number under which the first retailer sells a set. */
export function makeAsin(random: Random): string {
  let asin = 'B0';
  while (asin.length < 10) asin += asinLetters[random.below(asinLetters.length)] ?? '0';
  return asin;
}

/** How a row of the collection is named by its source. */
export function rowId(kind: 'lot' | 'sale', index: number): string {
  return `${kind}-${String(index + 1).padStart(3, '0')}`;
}
