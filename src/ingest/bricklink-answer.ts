/** Answers of BrickLink's API that say that there is nothing. */

import { asObject, type JsonObject } from '../domain/kernel/json.ts';
import { shortText } from '../domain/kernel/text.ts';

/** Why an answer holds nothing, in BrickLink's words; null when it does not say so. */
export function bricklinkError({ meta }: JsonObject): string | null {
  const { code, message, description } = asObject(meta) ?? {};
  if (code === undefined || code === 200) return null;
  const words = [message, description].filter((word) => typeof word === 'string' && word !== '');
  return `BrickLink answered with an error (${code}): ${shortText(words.join(', '))}`;
}
