/**
 * The examples of `docs/api.md` and `docs/plus-api.md`: runs each curl command in a shell against
 * the demo and writes its response below it, complete if the page shows the envelope, otherwise
 * `data`.
 */
import { type Demo, settled } from './demo.ts';

/** A curl command in its own block, and the response below it. */
const example = /```sh\n(curl (?:(?!```)[\s\S])*)\n```\n\n```json\n(?:(?!```)[\s\S])*```/g;

/** Lists are cut to two elements, which show their shape. */
const shownElements = 2;

/** The page with fresh responses, requested in the order of the page. */
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

/** A response; errors have neither field. */
interface Answer {
  readonly data?: unknown;
  readonly meta?: { readonly rate_limit: { readonly limit: number; readonly remaining: number } };
}

/** The response with `remaining` as after one call, whatever other examples used. */
function asFirstCall({ data, meta }: Answer): Answer | undefined {
  if (!meta) return undefined;
  const { limit } = meta.rate_limit;
  return { data, meta: { ...meta, rate_limit: { ...meta.rate_limit, remaining: limit - 1 } } };
}

function shortened(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, shownElements).map(shortened);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shortened(inner)]));
}
