/**
 * Shortens the output schema of a tool, because models read the list of tools again and again.
 * Names, types and descriptions stay; limits and formats are dropped, and so is the ban on other
 * fields, so that later versions can add some.
 */

const left = new Set([
  'additionalProperties',
  'examples',
  'format',
  'maximum',
  'maxItems',
  'minimum',
  'pattern',
  'title',
]);

export function briefSchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(briefSchema);
  if (typeof schema !== 'object' || schema === null) return schema;
  const kept = Object.entries(schema).filter(([keyword]) => !left.has(keyword));
  const brief = kept.map(([keyword, value]) => [
    keyword,
    keyword === 'properties' ? eachBrief(value) : briefSchema(value),
  ]);
  return orNullInShort(Object.fromEntries(brief));
}

/** Fields can have the names of keywords. */
function eachBrief(fields: object): unknown {
  return Object.fromEntries(
    Object.entries(fields).map(([name, schema]) => [name, briefSchema(schema)]),
  );
}

interface Choice {
  readonly anyOf?: readonly { readonly type?: unknown; readonly enum?: readonly unknown[] }[];
}

function orNullInShort({ anyOf, ...rest }: Choice): unknown {
  const [first, second, ...others] = anyOf ?? [];
  if (first === undefined) return rest;
  // A single schema in `anyOf` exists only for its own description.
  if (second === undefined) return { ...first, ...rest };
  const isPlain = typeof first.type === 'string' && second?.type === 'null' && others.length === 0;
  if (!isPlain) return { anyOf, ...rest };
  const { type, enum: values, ...facts } = first;
  return { type: [type, 'null'], ...(values && { enum: [...values, null] }), ...facts, ...rest };
}
