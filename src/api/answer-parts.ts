/** The JSON of `data` in parts, for long responses. */

/** The parts are encoded one by one: joining them first takes three times as long. */
export class AnswerParts {
  constructor(readonly parts: readonly string[]) {}

  get json(): string {
    return this.parts.join('');
  }
}
