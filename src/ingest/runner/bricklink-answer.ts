/** Error responses of the BrickLink API. */

import { asObject, type JsonObject } from '../../kernel/json.ts';
import { shortText } from '../../kernel/text.ts';

/** The error in BrickLink's words; null if the response is not an error. */
export function bricklinkError({ meta }: JsonObject): string | null {
  const { code, message, description } = asObject(meta) ?? {};
  if (code === undefined || code === 200) return null;
  const words = [message, description].filter((word) => typeof word === 'string' && word !== '');
  return `BrickLink answered with an error (${code}): ${shortText(words.join(', '))}`;
}
