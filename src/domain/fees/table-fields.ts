/**
 * Tables of fees and postage as an operator may write them: JSON whose every field is looked at,
 * with an error that names the place of what is wrong.
 */
import { asObject, type JsonObject } from '../kernel/json.ts';

/** What is wrong with a table, as a sentence. */
export class TableError extends Error {}

const dayPattern = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;

/** The most that a field in dollars, or in percent, may be. */
const usdMax = 1_000_000;
const percentMax = 100;

/** The fields of an object in a table; every one must be known, and each is read once. */
export class TableFields {
  private readonly object: JsonObject;
  private readonly read = new Set<string>();

  constructor(
    value: unknown,
    private readonly place: string,
  ) {
    const object = asObject(value);
    if (object === null) throw new TableError(`${place} is not a JSON object.`);
    this.object = object;
  }

  error(name: string, reason: string): TableError {
    return new TableError(`${this.place}: '${name}' ${reason}.`);
  }

  has(name: string): boolean {
    return this.object[name] !== undefined;
  }

  text(name: string): string {
    const value = this.take(name);
    if (typeof value === 'string' && value.trim() !== '') return value;
    throw this.error(name, 'must be text');
  }

  word<Word extends string>(name: string, words: readonly Word[]): Word {
    const value = this.take(name);
    const found = words.find((word) => word === value);
    if (found !== undefined) return found;
    throw this.error(name, `must be one of ${words.join(', ')}`);
  }

  day(name: string): string {
    const value = this.take(name);
    if (typeof value === 'string' && dayPattern.test(value)) return value;
    throw this.error(name, 'must be a date such as 2026-01-15');
  }

  percent(name: string): number {
    return this.hundredths(name, percentMax);
  }

  cents(name: string): number {
    return this.hundredths(name, usdMax);
  }

  centsOrNull(name: string): number | null {
    return this.has(name) ? this.cents(name) : null;
  }

  list<T>(name: string, read: (fields: TableFields) => T): T[] {
    const value = this.take(name);
    if (!Array.isArray(value)) throw this.error(name, 'must be a list');
    return value.map((member, index) => {
      const fields = new TableFields(member, `${this.place}, ${name} ${index + 1}`);
      const result = read(fields);
      fields.end();
      return result;
    });
  }

  /** Refuses what nobody asked for: it would be ignored without a word. */
  end(): void {
    const unknown = Object.keys(this.object).find((name) => !this.read.has(name));
    if (unknown) throw this.error(unknown, 'is not known');
  }

  /** A number with two places, times a hundred. */
  private hundredths(name: string, max: number): number {
    const value = this.take(name);
    const hundredths = typeof value === 'number' ? Math.round(value * 100) : Number.NaN;
    const isExact = Math.abs(Number(value) * 100 - hundredths) < 1e-6;
    if (hundredths >= 0 && hundredths <= max * 100 && isExact) return hundredths;
    throw this.error(name, `must be a number from 0 to ${max} with at most two decimals`);
  }

  private take(name: string): unknown {
    this.read.add(name);
    if (!this.has(name)) throw this.error(name, 'is missing');
    return this.object[name];
  }
}
