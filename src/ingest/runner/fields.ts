/** Reads and validates the fields of a source record. */

import { isItemNumber } from '../../catalog/items/numbers.ts';
import { nameHint } from '../../contract/nearest.ts';
import { centsMax, type Reading, readCents } from '../../kernel/money.ts';
import {
  hiddenCharacterProblem,
  shortText,
  shortValue,
  withoutDirectionMarks,
} from '../../kernel/text.ts';
import { formatDay, formatInstant, parseDay, parseInstant } from '../../kernel/time.ts';

/** Why a row is rejected. */
export class RowError extends Error {}

/** The row can be imported once something else has been, such as an exchange rate. */
export class MissingError extends RowError {}

/** The result of `read`, or of `onReject` with the reason if it throws a `RowError`. */
export function readOr<T>(read: () => T, onReject: (reason: string, error: RowError) => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof RowError)) throw error;
    return onReject(error.message, error);
  }
}

/**
 * Fields that were dropped, and why. Files of other services contain occasional errors, and an
 * optional field is not worth rejecting a row.
 */
export class FieldWarnings {
  readonly reasons: string[] = [];

  /** Null with a warning if reading fails. */
  readonly optional = <T>(read: () => T | null): T | null => {
    return readOr<T | null>(read, (reason) => {
      this.reasons.push(reason);
      return null;
    });
  };
}

const textLengthMax = 500;

const identityLengthMax = 64;

const millionMax = 1_000_000;

/** Dates outside of this range are errors of a source. */
const earliest = Date.UTC(1900, 0, 1);
const latest = Date.UTC(2100, 11, 31);

/** The fields of a record. Null is the same as absent; unknown fields are rejected elsewhere. */
export class Fields {
  constructor(
    private readonly record: Readonly<Record<string, unknown>>,
    /** The time of the import; later dates are invalid. */
    private readonly now: number,
    /** Collects warnings about optional fields; if null, they reject the row. */
    private readonly warnings: FieldWarnings | null = null,
  ) {}

  optional<T>(read: () => T | null): T | null {
    return this.warnings === null ? read() : this.warnings.optional(read);
  }

  text(name: string, lengthMax = textLengthMax): string | null {
    const value = this.rawText(name);
    return value === null ? null : this.checkedText(name, value, lengthMax);
  }

  /**
   * Text that everyone can see, such as a title. Bidirectional control characters would affect the
   * rest of the page, and are removed.
   */
  publicText(name: string): string | null {
    const value = this.rawText(name);
    return value === null
      ? null
      : this.checkedText(name, withoutDirectionMarks(value), textLengthMax);
  }

  private rawText(name: string): string | null {
    const value = this.record[name] ?? null;
    if (value === null) return null;
    if (typeof value === 'string') return value.normalize();
    throw new RowError(`'${name}' must be text, not ${shortValue(value)}`);
  }

  private checkedText(name: string, value: string, lengthMax: number): string {
    const problem = hiddenCharacterProblem(value);
    if (problem) throw new RowError(`'${name}' ${problem}: ${shortValue(value)}`);
    if (value.length > lengthMax) {
      const shown = shortValue(value);
      throw new RowError(`'${name}' is longer than ${lengthMax} characters: ${shown}`);
    }
    return value;
  }

  requiredText(name: string, lengthMax = textLengthMax): string {
    return this.nonEmpty(name, this.text(name, lengthMax));
  }

  requiredPublicText(name: string): string {
    return this.nonEmpty(name, this.publicText(name));
  }

  private nonEmpty(name: string, text: string | null): string {
    const value = this.required(name, text).trim();
    if (value === '') throw new RowError(`'${name}' is empty`);
    return value;
  }

  /** An identifier, such as a source or an item number. */
  identity(name: string): string {
    return this.requiredText(name, identityLengthMax);
  }

  /** The number of a set or minifig. */
  number(name: string): string {
    const value = this.identity(name);
    if (!isItemNumber(value))
      throw new RowError(`'${name}' must be a number such as 75192-1, not ${shortValue(value)}`);
    return value;
  }

  url(name: string): string | null {
    const value = this.text(name, 2000);
    if (value !== null && !/^https?:\/\/\S+$/.test(value)) {
      const shown = shortValue(value);
      throw new RowError(`'${name}' must be an http or https address, not ${shown}`);
    }
    return value;
  }

  choice<T extends string>(name: string, choices: readonly T[]): T | null {
    const value = this.record[name] ?? null;
    if (value === null) return null;
    const choice = choices.find((candidate) => candidate === value);
    if (choice === undefined) {
      const shown = shortValue(value);
      throw new RowError(`'${name}' must be one of ${choices.join(', ')}, not ${shown}`);
    }
    return choice;
  }

  requiredChoice<T extends string>(name: string, choices: readonly T[]): T {
    return this.required(name, this.choice(name, choices));
  }

  whole(name: string, bounds: { min: number; max?: number }): number | null {
    const value = this.record[name] ?? null;
    if (value === null) return null;
    const max = bounds.max ?? millionMax;
    if (!Number.isSafeInteger(value) || Number(value) < bounds.min || Number(value) > max) {
      const expected = `a whole number from ${bounds.min} to ${max}`;
      throw new RowError(`'${name}' must be ${expected}, not ${shortValue(value)}`);
    }
    return Number(value);
  }

  positive(name: string, max = millionMax): number | null {
    const value = this.record[name] ?? null;
    if (value === null) return null;
    if (typeof value !== 'number' || !(value > 0) || value > max) {
      const expected = `a number above 0 and at most ${max}`;
      throw new RowError(`'${name}' must be ${expected}, not ${shortValue(value)}`);
    }
    return value;
  }

  /** In hundredths, at least 0. */
  cents(name: string, max = centsMax): number | null {
    const value = this.record[name] ?? null;
    return value === null ? null : this.checked(name, readCents(value, max));
  }

  requiredCents(name: string, max = centsMax): number {
    return this.required(name, this.cents(name, max));
  }

  day(name: string): string | null {
    const value = this.text(name);
    const at = value === null ? null : parseDay(value);
    if (value !== null && (at === null || at < earliest || at > latest)) {
      throw new RowError(`'${name}' must be a date such as 2026-11-15, not ${shortValue(value)}`);
    }
    return value;
  }

  pastDay(name: string): string {
    const value = this.required(name, this.day(name));
    const today = formatDay(this.now);
    this.checkPast(name, parseDay(value) ?? 0, `${value}; today is ${today}`);
    return value;
  }

  pastInstant(name: string): number {
    const value = this.required(name, this.text(name));
    const at = parseInstant(value);
    if (at === null || at < earliest) {
      const expected = 'a time such as 2026-11-15T12:00:00Z';
      throw new RowError(`'${name}' must be ${expected}, not ${shortValue(value)}`);
    }
    const now = formatInstant(this.now);
    this.checkPast(name, at, `${shortText(value)}; it is now ${now.slice(0, 16)}Z`);
    return at;
  }

  flag(name: string): boolean | null {
    const value = this.record[name] ?? null;
    if (value !== null && typeof value !== 'boolean') {
      throw new RowError(`'${name}' must be true or false, not ${shortValue(value)}`);
    }
    return value;
  }

  /** A list of set or minifig numbers. */
  numbers(name: string): string[] | null {
    const value = this.record[name] ?? null;
    if (value === null) return null;
    if (!Array.isArray(value)) {
      throw new RowError(`'${name}' must be a list of text, not ${shortValue(value)}`);
    }
    return value.map((member) => new Fields({ [name]: member }, this.now).number(name));
  }

  /** A nested record with only these fields. */
  nested(name: string, names: readonly string[]): Fields | null {
    const value = this.record[name] ?? null;
    if (value === null) return null;
    if (typeof value !== 'object' || Array.isArray(value)) {
      throw new RowError(`'${name}' must be an object, not ${shortValue(value)}`);
    }
    const unknown = Object.keys(value).find((key) => !names.includes(key));
    if (unknown !== undefined) {
      const hint = nameHint(unknown, names);
      throw new RowError(`unknown field '${name}.${shortText(unknown)}'; ${hint}`);
    }
    return new Fields(value as Record<string, unknown>, this.now, this.warnings);
  }

  /** Read by a rule whose problem follows the name; null for an empty text, undefined if absent. */
  ruled<T>(name: string, read: (value: unknown, now: number) => Reading<T>): T | null | undefined {
    const given = this.record[name] ?? undefined;
    if (given === undefined || given === '') return given === '' ? null : undefined;
    return this.checked(name, read(given, this.now));
  }

  private checked<T>(name: string, reading: Reading<T>): T {
    if ('problem' in reading) throw new RowError(`'${name}' ${reading.problem}`);
    return reading.value;
  }

  /** Throws if the value is null. */
  required<T>(name: string, value: T | null): T {
    if (value === null) throw new RowError(`'${name}' is missing`);
    return value;
  }

  private checkPast(name: string, at: number, compared: string): void {
    if (at > this.now) throw new RowError(`'${name}' is in the future: ${compared}`);
  }
}
