/** Validates an object in a request, such as a body, against its schema. */
import type { TObject } from 'typebox';
import { Compile } from 'typebox/schema';
import { isObject, type JsonObject } from '../kernel/json.ts';
import { shortText, shortValue } from '../kernel/text.ts';
import type { ApiError } from './errors.ts';
import { bad, expectedValue, unknownName } from './input-messages.ts';
import type { Schema } from './schema.ts';

const inWords = new Intl.ListFormat('en');

/** The words used for an object in messages. */
export interface ObjectWords {
  /** The whole object, as the start of a sentence. */
  readonly whole: string;
  /** A value in it, as the start of a sentence. */
  at(path: string): string;
  /** The word for a field, and what follows the name of an unknown one. */
  readonly field: string;
  readonly where: string;
}

/** Throws an `ApiError` BadRequest. */
type ReadObject = (
  given: unknown,
  facts: { readonly mayHaveHalfCharacters: boolean },
) => JsonObject;

export function compileObject(schema: TObject, words: ObjectWords): ReadObject {
  const validator = Compile(schema);
  const names = Object.keys(schema.properties);
  return (given, { mayHaveHalfCharacters }) => {
    if (!isObject(given)) {
      const expected = `a JSON object with ${inWords.format(names)}`;
      throw bad(`${words.whole} must be ${expected}; got ${shortValue(given)}.`);
    }
    for (const name of Object.keys(given)) {
      if (!names.includes(name))
        throw unknownName(name, { what: words.field, where: words.where, names });
    }
    if (!validator.Check(given)) throw refusal(schema, given, validator.Errors(given)[1], words);
    if (mayHaveHalfCharacters) checkWholeCharacters(given, [], words);
    return given;
  };
}

interface Fault {
  readonly keyword: string;
  readonly instancePath: string;
}

/** Of several problems, the deepest is reported. */
function refusal(
  schema: TObject,
  given: JsonObject,
  [fault]: readonly Fault[],
  { at }: ObjectWords,
): ApiError {
  const path = fault?.instancePath.split('/').slice(1) ?? [];
  if (fault?.keyword === 'boolean') return unknownField(schema, path);
  const expected = schemaAt(schema, path);
  const value = valueAt(given, path);
  if (fault?.keyword === 'required' && isObject(value)) {
    const missing = (expected.required ?? []).filter((name) => !(name in value)).join(', ');
    return bad(`${at([...path, missing].join('.'))} is missing.`);
  }
  return bad(`${at(path.join('.'))} must ${demand(fault?.keyword, expected, value)}.`);
}

function demand(keyword: string | undefined, expected: Schema, value: unknown): string {
  if (keyword === 'minItems') return 'not be empty';
  if (keyword === 'maxItems' && Array.isArray(value))
    return `have at most ${expected.maxItems} items; got ${value.length}`;
  return `be ${expectedValue(expected)}; got ${shortValue(value)}`;
}

function schemaAt(schema: Schema, path: readonly string[]): Schema {
  let inner = schema;
  for (const step of path) {
    const within: Schema = inner.anyOf?.find(({ items }) => items) ?? inner;
    inner = within.properties?.[step] ?? within.items ?? {};
  }
  return inner;
}

function valueAt(given: unknown, path: readonly string[]): unknown {
  let value = given;
  for (const step of path) value = (value as Record<string, unknown>)[step];
  return value;
}

function checkWholeCharacters(value: unknown, path: readonly string[], words: ObjectWords): void {
  if (typeof value === 'string' && !value.isWellFormed()) {
    throw bad(`${words.at(path.join('.'))} contains a lone surrogate; got ${shortValue(value)}.`);
  }
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    checkWholeCharacters(inner, [...path, name], words);
  }
}

/** An unknown field in a nested object. */
function unknownField(schema: TObject, path: readonly string[]): ApiError {
  const around = path.slice(0, -1);
  const names = Object.keys(schemaAt(schema, around).properties ?? {});
  const where = ` in '${shortText(around.join('.'))}'`;
  return unknownName(path.at(-1) ?? '', { what: 'property', where, names });
}
