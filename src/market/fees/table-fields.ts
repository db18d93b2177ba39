/**
 * Validates operators' tables of fees and postage: every field of the JSON is checked, with errors
 * that name the location of the problem.
 */
import { asObject, type JsonObject } from '../../kernel/json.ts';

/** The message is a complete sentence. */
export class TableError extends Error {}

const dayPattern = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;

/** Maximum values of fields in dollars and in percent. */
const usdMax = 1_000_000;
const percentMax = 100;

/** Reads the fields of an object; `end` rejects any that were not read. */
export class TableFields {
  private readonly object: JsonObject;
  private readonly read = new Set<string>();

  constructor(
    value: unknown,
    private readonly where: string,
  ) {
    const object = asObject(value);
    if (object === null) throw new TableError(`${where} is not a JSON object.`);
    this.object = object;
  }

  error(name: string, reason: string): TableError {
    return new TableError(`${this.where}: '${name}' ${reason}.`);
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
      const fields = new TableFields(member, `${this.where}, ${name} ${index + 1}`);
      const result = read(fields);
      fields.end();
      return result;
    });
  }

  /** Rejects unknown fields, which would otherwise be ignored silently. */
  end(): void {
    const unknown = Object.keys(this.object).find((name) => !this.read.has(name));
    if (unknown) throw this.error(unknown, 'is not known');
  }

  /** A number with at most two decimals, times 100. */
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
