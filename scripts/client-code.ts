/**
 * Generates the code of the TypeScript client, `clients/typescript`, from the contract: `calls.ts`,
 * how each endpoint with a JSON response is called; `rules.ts`, limits and rules; and its types:
 * `types.ts`, an interface for every record and query, and `method-types.ts`, the methods.
 */
import type { TSchema } from 'typebox';
import { dealWarnings } from '../src/buying/deals/deal.ts';
import { sellingChannels } from '../src/buying/prices/selling-channels.ts';
import { costTexts, type Endpoint } from '../src/contract/endpoint.ts';
import { endpoints } from '../src/contract/endpoints.ts';
import { allErrors, statusRules } from '../src/contract/errors.ts';
import { apiPrefix, batchItemsMax, plusPrefix } from '../src/contract/limits.ts';
import { plusEndpoints } from '../src/contract/plus/endpoints.ts';
import { recordsIn, type Schema } from '../src/contract/schema.ts';
import { sentence } from '../src/kernel/text.ts';
import { eventKinds } from '../src/market/events/events.ts';
import { platforms } from '../src/market/fees/platforms.ts';

const folder = 'clients/typescript/src';

/** The generated files, by path. */
export function clientCode(): { readonly path: string; readonly text: string }[] {
  return [
    { path: `${folder}/calls.ts`, text: callsText() },
    { path: `${folder}/rules.ts`, text: rulesText() },
    { path: `${folder}/types.ts`, text: typesText() },
    { path: `${folder}/method-types.ts`, text: methodsText() },
  ];
}

export type Table = Readonly<Record<string, Endpoint>>;

export const tables: readonly Table[] = [endpoints, plusEndpoints];

/** Whether a type is sent by callers or received in responses. */
type Side = 'sent' | 'answered';

const lineLengthMax = 100;

/** Long enumerations of several fields. */
const namedEnums = {
  SellingChannel: ['A channel to sell on.', sellingChannels],
  Platform: ['A platform of recorded sales.', platforms],
  EventKind: ['A kind of market event.', eventKinds],
  DealWarning: ['A warning about a deal.', dealWarnings],
} as const;

/** The statuses after which the same call may succeed. */
export const retried = Object.entries(statusRules).flatMap(([status, { retry }]) =>
  retry === 'never' ? [] : [[status, retry] as const],
);

export const retryText = 'When to try again after an error, by its status; otherwise never.';

const quoted = (value: unknown) => `'${value}'`;
export const made = 'Made from the contract by `npm run docs`.';

// --- Types

function typesText(): string {
  const rows = tables.flatMap((table) => Object.entries(table));
  const records = new Map<string, string>();
  for (const [name, { answer, body, docs }] of rows) {
    addRecords(answer, { side: 'answered', comment: sentence(docs) }, records);
    const comment = `The body of \`${name}\`.`;
    if (body) addRecords(body, { side: 'sent', comment }, records);
  }
  for (const [name, { query }] of rows) {
    const shape = query as Schema;
    if (!hasFields(shape)) continue;
    const comment = `The query parameters of \`${name}\`.`;
    records.set(queryName(name), interfaceText(queryName(name), comment, shape, 'query'));
  }
  const unions = { ErrorCode: ['An error code.', Object.keys(allErrors)], ...namedEnums } as const;
  return [
    commentText(
      `The records, queries and error codes of both APIs, as types. ${made}`,
      '',
    ).trimEnd(),
    ...Object.entries(unions).map(
      ([name, [about, values]]) => `/** ${about} */\n${aliasText(name, values.map(quoted))}`,
    ),
    ...[...records].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text),
  ]
    .join('\n\n')
    .concat('\n');
}

/** Adds each record of a schema once; `comment` describes the schema itself. */
function addRecords(
  schema: TSchema,
  { side, comment }: { readonly side: Side; readonly comment: string },
  records: Map<string, string>,
): void {
  for (const [name, record] of recordsIn(schema)) {
    const { description = record === schema ? comment : '' } = record;
    if (!records.has(name)) records.set(name, interfaceText(name, description, record, side));
  }
}

function interfaceText(name: string, comment: string, shape: Schema, side: Side | 'query'): string {
  const base = baseOf(shape);
  const fields = Object.entries(shape.properties ?? {})
    .filter(([field]) => !base?.properties?.[field])
    .map(([field, inner]) =>
      fieldText(field, inner, { side, isOptional: isOptional(shape, field) }),
    );
  const start = base ? `${name} extends ${base.title}` : name;
  return `${commentText(comment, '')}export interface ${start} {\n${fields.join('')}}`;
}

const answers = tables.flatMap((table) =>
  Object.values(table).map(({ answer }) => answer as Schema),
);

/**
 * The response that a record extends: an item of a batch has `found` in addition to what a call for
 * the item alone returns, and a new webhook has its secret.
 */
export function baseOf({ title, properties = {} }: Schema): Schema | undefined {
  return answers.find(
    (answer) =>
      answer.title !== undefined &&
      answer.title !== title &&
      Object.entries(answer.properties ?? {}).every(([name, field]) => properties[name] === field),
  );
}

export function isOptional(shape: Schema, field: string): boolean {
  return !shape.required?.includes(field) || shape.properties?.[field]?.default !== undefined;
}

function fieldText(
  name: string,
  shape: Schema,
  { side, isOptional }: { side: Side | 'query'; isOptional: boolean },
): string {
  const members = side === 'query' ? queryMembers(shape) : typeMembers(shape, side);
  const optional = isOptional ? '?' : '';
  // Lets callers pass undefined instead of omitting the field.
  const types = isOptional && side !== 'answered' ? [...members, 'undefined'] : members;
  const start = `  ${side === 'answered' ? '' : 'readonly '}${name}${optional}:`;
  return `${commentText(shape.description, '  ')}${unionText(start, types, '  ')}`;
}

/** A union on one line, or one member per line if it is too long. */
function unionText(start: string, members: readonly string[], indent: string): string {
  const line = `${start} ${members.join(' | ')};\n`;
  if (line.length <= lineLengthMax + 1) return line;
  const [, listed] = /^\((.*)\)\[\]$/.exec(members.join()) ?? [];
  if (listed)
    return `${start} (\n${listed
      .split(' | ')
      .map((each) => `${indent}  | ${each}\n`)
      .join('')}${indent})[];\n`;
  return `${start}\n${members.map((member) => memberText(member, `${indent}  `)).join('\n')};\n`;
}

/** A member on its own line, or a list with one of its types per line if it is too long. */
function memberText(member: string, indent: string): string {
  const line = `${indent}| ${member}`;
  const [, listed] = /^readonly \((.*)\)\[\]$/.exec(member) ?? [];
  if (line.length <= lineLengthMax || !listed) return line;
  const types = listed.split(' | ').map((each) => `${indent}    | ${each}\n`);
  return `${indent}| readonly (\n${types.join('')}${indent}  )[]`;
}

function aliasText(name: string, members: readonly string[]): string {
  return unionText(`export type ${name} =`, members, '').trimEnd();
}

/** The types of a query parameter: also arrays for lists, and dates for instants. */
function queryMembers(shape: Schema): string[] {
  const members = typeMembers(shape, 'sent');
  if (shape['x-list']) members.push('readonly string[]');
  if (shape.format === 'date-time') members.push('Date');
  return members;
}

function typeMembers(shape: Schema, side: Side): string[] {
  if (shape.title) return [shape.title];
  if (shape.anyOf) return shape.anyOf.flatMap((each) => typeMembers(each, side));
  if (shape.enum) return enumMembers(shape.enum);
  if (typeof shape.const === 'string') return [`'${shape.const}'`];
  if (shape.const !== undefined) return [JSON.stringify(shape.const)];
  if (shape.type === 'array') return [arrayText(shape.items ?? {}, side)];
  if (shape.type === 'object') return ['Record<string, unknown>'];
  if (shape.type === 'integer') return ['number'];
  if (['string', 'number', 'boolean', 'null'].includes(shape.type ?? '')) return [shape.type ?? ''];
  throw new Error(`There is no type for ${JSON.stringify(shape)}.`);
}

function enumMembers(values: readonly unknown[]): string[] {
  const named = Object.entries(namedEnums).find(([, [, all]]) => Bun.deepEquals(values, [...all]));
  return named ? [named[0]] : values.map(quoted);
}

function arrayText(items: Schema, side: Side): string {
  const members = typeMembers(items, side);
  const one = members.length > 1 ? `(${members.join(' | ')})` : members[0];
  return `${side === 'sent' ? 'readonly ' : ''}${one}[]`;
}

/** Wraps a comment to the line length. */
function commentText(text: string | undefined, indent: string): string {
  if (!text) return '';
  const line = `${indent}/** ${text} */\n`;
  if (line.length <= lineLengthMax + 1) return line;
  return `${indent}/**\n${wrapped(text, `${indent} * `)}${indent} */\n`;
}

function wrapped(text: string, start: string): string {
  const lines: string[] = [];
  let line = start.trimEnd();
  for (const word of text.split(' ')) {
    if (line.length + 1 + word.length > lineLengthMax) {
      lines.push(line);
      line = start.trimEnd();
    }
    line += ` ${word}`;
  }
  return [...lines, line].map((each) => `${each}\n`).join('');
}

const hasFields = ({ properties = {} }: Schema) => Object.keys(properties).length > 0;
const queryName = (name: string) => `${name.slice(0, 1).toUpperCase()}${name.slice(1)}Query`;

// --- Rules

function rulesText(): string {
  return `/** Limits and rules of both APIs. ${made} */

/** Unique sets and minifigures in one call, together. */
export const batchItemsMax = ${batchItemsMax};

/** ${retryText} */
export const retryRules: Readonly<Record<number, 'after' | 'backoff'>> = {
${retried.map(([status, rule]) => `  ${status}: '${rule}',\n`).join('')}};
`;
}

// --- Calls

/** How each method calls the API: by what, where, and whether it sends a query or a body. */
function callsText(): string {
  return [
    `/** The calls and lists of both APIs. ${made} */`,
    "import type { List } from './paging.ts';",
    "import type { Call } from './transport.ts';\n",
    ...[
      ['api', apiPrefix, endpoints] as const,
      ['plus', plusPrefix, plusEndpoints] as const,
    ].flatMap(([api, prefix, table]) => [
      tableText(`${api}Calls`, 'Call', `The calls of \`${prefix}\`.`, callRows(table)),
      tableText(`${api}Lists`, 'List', `The lists of \`${prefix}\`.`, listRows(table)),
    ]),
  ].join('\n');
}

function tableText(name: string, type: string, about: string, rows: readonly string[]): string {
  const lines = rows.map((row) => `  ${row},\n`).join('');
  const start = `export const ${name}: Readonly<Record<string, ${type}>> = {`;
  return `/** ${about} */\n${start}\n${lines}};\n`;
}

const callRows = (table: Table) =>
  calledRows(table).map(([name, { method, effect, prefix, path, ...endpoint }]) => {
    const by = `${method.toLowerCase()}${effect === 'each time' ? 'Once' : ''}`;
    const sent = sentBy(endpoint);
    return `${name}: ['${by}', '${prefix}${path}'${sent ? `, '${sent}'` : ''}]`;
  });

const listRows = (table: Table) =>
  calledRows(table)
    .filter(([, row]) => isList(row))
    .map(([name, endpoint]) => {
      const { by, field } = pagesOf(name, endpoint);
      const { limit } = (endpoint.query as Schema).properties ?? {};
      return `${name}: ['${by}', '${field}', ${limit?.maximum}]`;
    });

/** The endpoints with methods; streams and files are written by hand. */
const calledRows = (table: Table) =>
  Object.entries(table).filter(([, { kind }]) => kind === undefined);

function sentBy({ body, query }: Pick<Endpoint, 'body' | 'query'>): 'body' | 'query' | null {
  if (body) return 'body';
  return hasFields(query as Schema) ? 'query' : null;
}

// --- Methods

function methodsText(): string {
  return [
    commentText(`The methods that \`calls.ts\` has, as types. ${made}`, '').trimEnd(),
    "import type { Pages } from './paging.ts';",
    "import type { CallOptions } from './transport.ts';",
    "import type * as Api from './types.ts';\n",
    interfacesText('Api', apiPrefix, endpoints),
    `\n${interfacesText('Plus', plusPrefix, plusEndpoints)}\n`,
  ].join('\n');
}

/** The methods of one API, and its lists. */
function interfacesText(api: string, prefix: string, table: Table): string {
  const rows = calledRows(table);
  const lists = rows.filter(([, row]) => isList(row));
  return `/** The calls of \`${prefix}\`. */
export interface ${api}Methods {
${rows.map(([name, endpoint]) => methodText(name, endpoint)).join('\n\n')}
}

/** The lists of \`${prefix}\`, from their first element to the last. */
export interface ${api}Lists {
${lists.map(([name, endpoint]) => listText(name, endpoint)).join('\n\n')}
}`;
}

function methodText(name: string, endpoint: Endpoint): string {
  const { method, prefix, path, summary } = endpoint;
  const params = Object.entries(endpoint.params.properties as Record<string, Schema>);
  const answer = typeMembers(endpoint.answer as Schema, 'answered')
    .map(qualified)
    .join(' | ');
  const argumentsText = [
    ...params.map(([param, shape]) => `${param}: ${typeMembers(shape, 'sent').join(' | ')}`),
    ...(sentBy(endpoint) ? [sentText(name, endpoint)] : []),
    'options?: CallOptions',
  ];
  const about = `${summary}. \`${method} ${prefix}${path}\`. ${methodCost(endpoint)}`;
  const signature = signatureText(name, argumentsText, `Promise<${answer}>`);
  return commentText(about, '  ') + signature;
}

/** The cost of a method; batches of any size are split. */
export function methodCost({ path, cost }: Endpoint): string {
  if (!path.endsWith('/batch')) return costTexts[cost];
  return (
    `Costs 1 call per unique item. More than ${batchItemsMax} are sent as several requests, one ` +
    'after the other, and returned as one batch.'
  );
}

/** Adds the module's namespace to the name of a record. */
const qualified = (type: string) => type.replace(/^[A-Z]/, (first) => `Api.${first}`);

/** The signature of a method, on one line if it fits. */
function signatureText(name: string, parameters: readonly string[], result: string): string {
  const line = `  ${name}(${parameters.join(', ')}): ${result};`;
  if (line.length <= lineLengthMax) return line;
  return `  ${name}(\n${parameters.map((each) => `    ${each},\n`).join('')}  ): ${result};`;
}

function sentText(name: string, { body, query }: Endpoint): string {
  if (body) return `body: Api.${(body as Schema).title}`;
  const shape: Schema = query;
  const isNeeded =
    shape.minProperties !== undefined ||
    Object.keys(shape.properties ?? {}).some((field) => !isOptional(shape, field));
  return `query${isNeeded ? '' : '?'}: Api.${queryName(name)}`;
}

/** The pages of one item, such as its retail history, are not a list of items. */
export function isList({ kind, params, answer }: Endpoint): boolean {
  const isOfOne = Object.keys((params as Schema).properties ?? {}).length > 0;
  return kind === undefined && !isOfOne && listOf(answer) !== null;
}

/** The field with the elements of a page, and how pages continue; null if it is not a list. */
export function listOf(answer: TSchema) {
  const { properties = {}, title } = answer as Schema;
  const by = pagedBy(properties);
  const found = Object.entries(properties).find(([, { type }]) => type === 'array');
  if (!by || !found) return null;
  const [field, { items }] = found;
  // Elements that are a union of records have no name.
  return { by, field, element: items?.title ?? `${title}['${field}'][number]` };
}

function pagedBy({ pagination, has_more, next }: NonNullable<Schema['properties']>) {
  if (pagination) return 'Offset';
  if (has_more) return 'Position';
  return next ? 'Cursor' : null;
}

function pagesOf(name: string, { answer }: Endpoint) {
  const list = listOf(answer);
  if (!list) throw new Error(`${name} is no list.`);
  return list;
}

function listText(name: string, endpoint: Endpoint): string {
  const { answer, query } = endpoint;
  const list = pagesOf(name, endpoint);
  const { after } = (query as Schema).properties ?? {};
  // Without a position there is nothing to iterate over; a cursor starts at the beginning.
  const position =
    list.by === 'Position' && after && `{ readonly after: ${typeMembers(after, 'sent')} }`;
  const asked = position ? `query: Api.${queryName(name)} & ${position}` : sentText(name, endpoint);
  const pages = `Pages<Api.${(answer as Schema).title}, Api.${list.element}>`;
  const cost = endpoint.cost === 'one' ? 'Each page costs 1 call.' : costTexts[endpoint.cost];
  const about = `All elements of \`${name}\`, page by page. ${cost}`;
  const signature = signatureText(name, [asked, 'options?: CallOptions'], pages);
  return commentText(about, '  ') + signature;
}
