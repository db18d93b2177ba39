/** The endpoint tables of `docs/api.md` and `docs/plus-api.md`, generated from the contract. */
import { pageQuery } from '../src/contract/catalog.ts';
import type { Endpoint } from '../src/contract/endpoint.ts';
import { apiPrefix } from '../src/contract/limits.ts';
import { headingId } from '../src/web/docs/markdown.ts';

const head = '| method and path | returns | cost |\n|---|---|---|\n';

/** The page with a fresh endpoint table. */
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
  'per result': '1 per page, or 1 per item with values',
  'per hour': '1 per hour',
  'per file': 'set by the operator',
  free: 'free',
} as const;

function rowOf(endpoint: Endpoint): string {
  const { method, path, docs, cost } = endpoint;
  // docs/plus-api.md has a table of parameters for each endpoint instead.
  const names = endpoint.prefix === apiPrefix ? shownNames(endpoint) : [];
  const query = names.length === 0 ? '' : `?${names.map((name) => `${name}=`).join('&')}`;
  const to = headingId(endpoint.summary);
  return `| \`${method} ${path}${query}\` | [${docs}](#${to}) | ${costs[cost]} |`;
}

/** The required parameters, or all if at least one is; paging is described below the table. */
function shownNames({ query }: Endpoint): string[] {
  const isOneOf = 'minProperties' in query;
  const names = isOneOf ? Object.keys(query.properties) : (query.required ?? []);
  return names.filter((name) => !(name in pageQuery));
}
