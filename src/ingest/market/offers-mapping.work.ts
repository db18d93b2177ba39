/** The mapping file of a price list: the meaning of its columns and words. */
import { readFileSync, statSync } from 'node:fs';
import { nameHintEnd } from '../../contract/nearest.ts';
import { countText } from '../../kernel/format.ts';
import { shortText } from '../../kernel/text.ts';
import { parseDay } from '../../kernel/time.ts';
import { isTimeZone } from '../../kernel/time-zone.ts';
import {
  type Retailer,
  retailers,
  type SellerType,
  sellerTypes,
} from '../../market/source-rows/source-rows.ts';
import { SourceFileError } from '../readers/source-file.work.ts';
import { type DayOrder, looseMoney } from '../runner/loose.ts';

const roles = [
  'set',
  'barcode',
  'price',
  'list_price',
  'currency',
  'date',
  'time',
  'shop',
  'seller',
  'stock',
  'url',
  'asin',
] as const;
export type ColumnRole = (typeof roles)[number];

const constants = ['retailer', 'currency', 'seller', 'stock', 'date'] as const;

const keys = [
  'columns',
  'constants',
  'shops',
  'sellers',
  'stock',
  'junk',
  'decimal',
  'date_order',
  'time_zone',
] as const;

/** The key for all other words. */
export const anyOther = '*';

/** Rows of these shops are ignored and not counted. */
export const leaveOut = 'leave out';

/** A valid mapping; words are in lower case. */
export interface OffersMapping {
  readonly columns: Readonly<Partial<Record<ColumnRole, string>>>;
  readonly retailer: Retailer | null;
  readonly currency: string;
  readonly seller: SellerType | null;
  readonly stock: boolean | null;
  readonly date: string | null;
  readonly shops: ReadonlyMap<string, Retailer | typeof leaveOut>;
  readonly sellers: ReadonlyMap<string, SellerType>;
  readonly stocks: ReadonlyMap<string, boolean>;
  /** Placeholder prices, such as 9999. */
  readonly junkCents: ReadonlySet<number>;
  /** Null: detected for each number. */
  readonly decimal: '.' | ',' | null;
  readonly dateOrder: DayOrder | null;
  readonly timeZone: string;
}

const bytesMax = 1024 * 1024;

/** Throws a `SourceFileError` with the problem. */
export function readMapping(path: string): OffersMapping {
  const checks = new Checks(path);
  const file = checks.record(parse(path), 'the file');
  checks.known(file, keys, 'key');
  const fixed = checks.record(file.constants ?? {}, "'constants'");
  checks.known(fixed, constants, 'constant');
  const mapping: OffersMapping = {
    columns: readColumns(checks, file.columns ?? {}),
    retailer: checks.word(fixed.retailer, retailers, "'constants.retailer'"),
    currency: readCurrency(checks, fixed.currency),
    seller: checks.word(fixed.seller, sellerTypes, "'constants.seller'"),
    stock: checks.word(fixed.stock, [true, false], "'constants.stock'"),
    date: readDay(checks, fixed.date),
    shops: checks.words(file.shops, [...retailers, leaveOut], 'shops'),
    sellers: checks.words(file.sellers ?? ownNames(sellerTypes), sellerTypes, 'sellers'),
    stocks: checks.words(file.stock ?? stockWords, [true, false], 'stock'),
    junkCents: readJunk(checks, file.junk),
    decimal: checks.word(file.decimal, ['.', ','] as const, "'decimal'"),
    dateOrder: checks.word(file.date_order, ['day first', 'month first'], "'date_order'"),
    timeZone: readZone(checks, file.time_zone),
  };
  checkWhole(checks, mapping);
  return mapping;
}

function readColumns(checks: Checks, value: unknown): OffersMapping['columns'] {
  const columns = checks.record(value, "'columns'");
  checks.known(columns, roles, 'column');
  const names = Object.entries(columns).map(([role, name]) => [
    role,
    checks.text(name, `'columns.${role}'`),
  ]);
  return Object.fromEntries(names);
}

const stockWords = {
  yes: true,
  true: true,
  1: true,
  'in stock': true,
  no: false,
  false: false,
  0: false,
  'out of stock': false,
};

function parse(path: string): unknown {
  let text: string;
  try {
    if (statSync(path).size > bytesMax) {
      throw new SourceFileError(
        `${path}: the mapping is larger than ${countText(bytesMax)} bytes.`,
      );
    }
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if (error instanceof SourceFileError) throw error;
    throw new SourceFileError(`The mapping file '${path}' cannot be read.`);
  }
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    throw new SourceFileError(`${path}: the mapping is not valid JSON.`);
  }
}

/** Checks that every required value has a column or a constant. */
function checkWhole(checks: Checks, { columns, retailer, shops, date }: OffersMapping): void {
  const { set, barcode, price, shop, date: dateColumn } = columns;
  if (!set && !barcode) checks.fail("'columns' needs 'set' or 'barcode', to tell which set it is");
  if (!price) checks.fail("'columns' needs 'price'");
  if (!dateColumn && !date) checks.fail("'columns' or 'constants' needs 'date', the day of prices");
  if (shop && shops.size === 0) {
    checks.fail('\'columns.shop\' needs \'shops\', such as {"Amazon": "retailer_a"}');
  }
  if (!shop && shops.size > 0)
    checks.fail("'shops' needs 'columns.shop', the column with the shop");
  if (!shop && !retailer) checks.fail("'constants' needs 'retailer', or 'columns' needs 'shop'");
  if (shop && retailer) checks.fail("give 'constants.retailer' or 'columns.shop', not both");
}

function readCurrency(checks: Checks, value: unknown): string {
  const code = value === undefined ? 'USD' : checks.text(value, "'constants.currency'");
  if (!/^[A-Za-z]{3}$/.test(code)) checks.fail("'constants.currency' must be a code such as EUR");
  return code.toUpperCase();
}

function readDay(checks: Checks, value: unknown): string | null {
  if (value === undefined) return null;
  const day = checks.text(value, "'constants.date'");
  if (parseDay(day) === null) checks.fail("'constants.date' must be a date such as 2026-11-15");
  return day;
}

function readZone(checks: Checks, value: unknown): string {
  const zone = value === undefined ? 'UTC' : checks.text(value, "'time_zone'");
  if (!isTimeZone(zone)) {
    checks.fail(`'time_zone' must be a name such as Europe/Paris, not '${shortText(zone)}'`);
  }
  return zone;
}

function readJunk(checks: Checks, value: unknown = []): Set<number> {
  const list = Array.isArray(value) ? value : checks.fail("'junk' must be a list of prices");
  return new Set(
    list.map((price) => {
      const cents = looseMoney(String(price))?.cents;
      if (cents !== undefined) return cents;
      const shown = shortText(JSON.stringify(price));
      return checks.fail(`'junk' must be a list of prices; ${shown} is not one`);
    }),
  );
}

function ownNames<T extends string>(words: readonly T[]): Record<string, T> {
  return Object.fromEntries(words.map((word) => [word, word]));
}

class Checks {
  constructor(private readonly path: string) {}

  fail(what: string): never {
    throw new SourceFileError(`${this.path}: ${what}.`);
  }

  record(value: unknown, name: string): Record<string, unknown> {
    const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isRecord ? { ...value } : this.fail(`${name} must be an object`);
  }

  text(value: unknown, name: string): string {
    const isText = typeof value === 'string' && value.trim() !== '';
    return isText ? value.trim() : this.fail(`${name} must be text`);
  }

  /** Throws if a key is not in the list. */
  known(record: object, names: readonly string[], what: string): void {
    const unknown = Object.keys(record).find((name) => !names.includes(name));
    if (unknown === undefined) return;
    const end = nameHintEnd(unknown, names);
    throw new SourceFileError(`${this.path}: unknown ${what} '${shortText(unknown)}'${end}`);
  }

  /** Null if the value is absent. */
  word<T extends string | boolean>(value: unknown, words: readonly T[], name: string): T | null {
    if (value === undefined) return null;
    const word = words.find((candidate) => candidate === value);
    return word ?? this.fail(`${name} must be one of ${words.join(', ')}`);
  }

  /** Case-insensitive. */
  words<T extends string | boolean>(
    value: unknown,
    meanings: readonly T[],
    name: string,
  ): Map<string, T> {
    const record = this.record(value ?? {}, `'${name}'`);
    return new Map(
      Object.keys(record).map((word) => {
        const meaning = this.word(record[word], meanings, `'${name}.${shortText(word)}'`);
        return [word.trim().toLowerCase(), meaning as T];
      }),
    );
  }
}
