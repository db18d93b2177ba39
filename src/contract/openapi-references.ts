/** Puts every record of a document into its components, by name, with references in its place. */
import {
  isExample,
  isRecord,
  publicSchema,
  type RecordSchema,
  recordsIn,
  type Schema,
} from './schema.ts';

/** A document before its records have a place of their own. */
interface Document extends Record<string, unknown> {
  readonly components: Readonly<Record<string, unknown>>;
}

/** The document with named schemas, and without what only our own messages need. */
export function withNamedSchemas(document: Document): Record<string, unknown> {
  const shown = publicSchema(document);
  const sorted = [...recordsIn(shown)].sort(([a], [b]) => (a < b ? -1 : 1));
  const schemas = Object.fromEntries(sorted.map(([name, record]) => [name, component(record)]));
  const { components, ...rest } = withReferences(shown) as Document;
  return { ...rest, components: { ...components, schemas } };
}

/** A record in its own place, where its name is said already. */
function component({ title: _, ...rest }: RecordSchema): unknown {
  return withReferences(rest);
}

/** A part of the document in which records are references, some with their own description. */
function withReferences(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withReferences);
  if (typeof part !== 'object' || part === null) return part;
  if (isRecord(part)) return reference(part);
  const { anyOf: [only, ...others] = [], description } = part as Schema;
  if (only && isRecord(only) && others.length === 0) return { ...reference(only), description };
  return Object.fromEntries(
    Object.entries(part).map(([name, inner]) => [
      name,
      isExample(name) ? inner : withReferences(inner),
    ]),
  );
}

function reference({ title }: RecordSchema): { readonly $ref: string } {
  return { $ref: `#/components/schemas/${title}` };
}
