/** A key or a password of an operator's account at a source. */
import { inspect } from 'node:util';

const hidden = '[secret]';

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
