/**
 * The reference in `docs/api.md` and `docs/plus-api.md`, generated from the contract at these
 * markers:
 *
 *     <!-- endpoint: getSet -->   parameters, body, response and errors of an endpoint
 *     <!-- record: Set -->        the fields of a record
 *     <!-- errors: errorTable --> the table of errors
 *     <!-- headers -->            the headers of responses
 *     <!-- columns -->            the columns of bulk files that are tables
 *     <!-- end -->                where each of them ends
 */
import type { TObject } from 'typebox';
import { allEndpoints } from '../src/contract/all-endpoints.ts';
import { costTexts, type Endpoint, scopesText } from '../src/contract/endpoint.ts';
import { errorShape, Meta, responseHeaders } from '../src/contract/envelope.ts';
import {
  allErrors,
  type ErrorCode,
  type ErrorRow,
  errorTable,
  plusErrorTable,
} from '../src/contract/errors.ts';
import { plusPrefix } from '../src/contract/limits.ts';
import { bulkTables } from '../src/contract/plus/bulk-columns.ts';
import { type RecordSchema, recordsIn, type Schema } from '../src/contract/schema.ts';
import { sentence } from '../src/kernel/text.ts';
import { boundsOf, exampleOf, typeOf } from './schema-text.ts';

const generatedParts =
  /(<!-- (endpoint|record|errors|headers|columns)(?:: (\w+))? -->\n)[\s\S]*?(<!-- end -->)/g;

/**
 * The page with a fresh reference. An endpoint without a marker gets one at the end of the section
 * of the endpoint before it, with its records, unless they are on another page.
 */
export function withReference(
  page: string,
  table: Readonly<Record<string, Endpoint>>,
  otherRecords: readonly string[] = [],
): string {
  const complete = withGeneratedParts(page, table, otherRecords);
  const writer = new ReferenceWriter(new Set(recordsShownIn(complete)));
  return complete.replace(
    generatedParts,
    (_, start: string, kind: string, name: string, end: string) => {
      return `${start}\n${writer.write(kind, name)}\n\n${end}`;
    },
  );
}

function withGeneratedParts(
  page: string,
  table: Readonly<Record<string, Endpoint>>,
  otherRecords: readonly string[],
): string {
  let complete = page;
  let end = page.length;
  for (const [name, { body, answer }] of Object.entries(table)) {
    const start = complete.indexOf(`<!-- endpoint: ${name} -->`);
    if (start < 0) {
      const placed = new Set([...recordsShownIn(complete), ...otherRecords]);
      const own = [...recordsIn([body, answer]).keys()].filter((record) => !placed.has(record));
      const kinds = [`endpoint: ${name}`, ...own.map((record) => `record: ${record}`)];
      const added = kinds.map((kind) => `<!-- ${kind} -->\n<!-- end -->\n`).join('\n');
      complete = `${complete.slice(0, end).trimEnd()}\n\n${added}${complete.slice(end)}`;
      end += added.length;
    }
    const next = complete.indexOf('\n## ', start < 0 ? end : start);
    end = next < 0 ? complete.length : next;
  }
  return complete;
}

export function recordsShownIn(page: string): string[] {
  return [...page.matchAll(/<!-- record: (\w+) -->/g)].map(([, name = '']) => name);
}

export function endpointsShownIn(page: string): string[] {
  return [...page.matchAll(/<!-- endpoint: (\w+) -->/g)].map(([, name = '']) => name);
}

const records = recordsIn([
  Meta,
  errorShape(Object.keys(errorTable) as ErrorCode[]),
  ...Object.values<Endpoint>(allEndpoints).flatMap(({ body, answer }) => [body, answer]),
]);

class ReferenceWriter {
  constructor(private readonly placed: ReadonlySet<string>) {}

  write(kind: string, name: string | undefined): string {
    if (kind === 'endpoint') return this.endpoint(name ?? '');
    if (kind === 'record') return this.record(name ?? '');
    if (kind === 'columns') return columnRows();
    return kind === 'errors' ? errorRows(name ?? '') : headerRows();
  }

  private endpoint(name: string): string {
    const endpoint: Endpoint | undefined = allEndpoints[name as keyof typeof allEndpoints];
    if (!endpoint) throw new Error(`There is no endpoint ${name}.`);
    const { method, prefix, path, body } = endpoint;
    return [
      `### ${endpoint.summary}`,
      `\`${method} ${prefix}${path}\``,
      [endpoint.description, costTexts[endpoint.cost], scopesText(endpoint)]
        .concat(`Operation \`${name}\`.`)
        .filter(Boolean)
        .join(' '),
      this.parameters(endpoint),
      body && `**Body.** JSON, ${withArticle(this.typeOf(body))}.`,
      this.answer(endpoint),
      `**Errors.** ${errorsOf(endpoint)}`,
    ]
      .filter(Boolean)
      .join('\n\n');
  }

  private parameters({ params, query, headers }: Endpoint): string {
    const rows = [
      ...this.parameterRows(params, 'path'),
      ...this.parameterRows(query, 'query'),
      ...(headers ? this.parameterRows(headers, 'header') : []),
    ];
    if (rows.length === 0) return 'No parameters.';
    return ['| parameter | type | description |', '|---|---|---|', ...rows].join('\n');
  }

  private parameterRows(schema: TObject, where: string): string[] {
    const required = new Set(schema.required ?? []);
    return Object.entries(schema.properties as Record<string, Schema>).map(([name, field]) => {
      const isOptional = !required.has(name) || field.default !== undefined;
      const otherwise = field.default === undefined ? 'optional' : `default \`${field.default}\``;
      const type = `${this.typeOf(field)}, ${isOptional ? otherwise : 'required'}`;
      const about = [field.description, boundsOf(field), exampleOf(field)];
      if (where !== 'query') about.push(`In the ${where}.`);
      return `| \`${name}\` | ${type} | ${about.filter(Boolean).join(' ')} |`;
    });
  }

  private answer({ kind, answer }: Endpoint): string {
    if (kind === 'stream')
      return `**Response.** Server-sent events; the data is ${withArticle(this.typeOf(answer))}.`;
    if (kind === 'file') return `**Response.** ${(answer as Schema).description}`;
    return `**Response.** \`data\` is ${withArticle(this.typeOf(answer))}.`;
  }

  private record(name: string): string {
    const schema = records.get(name);
    if (!schema) throw new Error(`There is no record ${name}.`);
    const base = baseOf(name, schema);
    const own = Object.entries(schema.properties).filter(
      ([field]) => !base || !(field in base.properties),
    );
    const required = new Set(schema.required ?? []);
    const rows = own.map(([field, inner]) => {
      const type = `${this.typeOf(inner)}${required.has(field) ? '' : ', optional'}`;
      const about = sentence(inner.description ?? '');
      return `| \`${field}\` | ${type} | ${[about, boundsOf(inner)].filter(Boolean).join(' ')} |`;
    });
    return [
      `#### ${name}`,
      [schema.description, base && `Every field of ${this.typeOf(base)}, and:`]
        .filter(Boolean)
        .join(' '),
      ['| field | type | description |', '|---|---|---|', ...rows].join('\n'),
    ]
      .filter(Boolean)
      .join('\n\n');
  }

  /** The type of a value, with links to records. */
  private typeOf(schema: unknown): string {
    return typeOf(schema as Schema, (name) => {
      const page = this.placed.has(name) ? '' : 'api.md';
      return `[${name}](${page}#${name.toLowerCase()})`;
    });
  }
}

/** By sound: a Usage, an Evaluation, an array. */
function withArticle(type: string): string {
  return /^\[?(?!Us)[aeiou]/i.test(type) ? `an ${type}` : `a ${type}`;
}

/** The record that another one extends, such as Set for FoundSet. */
function baseOf(name: string, schema: RecordSchema): RecordSchema | null {
  const fields = Object.values(schema.properties);
  const bases = [...records].filter(([other, { properties }]) => {
    const inner = Object.values(properties);
    return other !== name && inner.length > 3 && inner.every((field) => fields.includes(field));
  });
  return (
    bases.find(([, { properties }]) => Object.keys(properties).length < fields.length)?.[1] ?? null
  );
}

/** The possible errors of an endpoint. */
function errorsOf(endpoint: Endpoint): string {
  const codes = Object.entries(allErrors).filter(([code]) => {
    if (code === 'NotFound') return endpoint.mayMiss || endpoint.mayBeOff;
    if (code === 'QuotaExceeded') return endpoint.cost !== 'free';
    if (code === 'ScopeRequired') return endpoint.needs.length > 0;
    if (code === 'TooManyRequests') return endpoint.prefix === plusPrefix;
    if (code === 'Conflict') return endpoint.effect !== undefined;
    if (code === 'TooManyStreams') return endpoint.kind === 'stream';
    return code !== 'MethodNotAllowed';
  });
  const listed = codes
    .map(([code, { status }]) => {
      // The others are in the table linked by the last sentence.
      const name = code in plusErrorTable ? `[\`${code}\`](#errors)` : `\`${code}\``;
      return `${status} ${name}`;
    })
    .join(', ');
  return `${listed}. [How to fix errors](api.md#errors).`;
}

function errorRows(name: string): string {
  const table = name === 'plusErrorTable' ? plusErrorTable : errorTable;
  const rows = Object.entries<ErrorRow>(table).map(
    ([code, { status, meaning, fix }]) => `| \`${code}\` | ${status} | ${meaning} | ${fix} |`,
  );
  return ['| code | status | meaning | how to fix it |', '|---|---|---|---|', ...rows].join('\n');
}

function columnRows(): string {
  const rows = Object.entries(bulkTables).map(([type, { columns }]) => {
    return `| \`${type}\` | ${columns.map(({ name }) => `\`${name}\``).join(', ')} |`;
  });
  return ['| type | columns |', '|---|---|', ...rows].join('\n');
}

function headerRows(): string {
  const rows = Object.entries(responseHeaders).map(([name, text]) => `| \`${name}\` | ${text} |`);
  return ['| header | meaning |', '|---|---|', ...rows].join('\n');
}
