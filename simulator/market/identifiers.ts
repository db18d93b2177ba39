/** Unique and well-formed set numbers, barcodes and IDs that do not exist in reality. */
import { checkDigit } from '../../src/catalog/barcodes/barcode.ts';
import type { Random } from './random.ts';

/** Attempts in the block of a theme, before any six-digit number is used. */
const blockAttemptsMax = 8;

/** Older sets often have four digits. */
const shortNumberYears = 9;

export class SetNumbers {
  private readonly taken = new Set<string>();

  /** Usually in the block of the theme. */
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

  /** Null if the number is a variant or already has one. */
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

/** In the range reserved for use inside shops. */
export function upcOf(index: number): string {
  return withCheckDigit(`4${String(index + 1).padStart(10, '0')}`);
}

/** In the range reserved for use inside shops. */
export function eanOf(index: number): string {
  return withCheckDigit(`29${String(index + 1).padStart(10, '0')}`);
}

function withCheckDigit(body: string): string {
  return `${body}${checkDigit(body)}`;
}

const asinLetters = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';

export function makeAsin(random: Random): string {
  let asin = 'B0';
  while (asin.length < 10) asin += asinLetters[random.below(asinLetters.length)] ?? '0';
  return asin;
}

export function rowId(kind: 'lot' | 'sale', index: number): string {
  return `${kind}-${String(index + 1).padStart(3, '0')}`;
}
