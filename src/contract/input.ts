/** Validates a request against an endpoint's row; a 400 says exactly what is wrong. */
import type { TObject, TSchema } from 'typebox';
import { Compile } from 'typebox/schema';
import { findJsonFault, findRepeatedName, locationIn } from '../kernel/json-fault.ts';
import { shortText } from '../kernel/text.ts';
import type { Endpoint } from './endpoint.ts';
import { bad, expected, unknownName } from './input-messages.ts';
import { compileObject } from './object-input.ts';
import type { Schema } from './schema.ts';

/** Validated values by name. */
export type Values = Readonly<Record<string, unknown>>;

/** All methods throw an `ApiError` BadRequest. */
export interface InputReader {
  /** Path parameters as in the URL, not decoded. */
  readPath(raw: Readonly<Record<string, string>>): Values;
  readQuery(search: string): Values;
  readBody(text: string): Values;
}

type InputSchemas = Pick<Endpoint, 'params' | 'query' | 'body'>;

const compiled = new WeakMap<InputSchemas, InputReader>();

/**
 * Compiled on first use, once per process: compiling all readers takes most of the startup time.
 */
export function inputOf(endpoint: InputSchemas): InputReader {
  const reader = () => compiled.get(endpoint) ?? compileKept(endpoint);
  return {
    readPath: (raw) => reader().readPath(raw),
    readQuery: (search) => reader().readQuery(search),
    readBody: (text) => reader().readBody(text),
  };
}

function compileKept(endpoint: InputSchemas): InputReader {
  const reader = compileInput(endpoint);
  compiled.set(endpoint, reader);
  return reader;
}

export function compileInput(endpoint: InputSchemas): InputReader {
  const readPath = compilePath(endpoint.params);
  const query = compileFields(endpoint.query, 'query parameter');
  const body = endpoint.body ? compileBody(endpoint.body) : null;
  return {
    readPath,
    readQuery: (search) => (search === '' ? query.readNothing() : query.read(splitQuery(search))),
    readBody: (text) => (body ? body(text) : {}),
  };
}

function compilePath(schema: TObject): InputReader['readPath'] {
  const fields = Object.entries(schema.properties).map(
    ([name, field]) => [name, compileField(name, field, 'path parameter')] as const,
  );
  return (raw) => {
    const values: Record<string, unknown> = {};
    for (const [name, field] of fields) {
      values[name] = field.read(decode(raw[name] ?? '', `path parameter '${name}'`));
    }
    return values;
  };
}

interface FieldsReader {
  read(pairs: readonly (readonly [string, string])[]): Values;
  readNothing(): Values;
}

function compileFields(schema: TObject, what: string): FieldsReader {
  const fields = new Map(
    Object.entries(schema.properties).map(([name, field]) => [
      name,
      compileField(name, field, what),
    ]),
  );
  const names = [...fields.keys()];
  const required = new Set(schema.required ?? []);
  const minimum = (schema as Schema).minProperties ?? 0;
  const read = (pairs: readonly (readonly [string, string])[]): Values => {
    const values: Record<string, unknown> = {};
    for (const [name, raw] of pairs) {
      const field = fields.get(name);
      if (!field) throw unknownName(name, { what, names });
      if (name in values) {
        const both = `'${shortText(String(values[name]))}' and '${shortText(raw)}'`;
        throw bad(`The ${what} '${name}' must be given once; got ${both}.`);
      }
      values[name] = field.read(raw);
    }
    if (pairs.length < minimum) throw bad(`Give at least one ${what} of ${names.join(', ')}.`);
    for (const [name, field] of fields) {
      if (name in values) continue;
      if (field.default !== undefined) values[name] = field.default;
      else if (required.has(name)) {
        throw bad(`The ${what} '${name}' is missing; it must be ${field.expected}.`);
      }
    }
    return values;
  };
  const optional = (name: string) => !required.has(name) || fields.get(name)?.default !== undefined;
  const defaults = minimum === 0 && names.every(optional) ? Object.freeze(read([])) : null;
  return { read, readNothing: () => defaults ?? read([]) };
}

interface FieldReader {
  readonly default: unknown;
  /** In words. */
  readonly expected: string;
  read(raw: string): unknown;
}

function compileField(name: string, schema: TSchema, what: string): FieldReader {
  const facts: Schema = schema;
  if (facts.type === 'integer' && facts.maximum === undefined)
    return anyWholeField(name, facts, what);
  const validator = Compile(schema);
  const number = numberPattern(facts);
  const read = (raw: string) => {
    const value = number?.test(raw) ? Number(raw) : raw;
    if (!validator.Check(value)) {
      throw bad(`The ${what} '${name}' must be ${expected(facts)}; got '${shortText(raw)}'.`);
    }
    return value;
  };
  return { default: facts.default, expected: expected(facts), read };
}

/** A whole number without an upper limit; its digits if it is beyond the safe range. */
function anyWholeField(name: string, facts: Schema, what: string): FieldReader {
  const read = (raw: string) => {
    const digits = raw.replace(/^0+(?=\d)/, '');
    const value = /^\d+$/.test(digits) ? Number(digits) : Number.NaN;
    if (value >= (facts.minimum ?? 0)) return Number.isSafeInteger(value) ? value : digits;
    throw bad(`The ${what} '${name}' must be ${expected(facts)}; got '${shortText(raw)}'.`);
  };
  return { default: facts.default, expected: expected(facts), read };
}

/** Plain digits, with decimals and a minus if allowed. */
function numberPattern({ type, minimum, 'x-decimals': decimals = 0 }: Schema): RegExp | null {
  if (type === 'integer') return /^\d{1,16}$/;
  const sign = (minimum ?? 0) < 0 ? '-?' : '';
  return type === 'number' ? new RegExp(`^${sign}\\d{1,12}(\\.\\d{1,${decimals}})?$`) : null;
}

function compileBody(schema: TObject): (text: string) => Values {
  const readObject = compileObject(schema, {
    whole: 'The body',
    at: (path) => `In the body, '${path}'`,
    field: 'property',
    where: ' in the body',
  });
  return (text) => {
    const body = parseBody(text);
    // The same name can be encoded with accents of its own.
    const values = readObject(body, { mayHaveHalfCharacters: halfCharacter.test(text) });
    return typeof values.name === 'string' ? { ...values, name: values.name.normalize() } : values;
  };
}

/** In valid UTF-8, only an escape can contain a lone surrogate. */
const halfCharacter = /\\u[dD][89a-fA-F]/;

function parseBody(text: string): unknown {
  const body = parseJson(text);
  // `JSON.parse` keeps the last of them, and the caller may have meant the first.
  const repeated = countNames(text) === countKeys(body) ? null : findRepeatedName(text);
  if (repeated === null) return body;
  const { line, column } = locationIn(text, repeated.index);
  throw bad(
    `The body has the name '${shortText(repeated.name)}' twice in one object, the second time ` +
      `at line ${line}, column ${column}; send it once.`,
  );
}

/** At least the names in a text: a string may contain what looks like the end of a name. */
function countNames(text: string): number {
  return text.match(/"\s*:/g)?.length ?? 0;
}

/** Not recursive, because a body can be nested thousands of levels deep. */
function countKeys(body: unknown): number {
  const objects = isObject(body) ? [body] : [];
  let count = 0;
  for (const object of objects) {
    const isList = Array.isArray(object);
    const values: readonly unknown[] = isList ? object : Object.values(object);
    if (!isList) count += values.length;
    for (const value of values) if (isObject(value)) objects.push(value);
  }
  return count;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    if (text.trim() === '') throw bad('The body is empty; send a JSON object.');
    const { index = 0, problem = '' } = findJsonFault(text) ?? {};
    const { line, column } = locationIn(text, index);
    throw bad(`The body is not valid JSON at line ${line}, column ${column}: ${problem}.`);
  }
}

/** Decoded pairs, in order. */
function splitQuery(search: string): [string, string][] {
  return search
    .split('&')
    .filter((part) => part !== '')
    .map((part) => {
      const at = part.indexOf('=');
      const name = decode(plusToSpace(at < 0 ? part : part.slice(0, at)), 'query string');
      const raw = at < 0 ? '' : part.slice(at + 1);
      return [name, decode(plusToSpace(raw), `query parameter '${shortText(name)}'`)];
    });
}

const plusToSpace = (text: string) => text.replaceAll('+', ' ');

function decode(raw: string, what: string): string {
  if (!raw.includes('%')) return raw;
  try {
    return decodeURIComponent(raw);
  } catch {
    throw bad(`The ${what} must be percent-encoded UTF-8; got '${shortText(raw)}'.`);
  }
}
