/** Messages about invalid input: what was expected instead. */
import { shortText } from '../kernel/text.ts';
import { ApiError } from './errors.ts';
import { nameHintEnd } from './nearest.ts';
import type { Schema } from './schema.ts';

/** The expected format of a text field, in words. */
export function expected(facts: Schema): string {
  if (facts['x-expected']) return facts['x-expected'];
  if (facts.enum) return `one of ${facts.enum.join(', ')}`;
  if (facts.type === 'integer') return `${wholeNumber(facts)}, in plain digits`;
  return `1 to ${facts.maxLength} characters, without control characters`;
}

export function expectedValue(facts: Schema): string {
  if (facts.anyOf) return facts.anyOf.map(expectedValue).join(' or ');
  if (facts.type === 'null') return 'null';
  if (facts.type === 'array') return 'an array';
  if (facts.type === 'object') return 'an object';
  if (facts.type === 'boolean') return 'true or false';
  if (facts.type === 'integer') return wholeNumber(facts);
  if (facts.type !== 'string' || facts.enum) return expected(facts);
  return facts['x-expected'] ? `${expected(facts)}, as a string` : `a string of ${expected(facts)}`;
}

function wholeNumber({ minimum, maximum }: Schema): string {
  if (maximum === undefined) return `a whole number, ${minimum} or more`;
  return `a whole number from ${minimum} to ${maximum}`;
}

interface Known {
  readonly what: string;
  readonly where?: string;
  readonly names: readonly string[];
}

/** The error for an unknown name, with a suggestion or the list of names. */
export function unknownName(name: string, { what, where = '', names }: Known): ApiError {
  const end = names.length === 0 ? '; there are none here.' : nameHintEnd(name, names);
  return bad(`Unknown ${what} '${shortText(name)}'${where}${end}`);
}

export function bad(message: string): ApiError {
  return new ApiError('BadRequest', message);
}
