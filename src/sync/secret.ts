/** A key or a password of an operator's account at a source. */
import { inspect } from 'node:util';

const hidden = '[secret]';

/** What is shorter occurs in ordinary words, and hiding it there would only garble them. */
export const redactedLengthMin = 4;

/** A secret that shows itself only to whoever asks for it by name; printing it does not. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** The secret itself, to be sent to its source and nowhere else. */
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

/** A text without any of the secrets in it, in whichever way a source may have written them. */
export function redact(text: string, secrets: readonly Secret[]): string {
  return secrets
    .flatMap((secret) => spellings(secret.reveal()))
    .filter((spelling) => spelling.length >= redactedLengthMin)
    .sort((a, b) => b.length - a.length)
    .reduce((shown, spelling) => shown.replaceAll(spelling, hidden), text);
}

/** As it is, as it stands in an address, in JSON, and in an `Authorization: Basic`. */
function spellings(value: string): string[] {
  const base64 = Buffer.from(value).toString('base64');
  return [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1), base64];
}
