/** What a schema of the contract says, in the words of the reference. */

import type { Schema } from '../src/contract/schema.ts';
import { sentence } from '../src/domain/kernel/text.ts';

/** The schema without null, if it allows it. */
function nullFree(schema: Schema): Schema {
  const others = schema.anyOf?.filter(({ type }) => type !== 'null') ?? [];
  const [only] = others;
  return only && others.length === 1 ? only : schema;
}

/** The type of a value, such as `number or null`; `link` makes the name of a record a link. */
export function typeOf(schema: Schema, link: (record: string) => string): string {
  if (schema.anyOf) return schema.anyOf.map((each) => typeOf(each, link)).join(' or ');
  if (schema.const !== undefined) return `\`${schema.const}\``;
  if (schema.title && schema.properties) return link(schema.title);
  if (schema.items) return `array of ${typeOf(schema.items, link)}`;
  if (schema.format === 'date-time' || schema.format === 'date') return schema.format;
  return schema.format === 'uuid' ? 'UUID' : (schema.type ?? 'any');
}

/** What a value is limited to, as a sentence; empty where its type says all. */
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

/** A value that may be sent; none where the possible values or a default show it already. */
export function exampleOf({ examples, default: usual, ...schema }: Schema): string {
  const [example] = examples ?? [];
  if (example === undefined || usual !== undefined || schema.enum) return '';
  return `Example: \`${example}\`.`;
}

const countText = (count: number) => count.toLocaleString('en-US');
