/** The first request in README, and a part of its response. */

/** Fields of the set that are shown, with `…` for those between them. */
const shownFields = ['set_number', 'title', 'new_value_usd', 'used_value_usd', 'value_range'];

export function withFirstAnswer(readme: string, setNumber: string, answer: unknown): string {
  return readme
    .replace(/(\/api\/v1\/set\/)\S+/, `$1${setNumber}`)
    .replace(/```js\n[\s\S]*?\n```/, () => `\`\`\`js\n${excerptOf(answer as SetAnswer)}\n\`\`\``);
}

interface SetAnswer {
  readonly data: Readonly<Record<string, unknown>>;
}

function excerptOf({ data }: SetAnswer): string {
  const fields = Object.entries(data).map(([name, value]) =>
    shownFields.includes(name) ? `    "${name}": ${JSON.stringify(value)},` : '    …',
  );
  const lines = fields.filter((line, index) => line !== fields[index - 1]);
  return ['{', '  "data": {', ...lines, '  },', '  …', '}'].join('\n');
}
