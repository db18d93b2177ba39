/** Puts every record of a document into its components, by name, with references in its place. */

/** A document, or a part of one that is not an example. */
interface Document extends Record<string, unknown> {
  readonly components: Readonly<Record<string, unknown>>;
}

/** The document with named schemas, and without what only our own messages need. */
export function withNamedSchemas(document: Document): Record<string, unknown> {
  const schemas: Record<string, unknown> = {};
  const { components, ...rest } = withReferences(document, schemas) as Document;
  const sorted = Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1));
  return { ...rest, components: { ...components, schemas: Object.fromEntries(sorted) } };
}

/** A part of the document in which records are references; `schemas` is given the records. */
function withReferences(part: unknown, schemas: Record<string, unknown>): unknown {
  if (Array.isArray(part)) return part.map((each) => withReferences(each, schemas));
  if (typeof part !== 'object' || part === null) return part;
  const { title, ...rest } = part as { readonly title?: unknown };
  const isRecord = typeof title === 'string' && 'properties' in rest;
  const inner = Object.fromEntries(
    Object.entries(withDecimals(isRecord ? rest : part))
      .filter(([name]) => !ownKeywords.has(name))
      .map(([name, value]) => [name, isExample(name) ? value : withReferences(value, schemas)]),
  );
  if (!isRecord) return inner;
  const known = schemas[title];
  if (known && JSON.stringify(known) !== JSON.stringify(inner))
    throw new Error(`Two records are called ${title}.`);
  schemas[title] = inner;
  return { $ref: `#/components/schemas/${title}` };
}

/** A schema whose description also says how many decimals there may be. */
export function withDecimals<Schema extends object>(schema: Schema): Schema {
  const { description, 'x-decimals': decimals } = schema as NumberSchema;
  if (description === undefined || decimals === undefined) return schema;
  return { ...schema, description: `${description} At most ${decimals} decimals.` };
}

interface NumberSchema {
  readonly description?: string;
  readonly 'x-decimals'?: number;
}

/** What `input.ts` reads and words its refusals by. */
const ownKeywords = new Set(['x-expected', 'x-decimals']);

const isExample = (name: string) => name === 'example' || name === 'examples';
