/** The tool table of `docs/mcp.md`, generated from the tools. */
import type { Tool } from '../src/mcp/tool.ts';
import { tools } from '../src/mcp/tools.ts';

const head = '| tool | description | arguments | cost |\n|---|---|---|---|\n';

/** The page with a fresh tool table. */
export function withToolTable(page: string): string {
  const start = page.indexOf(head) + head.length;
  const rows = tools.map(rowOf).join('\n');
  return `${page.slice(0, start)}${rows}${page.slice(page.indexOf('\n\n', start - 1))}`;
}

function rowOf({ name, description, input, cost }: Tool): string {
  const [first = ''] = description.split(/(?<=\.) /);
  const required = new Set(input.required);
  const names = Object.keys(input.properties).map((argument) =>
    required.has(argument) ? `**\`${argument}\`**` : `\`${argument}\``,
  );
  return `| \`${name}\` | ${first} | ${names.join(', ')} | ${cost} |`;
}
