/** Secrets of an operator's account at a source. */
import { inspect } from 'node:util';

const hidden = '[secret]';

/** Shorter secrets occur in ordinary words, and are not redacted. */
export const redactedLengthMin = 4;

/** Hidden when printed or serialized. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return hidden;
  }

  toJSON(): string {
    return hidden;
  }

  [inspect.custom](): string {
    return hidden;
  }
}

/** Redacts secrets in all encodings that a source may use. */
export function redact(text: string, secrets: readonly Secret[]): string {
  return secrets
    .flatMap((secret) => spellings(secret.reveal()))
    .filter((spelling) => spelling.length >= redactedLengthMin)
    .sort((a, b) => b.length - a.length)
    .reduce((shown, spelling) => shown.replaceAll(spelling, hidden), text);
}

/** Plain, URL-encoded, in JSON, and in Base64. */
function spellings(value: string): string[] {
  const base64 = Buffer.from(value).toString('base64');
  return [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1), base64];
}
