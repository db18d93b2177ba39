/** The tables of `docs/api.md` and `docs/plus-api.md`, made from the endpoint tables. */
import { pageQuery } from '../src/contract/catalog.ts';
import type { Endpoint } from '../src/contract/endpoint.ts';
import { apiPrefix } from '../src/contract/limits.ts';
import { headingId } from '../src/web/docs/markdown.ts';

const head = '| method and path | returns | cost |\n|---|---|---|\n';

/** The page with the table of its endpoints as it should be. */
export function withEndpointTable(
  page: string,
  endpoints: Readonly<Record<string, Endpoint>>,
): string {
  const start = page.indexOf(head) + head.length;
  const rows = Object.values(endpoints).map(rowOf);
  return `${page.slice(0, start)}${rows.join('\n')}${page.slice(page.indexOf('\n\n', start))}`;
}

const costs = {
  one: '1',
  'per item': '1 per item',
  'per hour': '1 per hour',
  'per file': 'set by the operator',
  free: 'free',
} as const;

function rowOf(endpoint: Endpoint): string {
  const { method, path, docs, cost } = endpoint;
  // The other page has a table of parameters for each of its endpoints.
  const names = endpoint.prefix === apiPrefix ? shownNames(endpoint) : [];
  const query = names.length === 0 ? '' : `?${names.map((name) => `${name}=`).join('&')}`;
  const to = headingId(endpoint.summary);
  return `| \`${method} ${path}${query}\` | [${docs}](#${to}) | ${costs[cost]} |`;
}

/** The parameters that tell what is asked for; those of every list are told below the table. */
function shownNames({ query }: Endpoint): string[] {
  const isOneOf = 'minProperties' in query;
  const names = isOneOf ? Object.keys(query.properties) : (query.required ?? []);
  return names.filter((name) => !(name in pageQuery));
}
