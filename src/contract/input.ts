/** Reads what a caller sent against an endpoint's row: exact, or a 400 that names what is wrong. */
import type { TObject, TSchema } from 'typebox';
import { Compile } from 'typebox/schema';
import { isObject, type JsonObject } from '../domain/kernel/json.ts';
import { findJsonFault, placeOf } from '../domain/kernel/json-fault.ts';
import { shortText, shortValue } from '../domain/kernel/text.ts';
import type { Endpoint } from './endpoint.ts';
import { ApiError } from './errors.ts';
import { nameHintEnd } from './nearest.ts';
import type { Schema } from './schema.ts';

/** Values by name, after validation. */
export type Values = Readonly<Record<string, unknown>>;

/** Reads the inputs of one endpoint; each method throws an `ApiError` BadRequest. */
export interface InputReader {
  /** Path parameters as they stand in the URL. */
  readPath(raw: Readonly<Record<string, string>>): Values;
  readQuery(search: string): Values;
  readBody(text: string): Values;
}

/** Compiles the reader of one endpoint. */
export function compileInput(endpoint: Pick<Endpoint, 'params' | 'query' | 'body'>): InputReader {
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
  /** What it wants, in words. */
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

/** A whole number without an upper end; its digits where a number does not hold it exactly. */
function anyWholeField(name: string, facts: Schema, what: string): FieldReader {
  const read = (raw: string) => {
    const digits = raw.replace(/^0+(?=\d)/, '');
    const value = /^\d+$/.test(digits) ? Number(digits) : Number.NaN;
    if (value >= (facts.minimum ?? 0)) return Number.isSafeInteger(value) ? value : digits;
    throw bad(`The ${what} '${name}' must be ${expected(facts)}; got '${shortText(raw)}'.`);
  };
  return { default: facts.default, expected: expected(facts), read };
}

/** How a number is written: plain digits, with a few decimals where there may be some. */
function numberPattern({ type, 'x-decimals': decimals = 0 }: Schema): RegExp | null {
  if (type === 'integer') return /^\d{1,16}$/;
  return type === 'number' ? new RegExp(`^\\d{1,12}(\\.\\d{1,${decimals}})?$`) : null;
}

/** What a field wants, in words. */
function expected(facts: Schema): string {
  if (facts['x-expected']) return facts['x-expected'];
  if (facts.enum) return `one of ${facts.enum.join(', ')}`;
  if (facts.type === 'integer' && facts.maximum === undefined) {
    return `a whole number, ${facts.minimum} or more, in plain digits`;
  }
  if (facts.type === 'integer') {
    return `a whole number from ${facts.minimum} to ${facts.maximum}, in plain digits`;
  }
  return `1 to ${facts.maxLength} characters, without control characters`;
}

function compileBody(schema: TObject): (text: string) => Values {
  const validator = Compile(schema);
  const names = Object.keys(schema.properties);
  return (text) => {
    const value = parseBody(text);
    if (!isObject(value)) {
      const wanted = `a JSON object with ${names.join(' and ')}`;
      throw bad(`The body must be ${wanted}; got ${shortValue(value)}.`);
    }
    for (const name of Object.keys(value)) {
      if (!names.includes(name))
        throw unknownName(name, { what: 'property', where: ' in the body', names });
    }
    if (!validator.Check(value)) throw invalidBody(schema, value, validator.Errors(value)[1]);
    if (mayHaveHalfCharacters.test(text)) checkWholeCharacters(value, []);
    return value;
  };
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    if (text.trim() === '') throw bad('The body is empty; send a JSON object.');
    const { index = 0, problem = '' } = findJsonFault(text) ?? {};
    const { line, column } = placeOf(text, index);
    throw bad(`The body is not valid JSON at line ${line}, column ${column}: ${problem}.`);
  }
}

interface BodyFault {
  readonly keyword: string;
  readonly instancePath: string;
}

/** What is wrong with a body; the first fault is the one that lies deepest. */
function invalidBody(schema: TSchema, body: JsonObject, [fault]: readonly BodyFault[]): ApiError {
  const path = fault?.instancePath.split('/').slice(1) ?? [];
  if (fault?.keyword === 'boolean') return unknownField(schema, path);
  const wanted = schemaAt(schema, path);
  const value = valueAt(body, path);
  if (fault?.keyword === 'required' && isObject(value)) {
    const missing = (wanted.required ?? []).filter((name) => !(name in value)).join(', ');
    return bad(`In the body, '${[...path, missing].join('.')}' is missing.`);
  }
  const isEmpty = fault?.keyword === 'minItems';
  const end = isEmpty ? 'not be empty' : `be ${expectedInBody(wanted)}; got ${shortValue(value)}`;
  return bad(`In the body, '${path.join('.')}' must ${end}.`);
}

/** What a value in the body has to be, in words. */
function expectedInBody(facts: Schema): string {
  if (facts.anyOf) return facts.anyOf.map(expectedInBody).join(' or ');
  if (facts.type === 'null') return 'null';
  if (facts.type === 'array') return 'an array';
  if (facts.type === 'object') return 'an object';
  if (facts.type === 'integer') return `a whole number from ${facts.minimum} to ${facts.maximum}`;
  return facts.type === 'string' && !facts.enum
    ? `a string of ${expected(facts)}`
    : expected(facts);
}

/** What a schema wants at a place in the body. */
function schemaAt(schema: TSchema, path: readonly string[]): Schema {
  let inner: Schema = schema;
  for (const step of path) {
    const within: Schema = inner.anyOf?.find(({ items }) => items) ?? inner;
    inner = within.properties?.[step] ?? within.items ?? {};
  }
  return inner;
}

function valueAt(body: unknown, path: readonly string[]): unknown {
  let value = body;
  for (const step of path) value = (value as Record<string, unknown>)[step];
  return value;
}

/** Only an escape can put half of a character into a text that is UTF-8. */
const mayHaveHalfCharacters = /\\u[dD][89a-fA-F]/;

function checkWholeCharacters(value: unknown, path: readonly string[]): void {
  if (typeof value === 'string' && !value.isWellFormed()) {
    const at = path.join('.');
    throw bad(`In the body, '${at}' contains a lone surrogate; got ${shortValue(value)}.`);
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) checkWholeCharacters(inner, [...path, name]);
}

/** A field that its object does not have, deeper in the body. */
function unknownField(schema: TSchema, path: readonly string[]): ApiError {
  const around = path.slice(0, -1);
  const names = Object.keys(schemaAt(schema, around).properties ?? {});
  const where = ` in '${around.join('.')}'`;
  return unknownName(path.at(-1) ?? '', { what: 'property', where, names });
}

/** Splits a query string into decoded pairs, in order. */
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

/** What is known where a name is not. */
interface Known {
  readonly what: string;
  readonly where?: string;
  readonly names: readonly string[];
}

function unknownName(name: string, { what, where = '', names }: Known): ApiError {
  const end = names.length === 0 ? '; there are none here.' : nameHintEnd(name, names);
  return bad(`Unknown ${what} '${shortText(name)}'${where}${end}`);
}

function bad(message: string): ApiError {
  return new ApiError('BadRequest', message);
}
