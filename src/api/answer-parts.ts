/**
 * The JSON of `data` in parts, for long responses. They are encoded one by one: joining them first
 * is several times slower.
 */
export class AnswerParts {
  constructor(readonly parts: readonly string[]) {}

  get json(): string {
    return this.parts.join('');
  }
}
