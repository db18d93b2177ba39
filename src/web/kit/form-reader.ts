/** Reads and validates the fields of a form. */

import { decimalsIn, looseMoney, looseNumber, looseWhole } from '../../ingest/runner/loose.ts';
import { centsMax, dollarText } from '../../kernel/money.ts';
import { hasHiddenCharacters } from '../../kernel/text.ts';
import { parseDay } from '../../kernel/time.ts';
import type { Typed } from './fields.tsx';
import { Form } from './form.ts';
import { countText, dayText, inDollars } from './format.ts';

/** The earliest day that is accepted. */
const firstDay = '1900-01-01';

interface Limits {
  readonly min: number;
  readonly max: number;
}

/**
 * The values of a form. Invalid fields get a placeholder value, so that all errors can be shown at
 * once. Values may only be used if `isGood`.
 */
export class FormReader {
  private readonly faults: Record<string, string> = {};

  constructor(
    readonly form: Form,
    /** YYYY-MM-DD. */
    readonly today: string,
  ) {}

  static ofQuery(query: URLSearchParams, today: string): FormReader {
    const data = new FormData();
    for (const [name, value] of query) data.set(name, value);
    return new FormReader(new Form(data), today);
  }

  get isGood(): boolean {
    return Object.keys(this.faults).length === 0;
  }

  get typed(): Typed {
    return { values: this.form.typed, faults: this.faults };
  }

  /** Sets the error of a field, unless it has one. */
  fail(name: string, fault: string): void {
    this.faults[name] ??= fault;
  }

  check(name: string, fault: string | null): void {
    if (fault !== null) this.fail(name, fault);
  }

  isBlank(name: string): boolean {
    return this.form.text(name) === '';
  }

  text(name: string, max: number): string {
    const text = this.form.text(name);
    if (text === '') this.fail(name, 'Enter a value.');
    return this.short(name, text, max);
  }

  /** An optional text; null if it is empty. */
  textOrNull(name: string, max: number): string | null {
    const text = this.form.text(name);
    return text === '' ? null : this.short(name, text, max);
  }

  private short(name: string, text: string, max: number): string {
    if ([...text].length > max) this.fail(name, `Use at most ${countText(max)} characters.`);
    if (hasHiddenCharacters(text)) this.fail(name, 'Use only letters, digits and punctuation.');
    return text;
  }

  cents(name: string): number {
    const text = this.form.text(name);
    const amount = looseMoney(text);
    if (text === '') this.fail(name, 'Enter an amount, such as 119.99.');
    else if (!amount) this.fail(name, `'${text}' is not an amount. Enter one like 119.99.`);
    else if ((amount.currency ?? 'USD') !== 'USD')
      this.fail(name, 'Enter the amount in US dollars.');
    else if (decimalsIn(text) > 2) this.fail(name, 'Use at most two decimals.');
    else if (amount.cents < 0) this.fail(name, 'Enter 0 or more.');
    else if (amount.cents > centsMax)
      this.fail(name, inDollars(`Enter ${dollarText(centsMax)} or less.`));
    return amount?.cents ?? 0;
  }

  centsOrNull(name: string): number | null {
    return this.isBlank(name) ? null : this.cents(name);
  }

  /** A percentage, in basis points. */
  basisPoints(name: string, limits: Limits): number {
    const text = this.form.text(name).replace(/\s*%$/, '');
    const percent = looseNumber(text);
    const { min, max } = limits;
    if (percent === null) this.fail(name, 'Enter a percentage, such as 8.25.');
    else if (percent < min || percent > max) this.fail(name, `Enter ${min} to ${max}.`);
    else if (decimalsIn(text) > 2) this.fail(name, 'Use at most two decimals.');
    return Math.round((percent ?? min) * 100);
  }

  basisPointsOrNull(name: string, limits: Limits): number | null {
    return this.isBlank(name) ? null : this.basisPoints(name, limits);
  }

  whole(name: string, limits: Limits): number {
    const text = this.form.text(name);
    const isNegative = /^-\s*\d+$/.test(text);
    const whole = isNegative ? -1 : looseWhole(text);
    if (whole === null) this.fail(name, 'Enter a whole number.');
    else if (whole < limits.min) this.fail(name, `Enter ${countText(limits.min)} or more.`);
    else if (whole > limits.max) this.fail(name, `Enter ${countText(limits.max)} or less.`);
    return whole ?? limits.min;
  }

  wholeOrNull(name: string, limits: Limits): number | null {
    return this.isBlank(name) ? null : this.whole(name, limits);
  }

  pastDay(name: string): string {
    const text = this.form.text(name);
    if (parseDay(text) === null) this.fail(name, 'Enter a date, such as 2026-11-15.');
    else if (text > this.today)
      this.fail(name, `The date is in the future. Today is ${dayText(this.today)}.`);
    else if (text < firstDay) this.fail(name, `Enter a date on or after ${dayText(firstDay)}.`);
    return text;
  }

  word<T extends string>(name: string, words: readonly T[]): T {
    const text = this.form.text(name);
    const word = words.find((each) => each === text);
    if (word === undefined) this.fail(name, 'Choose one of the options.');
    return word ?? (words[0] as T);
  }

  wordOrNull<T extends string>(name: string, words: readonly T[]): T | null {
    return this.isBlank(name) ? null : this.word(name, words);
  }
}

/** An amount as the value of a field; empty if there is none. */
export function amountText(cents: number | null): string {
  return cents === null ? '' : (cents / 100).toFixed(2);
}

/** The version of values, to detect that something changed since the form for it was opened. */
export function versionOf(values: readonly (string | number | boolean | null)[]): string {
  const hash = Bun.SHA256.hash(JSON.stringify(values)) as Uint8Array;
  return Buffer.from(hash).toString('base64url').slice(0, 16);
}

/** Rejects a form whose values changed since it was opened. */
export function checkVersion(fields: FormReader, now: string): void {
  const seen = fields.form.text('seen');
  if (seen === '' || seen === now) return;
  fields.fail('seen', 'This was changed elsewhere since you opened the page.');
}
