/**
 * Shortens the schemas of tools, because models read the list of tools again and again: results are
 * outlined by the names of their fields, and arguments lose what an error message explains as well.
 */
import type { Schema } from '../contract/schema.ts';

const left = new Set(['examples', 'format', 'maxLength', 'minLength', 'pattern', 'title']);

/** A limit beyond this is there for safety; no argument comes near it. */
const telling = 1_000_000;

/** The schema of arguments without examples, and without the forms and lengths of texts. */
export function briefInput(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(briefInput);
  if (typeof schema !== 'object' || schema === null) return schema;
  const kept = Object.entries(schema).filter(
    ([keyword, value]) => !left.has(keyword) && !(keyword === 'maximum' && value > telling),
  );
  return Object.fromEntries(
    kept.map(([keyword, value]) => [
      keyword,
      keyword === 'properties' ? eachField(value, briefInput) : briefInput(value),
    ]),
  );
}

/** The fields of a result that are always there, with the names of the fields below them. */
export function outline({ properties = {}, required = [] }: Schema): object {
  const fields = eachField(properties, (field) => outlineOf(field as Schema, 1));
  return { type: 'object', properties: fields, required };
}

/** `levels` of names; those deeper are left to the result. */
function outlineOf(schema: Schema, levels: number): object {
  const [first = schema, ...others] = (schema.anyOf ?? []).filter(({ type }) => type !== 'null');
  if (others.length > 0) return {};
  if (first.items) return { items: outlineOf(first.items, levels) };
  if (!first.properties || levels === 0) return {};
  const below = (field: unknown) => outlineOf(field as Schema, levels - 1);
  return { properties: eachField(first.properties, below) };
}

/** Fields can have the names of keywords. */
function eachField(fields: object, brief: (schema: unknown) => unknown): object {
  return Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, brief(schema)]));
}
