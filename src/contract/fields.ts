/** Building blocks of the contract's schemas. Every field has a description. */
import Type, { type TObject, type TSchema } from 'typebox';
import type { RequestedInteger } from '../kernel/page.ts';
import { identifierLengthMax, idMax } from './limits.ts';

/** Text without control characters. */
export const printablePattern = '^[^\\u0000-\\u001f\\u007f-\\u009f]*$';

export function orNull<T extends TSchema>(schema: T) {
  const { description, ...rest } = schema as T & { description?: string; title?: string };
  if (rest.title) return Type.Union([schema, Type.Null()], description ? { description } : {});
  return Type.Union([rest as unknown as T, Type.Null()], description ? { description } : {});
}

/** A record with a different description where it is used. */
export function described<T extends TSchema>(schema: T, description: string) {
  return Type.Union([schema], { description });
}

export function exactly<T extends Fields>(fields: T, description?: string) {
  return Type.Object(fields, { additionalProperties: false, ...(description && { description }) });
}

type Fields = Record<string, TSchema>;

/**
 * The same with a name, used in OpenAPI documents and in the client's types, and with a description
 * unless that of its endpoint says it.
 */
export function record<T extends Fields>(title: string, fields: T): TObject<T>;
export function record<T extends Fields>(title: string, description: string, fields: T): TObject<T>;
export function record(title: string, ...rest: [Fields] | [string, Fields]) {
  const [fields, description] = rest.length === 1 ? rest : [rest[1], rest[0]];
  return Type.Object(fields, {
    title,
    additionalProperties: false,
    ...(description && { description }),
  });
}

/** A list; without a maximum if its length has no limit in the contract. */
export function listOf<T extends TSchema>(of: T, description: string, maxItems?: number) {
  return Type.Array(of, { ...(maxItems !== undefined && { maxItems }), description });
}

export function text(description: string) {
  return Type.String({ description });
}

export function usd(description: string) {
  return Type.Number({ description });
}

/** A plain number: a percentage, inches, pounds. */
export function decimal(description: string) {
  return Type.Number({ description });
}

/** A whole number that is never negative. */
export function count(description: string) {
  return Type.Integer({ minimum: 0, format: 'int32', description });
}

/** The same, but possibly more than 32 bits: sums of units, positions, bytes. */
export function largeCount(description: string) {
  return Type.Integer({ minimum: 0, format: 'int64', description });
}

export function id(description: string) {
  return Type.Integer({ minimum: 1, format: 'int64', description });
}

export function year(description: string) {
  return Type.Integer({ format: 'int32', description });
}

export function flag(description: string) {
  return Type.Boolean({ description });
}

/** A calendar day, such as 2026-11-15. */
export function day(description: string) {
  return Type.String({ format: 'date', description });
}

/** A calendar month, such as 2026-11. */
export function month(description: string) {
  return Type.String({ pattern: '^\\d{4}-\\d{2}$', description });
}

/** An instant in UTC, such as 2026-11-15T12:00:00.000Z. */
export function instant(description: string) {
  return Type.String({ format: 'date-time', description });
}

export function oneOf<const T extends readonly string[]>(values: T, description: string) {
  return Type.Unsafe<T[number]>({ type: 'string', enum: [...values], description });
}

/** One of some words in a request; `usual` if it is left out. */
export function choice<const T extends readonly string[]>(
  values: T,
  description: string,
  { usual, example = usual ?? values[0] }: { usual?: T[number]; example?: T[number] } = {},
) {
  return Type.Unsafe<T[number]>(
    Type.Enum([...values], {
      type: 'string',
      ...(usual !== undefined && { default: usual }),
      description,
      examples: [example],
    }),
  );
}

/** The position in a list after which a page starts. */
export function position(
  description: string,
  { usual, example = 0 }: { usual?: number; example?: number } = {},
) {
  return Type.Integer({
    minimum: 0,
    maximum: idMax,
    format: 'int64',
    ...(usual !== undefined && { default: usual }),
    examples: [example],
    description,
  });
}

/** A whole number without an upper limit. Numbers beyond the safe range are read as digits. */
export function anyWhole(options: {
  readonly minimum: number;
  readonly default?: number;
  readonly description: string;
  readonly example: number;
}) {
  const { example, ...rest } = options;
  return Type.Unsafe<RequestedInteger>({
    type: 'integer',
    format: 'int64',
    ...rest,
    examples: [example],
  });
}

interface NumberBounds {
  readonly minimum: number;
  readonly maximum: number;
  /** The maximum number of decimals in a query. */
  readonly decimals: number;
  readonly description: string;
  readonly example: number;
}

/** A number in a request, in a query as plain decimals; limits are inclusive. */
export function plainNumber(bounds: NumberBounds & { readonly default?: number }) {
  const { decimals, example, ...rest } = bounds;
  const { minimum, maximum } = rest;
  const expected = `a number from ${minimum} to ${maximum} with at most ${decimals} decimals`;
  return Type.Number({
    ...rest,
    examples: [example],
    'x-decimals': decimals,
    'x-expected': expected,
  });
}

/** A day in a query, which may be left out. */
export function filterDay(description: string, example: string) {
  return Type.Optional(
    Type.String({
      pattern: '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$',
      maxLength: 10,
      'x-expected': 'a date such as 2026-01-31',
      description,
      examples: [example],
    }),
  );
}

/** As in `hasHiddenCharacters`: control characters, separators of lines, and direction marks. */
const hidden = '\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069';

/** A line that somebody enters, such as a name, without spaces around it. */
export function enteredText(maxLength: number, description: string, example: string) {
  return Type.String({
    minLength: 1,
    maxLength,
    pattern: `^[^${hidden}\\s]([^${hidden}]*[^${hidden}\\s])?$`,
    'x-expected': `1 to ${maxLength} characters, without control characters and spaces around them`,
    description,
    examples: [example],
  });
}

/** The ID of something of the caller, in a path. */
export function ownId(description: string) {
  return Type.Integer({
    minimum: 1,
    maximum: idMax,
    format: 'int64',
    description,
    examples: [1],
  });
}

/** A short number or code without control characters. */
export function identifier(description: string, example: string) {
  return Type.String({
    minLength: 1,
    maxLength: identifierLengthMax,
    pattern: printablePattern,
    description,
    examples: [example],
  });
}
