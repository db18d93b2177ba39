/**
 * The examples of `docs/api.md` and `docs/plus-api.md`: each is a call of curl, which is typed into
 * a shell as it stands, and below it what the demo answers: all of it where the page shows the
 * envelope, and `data` alone elsewhere.
 */
import { type Demo, settled } from './demo.ts';

/** A call in a block of its own, and the answer below it. */
const example = /```sh\n(curl (?:(?!```)[\s\S])*)\n```\n\n```json\n[\s\S]*?\n```/g;

/** Lists are cut to this length: what an element looks like is seen from two. */
const shownElements = 2;

/** The page with every answer as the demo gives it, asked in the order of the page. */
export async function withExamples(page: string, demo: Pick<Demo, 'type'>): Promise<string> {
  let fresh = '';
  let from = 0;
  for (const found of page.matchAll(example)) {
    const [whole, line = ''] = found;
    const answer = settled(JSON.parse(await demo.type(line))) as Answer;
    const part = whole.includes('```json\n{\n  "data": ') ? asFirstCall(answer) : answer.data;
    const shown = JSON.stringify(shortened(part ?? answer), null, 2);
    const call = whole.slice(0, whole.lastIndexOf('```json'));
    fresh += `${page.slice(from, found.index)}${call}\`\`\`json\n${shown}\n\`\`\``;
    from = found.index + whole.length;
  }
  return fresh + page.slice(from);
}

/** An answer, or an error, which has neither. */
interface Answer {
  readonly data?: unknown;
  readonly meta?: { readonly rate_limit: { readonly limit: number; readonly remaining: number } };
}

/** The answer with what remains after one call, however many were made for other examples. */
function asFirstCall({ data, meta }: Answer): Answer | undefined {
  if (!meta) return undefined;
  const { limit } = meta.rate_limit;
  return { data, meta: { ...meta, rate_limit: { ...meta.rate_limit, remaining: limit - 1 } } };
}

/** The same with short lists. */
function shortened(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, shownElements).map(shortened);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shortened(inner)]));
}
