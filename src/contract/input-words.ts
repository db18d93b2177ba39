/** What is said of input that is refused: what was wanted instead. */
import { shortText } from '../domain/kernel/text.ts';
import { ApiError } from './errors.ts';
import { nameHintEnd } from './nearest.ts';
import type { Schema } from './schema.ts';

/** What a text has to be to be read as a field, in words. */
export function expected(facts: Schema): string {
  if (facts['x-expected']) return facts['x-expected'];
  if (facts.enum) return `one of ${facts.enum.join(', ')}`;
  if (facts.type === 'integer') return `${wholeNumber(facts)}, in plain digits`;
  return `1 to ${facts.maxLength} characters, without control characters`;
}

/** What a value in an object has to be, in words. */
export function expectedValue(facts: Schema): string {
  if (facts.anyOf) return facts.anyOf.map(expectedValue).join(' or ');
  if (facts.type === 'null') return 'null';
  if (facts.type === 'array') return 'an array';
  if (facts.type === 'object') return 'an object';
  if (facts.type === 'integer') return wholeNumber(facts);
  return facts.type === 'string' && !facts.enum
    ? `a string of ${expected(facts)}`
    : expected(facts);
}

function wholeNumber({ minimum, maximum }: Schema): string {
  if (maximum === undefined) return `a whole number, ${minimum} or more`;
  return `a whole number from ${minimum} to ${maximum}`;
}

/** What is known where a name is not. */
interface Known {
  readonly what: string;
  readonly where?: string;
  readonly names: readonly string[];
}

/** The refusal of a name, with the one that was meant, or those that there are. */
export function unknownName(name: string, { what, where = '', names }: Known): ApiError {
  const end = names.length === 0 ? '; there are none here.' : nameHintEnd(name, names);
  return bad(`Unknown ${what} '${shortText(name)}'${where}${end}`);
}

/** The refusal with a sentence. */
export function bad(message: string): ApiError {
  return new ApiError('BadRequest', message);
}
