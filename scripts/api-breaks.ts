/**
 * Compares the OpenAPI documents with those of the last release, `test/baseline`, and fails if a
 * program written for them could break: in version 1 always, in the Plus API unless the endpoint
 * was deprecated in that release. `npm run check` runs it.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApiDocument, plusOpenApiDocument } from '../src/contract/openapi.ts';

/** Part of a document; everything that is read from it is optional. */
interface Node {
  readonly [name: string]: Node | undefined;
}

/** A sentence that names the place, and whether callers were told in time. */
interface Break {
  readonly text: string;
  readonly isAnnounced: boolean;
}

/** Whether callers send the values of a schema or get them. */
type Direction = 'sent' | 'returned';

/** All breaks from one document to another. */
export function findBreaks(before: object, after: object): Break[] {
  const [old, now] = [before as Node, after as Node];
  return Object.entries(old.paths ?? {}).flatMap(([path, methods = {}]) =>
    Object.entries(methods).flatMap(([method, operation = {}]) => {
      const name = `${method.toUpperCase()} ${path}`;
      const comparison = new Comparison(old, now);
      comparison.operations(name, operation, now.paths?.[path]?.[method]);
      const isAnnounced = Boolean(operation.deprecated);
      return [...comparison.found].map((text) => ({ text, isAnnounced }));
    }),
  );
}

/** Breaks that must not be released: each once, wherever it shows. */
export function forbiddenBreaks(breaks: readonly Break[], mayAnnounce: boolean): string[] {
  const forbidden = breaks.filter(({ isAnnounced }) => !(mayAnnounce && isAnnounced));
  return [...new Set(forbidden.map(({ text }) => text))];
}

class Comparison {
  readonly found = new Set<string>();
  private readonly seen = new Set<string>();

  constructor(
    private readonly old: Node,
    private readonly now: Node,
  ) {}

  operations(name: string, old: Node, now: Node | undefined): void {
    if (!now) {
      this.add(`${name} is gone`);
      return;
    }
    if (old.operationId !== now.operationId)
      this.add(`${name} was the operation ${old.operationId} and is ${now.operationId}`);
    this.parameters(name, namedParameters(this.old, old), namedParameters(this.now, now));
    this.bodies(name, find(this.old, old.requestBody), find(this.now, now.requestBody));
    for (const [status, answer] of Object.entries(old.responses ?? {})) {
      const [was, is] = [find(this.old, answer), find(this.now, now.responses?.[status])];
      if (is) this.answers(`${name}, status ${status}`, was ?? {}, is);
      else this.add(`${name} no longer returns status ${status}`);
    }
  }

  private parameters(name: string, old: Map<string, Node>, now: Map<string, Node>): void {
    for (const [each, was] of old) {
      const is = now.get(each);
      if (!is) this.add(`${name} no longer takes the ${each}`);
      else this.schemas(`${name}, ${each}`, was.schema, is.schema, 'sent');
    }
    for (const [each, { required }] of now) {
      if (required && !old.get(each)?.required) this.add(`${name} needs the ${each} now`);
    }
  }

  private bodies(name: string, old: Node | undefined, now: Node | undefined): void {
    if (old && !now) this.add(`${name} no longer takes a body`);
    if (!old?.required && now?.required) this.add(`${name} needs a body now`);
    for (const [type, { schema } = {}] of Object.entries(old?.content ?? {})) {
      this.schemas(`${name}, body`, schema, now?.content?.[type]?.schema, 'sent');
    }
  }

  private answers(place: string, old: Node, now: Node): void {
    for (const header of Object.keys(old.headers ?? {})) {
      if (!now.headers?.[header]) this.add(`${place} no longer has the header ${header}`);
    }
    for (const [type, was = {}] of Object.entries(old.content ?? {})) {
      const is = now.content?.[type];
      if (!is) this.add(`${place} no longer has the content type ${type}`);
      else this.schemas(place, was.schema, is.schema, 'returned');
      // The examples of errors are named by their codes.
      for (const code of Object.keys(was.examples ?? {})) {
        if (is && !is.examples?.[code]) this.add(`${place} no longer has the error code ${code}`);
      }
    }
  }

  /** A named schema is compared once, under its name. */
  private schemas(at: string, old: Node = {}, now: Node = {}, direction: Direction): void {
    const name = nameOf(old);
    const place = name ?? at;
    if (name !== null) {
      if (this.seen.has(`${name} ${direction}`)) return;
      this.seen.add(`${name} ${direction}`);
    }
    const was = variantsOf(this.old, old);
    const is = variantsOf(this.now, now);
    for (const [kind, variant] of was) {
      // A record that was renamed is the same if it is the only one.
      const other = is.get(kind) ?? (was.size === 1 && is.size === 1 ? [...is.values()][0] : null);
      if (other) this.variants(place, variant, other, direction);
      else if (direction === 'sent' || kind !== 'null') {
        const verb = direction === 'sent' ? 'can no longer be' : 'is no longer';
        this.add(`${place} ${verb} ${kind}`);
      }
    }
    if (direction === 'sent' || (was.size === 1 && is.size === 1)) return;
    // New records in a list, such as kinds of events, are announced as possible.
    for (const [kind, { type }] of is) {
      if (!was.has(kind) && String(type) !== 'object') this.add(`${place} can be ${kind} now`);
    }
  }

  private variants(place: string, old: Node, now: Node, direction: Direction): void {
    for (const rule of ['type', 'const', 'format', 'pattern'] as const) {
      if (old[rule] === now[rule]) continue;
      // Without a rule, more can be sent than before.
      if (direction === 'sent' && now[rule] === undefined) continue;
      this.add(`${place} had the ${rule} ${old[rule] ?? 'none'} and has ${now[rule] ?? 'none'}`);
    }
    const values = listOf(now.enum);
    for (const value of listOf(old.enum)) {
      if (values.length > 0 && !values.includes(value))
        this.add(`${place} no longer has the value ${value}`);
    }
    if (direction === 'sent') this.limits(place, old, now);
    this.fields(place, old, now, direction);
    if (old.items) this.schemas(`${place}[]`, old.items, now.items, direction);
  }

  private limits(place: string, old: Node, now: Node): void {
    if (listOf(old.enum).length === 0 && listOf(now.enum).length > 0)
      this.add(`${place} is limited to some values now`);
    if (old.default !== undefined && old.default !== now.default)
      this.add(`${place} had the default ${old.default} and has ${now.default ?? 'none'}`);
    for (const limit of ['minimum', 'minLength', 'minItems', 'minProperties']) {
      const [was, is] = [Number(old[limit] ?? -Infinity), Number(now[limit] ?? -Infinity)];
      if (is > was) this.add(`${place} is limited to a higher ${limit}, ${is}`);
    }
    for (const limit of ['maximum', 'maxLength', 'maxItems']) {
      const [was, is] = [Number(old[limit] ?? Infinity), Number(now[limit] ?? Infinity)];
      if (is < was) this.add(`${place} is limited to a lower ${limit}, ${is}`);
    }
  }

  private fields(place: string, old: Node, now: Node, direction: Direction): void {
    const [needed, needs] = [listOf(old.required), listOf(now.required)];
    for (const [name, was] of Object.entries(old.properties ?? {})) {
      const is = now.properties?.[name];
      if (!is) this.add(`${place} no longer has the field ${name}`);
      else this.schemas(`${place}.${name}`, was, is, direction);
      if (is && direction === 'returned' && needed.includes(name) && !needs.includes(name))
        this.add(`${place}.${name} may be missing now`);
    }
    if (direction === 'returned') return;
    for (const name of needs) {
      if (!needed.includes(name)) this.add(`${place} needs the field ${name} now`);
    }
  }

  private add(text: string): void {
    this.found.add(`${text}.`);
  }
}

function namedParameters(document: Node, operation: Node): Map<string, Node> {
  const all = Object.values(operation.parameters ?? {}).map((each) => find(document, each) ?? {});
  return new Map(all.map((each) => [`${each.in} parameter ${each.name}`, each]));
}

/** The name of a schema that is kept with the document's components. */
function nameOf(schema: Node): string | null {
  return schema.$ref ? (String(schema.$ref).split('/').at(-1) ?? null) : null;
}

/** Follows a reference. */
function find(document: Node, node: Node | undefined): Node | undefined {
  if (!node?.$ref) return node;
  const path = String(node.$ref).split('/').slice(1);
  return path.reduce<Node | undefined>((at, name) => at?.[name], document);
}

/** The possible values of a field: by the name of its record, otherwise by type. */
function variantsOf(document: Node, schema: Node, name = nameOf(schema)): Map<string, Node> {
  const found = find(document, schema) ?? {};
  const choices = Object.values(found.anyOf ?? {});
  if (choices.length > 0) {
    return new Map(choices.flatMap((each = {}) => [...variantsOf(document, each)]));
  }
  if (Object.keys(found).length === 0) return new Map();
  return new Map([[name ?? String(found.type ?? 'a value'), found]]);
}

/** The elements of a list of names or numbers. */
function listOf(node: Node | undefined): unknown[] {
  return Object.values(node ?? {});
}

if (import.meta.main) {
  const read = (name: string): object =>
    JSON.parse(readFileSync(join(import.meta.dir, '..', 'test', 'baseline', name), 'utf8'));
  const url = 'http://127.0.0.1:8080';
  const broken = [
    ...forbiddenBreaks(findBreaks(read('openapi.json'), openApiDocument(url)), false),
    ...forbiddenBreaks(findBreaks(read('plus-openapi.json'), plusOpenApiDocument(url)), true),
  ];
  for (const text of broken) console.error(text);
  if (broken.length > 0) {
    console.error(
      '\nPrograms written for the last release could break; see test/baseline/README.md.',
    );
  }
  process.exit(broken.length > 0 ? 1 : 0);
}
