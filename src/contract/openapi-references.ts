/** Moves every record of a document into its components, and replaces it with references. */
import {
  isExample,
  isRecord,
  publicSchema,
  type RecordSchema,
  recordsIn,
  type Schema,
} from './schema.ts';

interface Document extends Record<string, unknown> {
  readonly components: Readonly<Record<string, unknown>>;
}

/** Also removes the keywords that only our own messages use. */
export function withNamedSchemas(document: Document): Record<string, unknown> {
  const shown = publicSchema(document);
  const sorted = [...recordsIn(shown)].sort(([a], [b]) => (a < b ? -1 : 1));
  const schemas = Object.fromEntries(sorted.map(([name, record]) => [name, component(record)]));
  const { components, ...rest } = withReferences(shown) as Document;
  return { ...rest, components: { ...components, schemas } };
}

/** Without the title, which is the name of the component. */
function component({ title: _, ...rest }: RecordSchema): unknown {
  return withReferences(rest);
}

/** References keep a description of their own. */
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
