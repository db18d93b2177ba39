/** The table of `docs/api.md`, made from the endpoint table. */
import { pageQuery } from '../src/contract/catalog.ts';
import { type Endpoint, endpoints } from '../src/contract/endpoints.ts';

const head = '| method and path | answers | cost |\n|---|---|---|\n';

/** The page with the table as it should be. */
export function withEndpointTable(page: string): string {
  const start = page.indexOf(head) + head.length;
  const rows = Object.values<Endpoint>(endpoints).map(rowOf);
  return `${page.slice(0, start)}${rows.join('\n')}${page.slice(page.indexOf('\n\n', start))}`;
}

function rowOf(endpoint: Endpoint): string {
  const { method, path, docs, cost } = endpoint;
  const names = shownNames(endpoint);
  const query = names.length === 0 ? '' : `?${names.map((name) => `${name}=`).join('&')}`;
  return `| \`${method} ${path}${query}\` | ${docs} | ${cost === 'one' ? '1' : '1 per item'} |`;
}

/** The parameters that tell what is asked for; those of every list are told below the table. */
function shownNames({ query }: Endpoint): string[] {
  const isOneOf = 'minProperties' in query;
  const names = isOneOf ? Object.keys(query.properties) : (query.required ?? []);
  return names.filter((name) => !(name in pageQuery));
}
