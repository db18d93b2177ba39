/** Reads an object that a caller sent, such as a body, against its schema: exact, or refused. */
import type { TObject } from 'typebox';
import { Compile } from 'typebox/schema';
import { isObject, type JsonObject } from '../domain/kernel/json.ts';
import { shortText, shortValue } from '../domain/kernel/text.ts';
import type { ApiError } from './errors.ts';
import { bad, expectedValue, unknownName } from './input-words.ts';
import type { Schema } from './schema.ts';

const inWords = new Intl.ListFormat('en');

/** How an object is spoken of. */
export interface ObjectWords {
  /** The whole of it, as the beginning of a sentence. */
  readonly whole: string;
  /** A value in it, as the beginning of a sentence. */
  at(path: string): string;
  /** What one of its fields is called, and what follows the name of one that there is not. */
  readonly field: string;
  readonly where: string;
}

/** Reads an object; throws an `ApiError` BadRequest. */
type ReadObject = (
  given: unknown,
  facts: { readonly mayHaveHalfCharacters: boolean },
) => JsonObject;

/** Compiles the reader of an object. */
export function compileObject(schema: TObject, words: ObjectWords): ReadObject {
  const validator = Compile(schema);
  const names = Object.keys(schema.properties);
  return (given, { mayHaveHalfCharacters }) => {
    if (!isObject(given)) {
      const wanted = `a JSON object with ${inWords.format(names)}`;
      throw bad(`${words.whole} must be ${wanted}; got ${shortValue(given)}.`);
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

/** What is wrong with an object; the first fault is the one that lies deepest. */
function refusal(
  schema: TObject,
  given: JsonObject,
  [fault]: readonly Fault[],
  { at }: ObjectWords,
): ApiError {
  const path = fault?.instancePath.split('/').slice(1) ?? [];
  if (fault?.keyword === 'boolean') return unknownField(schema, path);
  const wanted = schemaAt(schema, path);
  const value = valueAt(given, path);
  if (fault?.keyword === 'required' && isObject(value)) {
    const missing = (wanted.required ?? []).filter((name) => !(name in value)).join(', ');
    return bad(`${at([...path, missing].join('.'))} is missing.`);
  }
  const isEmpty = fault?.keyword === 'minItems';
  const end = isEmpty ? 'not be empty' : `be ${expectedValue(wanted)}; got ${shortValue(value)}`;
  return bad(`${at(path.join('.'))} must ${end}.`);
}

/** What a schema wants at a place in the object. */
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

/** A field that its object does not have, deeper inside. */
function unknownField(schema: TObject, path: readonly string[]): ApiError {
  const around = path.slice(0, -1);
  const names = Object.keys(schemaAt(schema, around).properties ?? {});
  const where = ` in '${shortText(around.join('.'))}'`;
  return unknownName(path.at(-1) ?? '', { what: 'property', where, names });
}
