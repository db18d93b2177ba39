/**
 * Generates the code of the Python client, `clients/python`: `types.py` and `_async/methods.py`
 * from the contract, like the TypeScript client, and `_sync` from `_async`.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TSchema } from 'typebox';
import { version } from '../package.json' with { type: 'json' };
import { costTexts, type Endpoint } from '../src/contract/endpoint.ts';
import { endpoints } from '../src/contract/endpoints.ts';
import { allErrors } from '../src/contract/errors.ts';
import { apiPrefix, batchItemsMax, plusPrefix } from '../src/contract/limits.ts';
import { plusEndpoints } from '../src/contract/plus/endpoints.ts';
import { type RecordSchema, recordsIn, type Schema } from '../src/contract/schema.ts';
import { sentence } from '../src/kernel/text.ts';
import {
  baseOf,
  isList,
  isOptional,
  listOf,
  made,
  methodCost,
  retried,
  retryText,
  type Table,
  tables,
} from './client-code.ts';
import { docText, flat, laidOut, list, literal, type Part, union } from './python-text.ts';

const folder = 'clients/python/src/brickmark';

/** The generated files, by path. */
export function pythonCode(root: string): { readonly path: string; readonly text: string }[] {
  const asyncFiles = readdirSync(join(root, folder, '_async'))
    .filter((name) => name.endsWith('.py') && name !== 'methods.py')
    .map((name) => ({ name, text: readFileSync(join(root, folder, '_async', name), 'utf8') }))
    .concat({ name: 'methods.py', text: methodsText() });
  return [
    { path: `${folder}/_version.py`, text: `"""The version. ${made}"""\n\n${versionText}\n` },
    { path: `${folder}/types.py`, text: typesText() },
    { path: `${folder}/_async/methods.py`, text: methodsText() },
    ...asyncFiles.map(({ name, text }) => ({
      path: `${folder}/_sync/${name}`,
      text: syncText(name, text),
    })),
  ];
}

const versionText = `VERSION = "${version}"`;

// --- Types

interface RecordText {
  readonly name: string;
  readonly hasBase: boolean;
  readonly text: string;
}

function typesText(): string {
  const records = new Map<string, RecordText>();
  for (const [, { answer, body, docs }] of tables.flatMap((table) => Object.entries(table))) {
    for (const record of recordsIn(answer).values()) addRecord(record, sentence(docs), records);
    // The fields of a body are arguments of its method.
    const sent = [...recordsIn(body).values()].filter((record) => record !== (body as unknown));
    for (const record of sent) addRecord(record, '', records);
  }
  const sorted = [...records.values()].sort(
    // A base must be defined before the records that extend it.
    (a, b) => Number(a.hasBase) - Number(b.hasBase) || (a.name < b.name ? -1 : 1),
  );
  return [
    `"""The records and error codes of both APIs. ${made}"""\n`,
    'from __future__ import annotations\n',
    'from typing import Literal, NotRequired, TypedDict\n',
    laidOut('ErrorCode = ', literal(Object.keys(allErrors))),
    '# Unique sets and minifigures in one call, together.',
    `BATCH_ITEMS_MAX = ${batchItemsMax}`,
    `# ${retryText}`,
    laidOut(
      'RETRY_RULES: dict[int, Literal["after", "backoff"]] = ',
      list(
        '{',
        retried.map(([status, rule]) => `${status}: "${rule}"`),
        '}',
      ),
    ),
    ...sorted.map(({ text }) => `\n\n${text}`),
  ]
    .join('\n')
    .concat('\n');
}

function addRecord(record: RecordSchema, comment: string, records: Map<string, RecordText>): void {
  const { title: name, description = comment } = record;
  if (records.has(name)) return;
  const base = baseOf(record);
  const isPlain = Object.keys(record.properties).every((field) => safeName(field) === field);
  const text = isPlain ? classText(record, base, description) : callForm(record, description);
  records.set(name, { name, hasBase: base !== undefined, text });
}

function classText(record: RecordSchema, base: Schema | undefined, description: string): string {
  const fields = Object.entries(record.properties)
    .filter(([field]) => !base?.properties?.[field])
    .map(([field, shape]) => fieldText(field, shape, isOptional(record, field)));
  const start = `class ${record.title}(${base?.title ?? 'TypedDict'}):`;
  const doc = description ? [docText(description, '    '), ''] : [];
  return [start, ...doc, ...(fields.length > 0 ? fields : ['    pass'])].join('\n');
}

function fieldText(name: string, shape: Schema, isOpen: boolean): string {
  const field = laidOut(`    ${name}: `, fieldType(shape, isOpen));
  return shape.description ? `${field}\n${docText(shape.description, '    ')}` : field;
}

function fieldType(shape: Schema, isOpen: boolean): Part {
  const type = typeOf(shape, 'list');
  return isOpen ? list('NotRequired[', [type], ']') : type;
}

/** A record with a field that is called like a keyword of Python, such as `from`. */
function callForm(record: RecordSchema, description: string): string {
  const { title, properties } = record;
  // In quotes, since the types may be defined below.
  const fields = Object.entries(properties).flatMap(([field, shape]) => [
    ...(shape.description ? [`        # ${shape.description}`] : []),
    `        "${field}": '${flat(fieldType(shape, isOptional(record, field)))}',`,
  ]);
  const call = [`${title} = TypedDict(`, `    "${title}",`, '    {', ...fields, '    },', ')'];
  return [...call, ...(description ? [docText(description, '')] : [])].join('\n');
}

/** The type of a value; `array` is `list` for values received, and `Sequence` for those sent. */
function typeOf(shape: Schema, array: 'list' | 'Sequence', prefix = ''): Part {
  return union(membersOf(shape, array, prefix));
}

const plainTypes: Readonly<Record<string, string>> = {
  string: 'str',
  number: 'float',
  integer: 'int',
  boolean: 'bool',
  null: 'None',
};

function membersOf(shape: Schema, array: 'list' | 'Sequence', prefix: string): Part[] {
  if (shape.title) return [`${prefix}${shape.title}`];
  if (shape.anyOf) return shape.anyOf.flatMap((each) => membersOf(each, array, prefix));
  if (shape.enum) return [literal(shape.enum)];
  if (shape.const === null) return ['None'];
  if (shape.const !== undefined) return [literal([shape.const])];
  if (shape.type === 'array')
    return [list(`${array}[`, [typeOf(shape.items ?? {}, array, prefix)], ']')];
  if (shape.type === 'object') return ['dict[str, object]'];
  const plain = plainTypes[shape.type ?? ''];
  if (plain === undefined) throw new Error(`There is no type for ${JSON.stringify(shape)}.`);
  return [plain];
}

// --- Methods

function methodsText(): string {
  return [
    `"""A method for every endpoint. ${made}"""\n`,
    'from __future__ import annotations\n',
    'from collections.abc import Callable, Sequence',
    'from datetime import datetime',
    'from typing import Any, Literal, overload\n',
    'from .. import types as Api',
    'from .._rules import path_of, query_text',
    'from .bulk_file import AsyncBulkFile',
    'from .event_stream import AsyncEventStream',
    'from .paging import AsyncPages, pages_by_cursor, pages_by_offset, pages_by_position',
    'from .transport import AsyncTransport',
    classesText('Api', apiPrefix, endpoints),
    classesText('Plus', plusPrefix, plusEndpoints),
  ]
    .join('\n')
    .concat('\n');
}

/** The methods of one API, and its lists. */
function classesText(api: string, prefix: string, table: Table): string {
  const rows = Object.entries(table);
  const lists = rows.filter(([, row]) => isList(row));
  return `

class Async${api}Methods:
    """The calls of \`${prefix}\`."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

${rows.flatMap(([name, endpoint]) => methodText(name, endpoint)).join('\n\n')}


class Async${api}Lists:
    """The lists of \`${prefix}\`, from their first element to the last."""

    def __init__(self, methods: Async${api}Methods) -> None:
        self._methods = methods

${lists.map(([name, endpoint]) => listText(name, endpoint)).join('\n\n')}`;
}

function methodText(name: string, endpoint: Endpoint): string[] {
  if (endpoint.kind === undefined) return [callText(name, endpoint)];
  if (name === 'streamEvents') return [streamText(name, endpoint)];
  return name === 'getBulkFile' ? [bulkFileText(name, endpoint)] : [];
}

function callText(name: string, endpoint: Endpoint): string {
  const { method, path, query, body } = endpoint;
  const answer = typeOf(endpoint.answer as Schema, 'list', 'Api.');
  const given = method === 'GET' && !body;
  const words = given
    ? [pathPart(endpoint), fieldsPart(query)]
    : [`"${method}"`, pathPart(endpoint), fieldsPart(query), body ? fieldsPart(body) : 'None'];
  if (endpoint.effect === 'each time') words.push('may_repeat=False');
  const call =
    body && path.endsWith('/batch')
      ? list('await self._transport.send_batch(', [pathPart(endpoint), fieldsPart(body)], ')')
      : list(`await self._transport.${given ? 'get' : 'send'}(`, words, ')');
  return [
    signatureText('async def', { name, args: argumentsOf(endpoint), result: answer }),
    methodDoc(endpoint),
    laidOut(`        answer: ${flat(answer)} = `, call),
    '        return answer',
  ].join('\n');
}

function streamText(name: string, endpoint: Endpoint): string {
  const onStale = { type: union(['Callable[[int], None]', 'None']), usual: 'None' };
  const args = argumentsOf(endpoint).concat({ name: 'on_stale', ...onStale, isKeyword: true });
  return [
    signatureText('def', { name, args, result: 'AsyncEventStream' }),
    docText(
      `${endpoint.summary}. The stream reconnects automatically and resumes after the last ` +
        `event. ${costTexts[endpoint.cost]} \`on_stale\` is called with the oldest position if ` +
        'events are missing because they have been deleted; the stream then continues there. ' +
        'Without it, the stream fails.',
      '        ',
    ),
    laidOut('        query = ', list('query_text(', [fieldsPart(endpoint.query)], ')')),
    `        path = f"${endpoint.prefix}${endpoint.path}{query}"`,
    '        return AsyncEventStream(self._transport, path, on_stale)',
  ].join('\n');
}

/** With the type of the documents in each file. */
function bulkFileText(name: string, endpoint: Endpoint): string {
  const [typeArgument, ...others] = argumentsOf(endpoint);
  if (typeArgument?.name !== 'type') throw new Error('The first parameter of a file is its type.');
  const { type } = (endpoint.params as Schema).properties ?? {};
  const documents = bulkDocuments();
  const overloads = (type?.enum ?? []).flatMap((file) => [
    '    @overload',
    signatureText('def', {
      name,
      args: [{ ...typeArgument, type: literal([file]) }, ...others],
      result: `AsyncBulkFile[${documents.get(file) ?? 'dict[str, object]'}]`,
    }).concat(' ...\n'),
  ]);
  return [
    ...overloads,
    signatureText('def', { name, args: [typeArgument, ...others], result: 'AsyncBulkFile[Any]' }),
    docText(
      'Stream the documents of a bulk file while it downloads. Every read costs the number of ' +
        'calls set by the operator.',
      '        ',
    ),
    laidOut('        path = ', pathPart(endpoint)),
    laidOut('        query = ', list('query_text(', [fieldsPart(endpoint.query)], ')')),
    '        return AsyncBulkFile(self._transport, f"{path}{query}", format or "jsonl")',
  ].join('\n');
}

/** The record in each type of file, which a change of the file has, too. */
function bulkDocuments(): Map<unknown, string> {
  const page = plusEndpoints.listBulkChanges.answer as Schema;
  const changes = page.properties?.changes?.items?.anyOf ?? [];
  return new Map(
    changes.map(({ properties = {} }) => [
      properties.type?.const,
      `Api.${properties.document?.anyOf?.[0]?.title}`,
    ]),
  );
}

function listText(name: string, endpoint: Endpoint): string {
  const found = listOf(endpoint.answer);
  if (!found) throw new Error(`${name} is no list.`);
  const answer = endpoint.answer as Schema;
  const items = answer.properties?.[found.field]?.items ?? {};
  const page = `Api.${answer.title}`;
  const at = found.by === 'Offset' ? 'offset' : 'after';
  const pages = `pages_by_${found.by.toLowerCase()}`;
  const { limit } = (endpoint.query as Schema).properties ?? {};
  const args = argumentsOf(endpoint).map((argument) => {
    if (argument.name === 'limit') return { ...argument, type: 'int', usual: `${limit?.maximum}` };
    if (argument.name === 'offset') return { ...argument, type: 'int', usual: '0' };
    // Without a position there is nothing to iterate over; a cursor starts at the beginning.
    const isPosition = argument.name === 'after' && found.by === 'Position';
    return isPosition ? positionOf(endpoint) : argument;
  });
  const position = args.find((argument) => argument.name === at)?.type ?? 'int';
  const passed = args.map(({ name: each, isKeyword }) => (isKeyword ? `${each}=${each}` : each));
  const call = list(`return await self._methods.${snakeName(name)}(`, passed, ')');
  const result = list('AsyncPages[', [page, typeOf(items, 'list', 'Api.')], ']');
  const cost = endpoint.cost === 'one' ? 'Each page costs 1 call.' : costTexts[endpoint.cost];
  return [
    signatureText('def', { name, args, result }),
    docText(`All elements of \`${snakeName(name)}\`, page by page. ${cost}`, '        '),
    '',
    laidOut(`        async def read(${at}: `, position, `) -> ${page}:`),
    laidOut('            ', call),
    '',
    `        return ${pages}(${at}, read, lambda page: page["${found.field}"])`,
  ].join('\n');
}

function positionOf(endpoint: Endpoint): Argument {
  const { after = {} } = (endpoint.query as Schema).properties ?? {};
  return { name: 'after', type: typeOf(after, 'Sequence'), usual: null, isKeyword: true };
}

// --- Arguments

interface Argument {
  readonly name: string;
  readonly type: Part;
  /** The default; null: it is required. */
  readonly usual: string | null;
  /** Passed by name. */
  readonly isKeyword: boolean;
}

/** Path parameters by position, then the fields of the query and the body by name. */
function argumentsOf({ params, query, body }: Endpoint): Argument[] {
  const places = Object.entries((params as Schema).properties ?? {});
  return [
    ...places.map(([name, shape]) => ({
      name: safeName(name),
      type: typeOf(shape, 'Sequence'),
      usual: null,
      isKeyword: false,
    })),
    ...namedArguments(query as Schema, true),
    ...namedArguments((body ?? {}) as Schema, false),
  ];
}

function namedArguments(shape: Schema, isQuery: boolean): Argument[] {
  const named = Object.entries(shape.properties ?? {}).map(([name, field]) => {
    const isOpen = isOptional(shape, name);
    const members = membersOf(field, 'Sequence', 'Api.').filter((each) => each !== 'None');
    if (isQuery && field['x-list']) members.push('Sequence[str]');
    if (field.format === 'date-time') members.push('datetime');
    const hasNull = isOpen || membersOf(field, 'Sequence', '').includes('None');
    const types = hasNull ? [...members, 'None'] : members;
    const usual = isOpen ? 'None' : null;
    return { name: safeName(name), type: union(types), usual, isKeyword: true };
  });
  return named.sort((a, b) => Number(a.usual !== null) - Number(b.usual !== null));
}

function signatureText(
  start: 'def' | 'async def',
  {
    name,
    args,
    result,
  }: { readonly name: string; readonly args: readonly Argument[]; readonly result: Part },
): string {
  const partOf = ({ name: each, type, usual }: Argument): Part => ({
    before: `${each}: `,
    inner: type,
    after: usual === null ? '' : ` = ${usual}`,
  });
  const [placed, named] = [false, true].map((isNamed) =>
    args.filter(({ isKeyword }) => isKeyword === isNamed).map(partOf),
  );
  const parts = ['self', ...(placed ?? []), ...(named?.length ? ['*', ...named] : [])];
  const head = `    ${start} ${snakeName(name)}`;
  const inOneLine = laidOut(head, list('(', parts, ')'), ` -> ${flat(result)}:`);
  if (!inOneLine.includes('\n')) return inOneLine;
  // The closing bracket starts a line, which the result may be too long for.
  const broken = inOneLine.slice(0, inOneLine.lastIndexOf('\n') + 1);
  return broken.concat(laidOut('    ) -> ', result, ':'));
}

function methodDoc(endpoint: Endpoint): string {
  const { method, prefix, path, summary } = endpoint;
  const fields = Object.entries({
    ...(endpoint.query as Schema).properties,
    ...(endpoint.body as Schema | null)?.properties,
  });
  const lines = fields.map(
    ([name, { description = '' }]) => `\`${safeName(name)}\`: ${description}`,
  );
  const address = `\`${method} ${prefix}${path}\`. ${methodCost(endpoint)}`;
  return docText(`${summary}.`, '        ', lines.length > 0 ? [[address], lines] : [[address]]);
}

/** The path as an expression, with its parameters. */
function pathPart({ prefix, path, params }: Endpoint): Part {
  const names = Object.keys((params as Schema).properties ?? {});
  const text = `"${prefix}${path.replaceAll(/\{\w+\}/g, '{}')}"`;
  return names.length === 0 ? text : list('path_of(', [text, ...names.map(safeName)], ')');
}

/** The given fields as a dictionary. */
function fieldsPart(shape: TSchema): Part {
  const names = Object.keys((shape as Schema).properties ?? {});
  return list(
    '{',
    names.map((name) => `"${name}": ${safeName(name)}`),
    '}',
  );
}

const keywords = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except ' +
    'finally for from global if import in is lambda nonlocal not or pass raise return try while ' +
    'with yield self'
  ).split(' '),
);

function safeName(name: string): string {
  return keywords.has(name) ? `${name}_` : name;
}

/** The name of a method in Python. */
export function snakeName(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

// --- The synchronous client

/** Differences between the two clients besides the words `async` and `await`. */
const syncWords: readonly (readonly [RegExp, string])[] = [
  [/\basync (def|for|with)\b/g, '$1'],
  [/\bawait /g, ''],
  [/\bAwaitable\[(\w+)\]/g, '$1'],
  [/\bAwaitable, /g, ''],
  [/\bAsyncGenerator\[(.+), None\]/g, 'Generator[$1, None, None]'],
  [/\bAsync([A-Z]\w+)/g, '$1'],
  [/\b__a(iter|enter|exit)__/g, '__$1__'],
  [/\ba(close|closing|read|iter_bytes)\b/g, '$1'],
  [/\banyio\b/g, 'time'],
];

export function syncText(name: string, text: string): string {
  const sync = syncWords.reduce((made, [word, other]) => made.replaceAll(word, other), text);
  const [first = ''] = /^"""[\s\S]*?"""\n/.exec(sync) ?? [];
  const note = name === 'methods.py' ? '' : `# Made from _async/${name} by \`npm run docs\`.\n`;
  return `${first}\n${note}`.replace(/\n\n$/, '\n').concat(sync.slice(first.length));
}
