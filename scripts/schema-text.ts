/** Types, limits and examples of the contract's schemas, as text for the reference. */

import type { Schema } from '../src/contract/schema.ts';
import { sentence } from '../src/kernel/text.ts';

/** The schema without null, if it is nullable. */
function nullFree(schema: Schema): Schema {
  const others = schema.anyOf?.filter(({ type }) => type !== 'null') ?? [];
  const [only] = others;
  return only && others.length === 1 ? only : schema;
}

/** The type of a value, such as `number or null`; `link` formats the names of records. */
export function typeOf(schema: Schema, link: (record: string) => string): string {
  if (schema.anyOf) return schema.anyOf.map((each) => typeOf(each, link)).join(' or ');
  if (schema.const !== undefined) return `\`${schema.const}\``;
  if (schema.title && schema.properties) return link(schema.title);
  if (schema.items) return `array of ${typeOf(schema.items, link)}`;
  if (schema.format === 'date-time' || schema.format === 'date') return schema.format;
  return schema.format === 'uuid' ? 'UUID' : (schema.type ?? 'any');
}

/** The limits of a value as a sentence; empty if there are none. */
export function boundsOf(schema: Schema): string {
  const facts = nullFree(schema);
  const values = facts.enum ?? facts.items?.enum;
  if (values) return `One of ${values.map((value) => `\`${value}\``).join(', ')}.`;
  const { minimum, maximum, minLength, maxLength } = facts;
  if (minimum !== undefined && maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER) {
    return `${countText(minimum)} to ${countText(maximum)}.`;
  }
  if (facts['x-expected']) return sentence(facts['x-expected']);
  if (minimum !== undefined && minimum > 0) return `${countText(minimum)} or more.`;
  return maxLength === undefined ? '' : `${minLength ?? 0} to ${maxLength} characters.`;
}

/** An example value; empty if an enum or a default makes it unnecessary. */
export function exampleOf({ examples, default: usual, ...schema }: Schema): string {
  const [example] = examples ?? [];
  if (example === undefined || usual !== undefined || schema.enum) return '';
  return `Example: \`${example}\`.`;
}

const countText = (count: number) => count.toLocaleString('en-US');
