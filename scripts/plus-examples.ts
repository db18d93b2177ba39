/** The examples of `docs/plus-api.md`: each request, and what the demo answers to it. */
import { type Demo, settled } from './demo.ts';

/** A request in a block of its own, with its body if it has one, and the answer below it. */
const example = /```http\n(GET|POST) (\S+)\n(?:\n([\s\S]*?)\n)?```\n\n```json\n[\s\S]*?\n```/g;

/** The page with every answer as the demo gives it, asked in the order of the page. */
export async function withExamples(page: string, demo: Pick<Demo, 'ask'>): Promise<string> {
  let fresh = '';
  let from = 0;
  for (const found of page.matchAll(example)) {
    const [whole, method = '', path = '', body] = found;
    const { data } = settled(await demo.ask(method, path, body)) as { data: unknown };
    const request = whole.slice(0, whole.lastIndexOf('```json'));
    const answer = `${request}\`\`\`json\n${JSON.stringify(data, null, 2)}\n\`\`\``;
    fresh += page.slice(from, found.index) + answer;
    from = found.index + whole.length;
  }
  return fresh + page.slice(from);
}
