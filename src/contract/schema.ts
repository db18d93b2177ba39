/** The contract's schemas as our own code reads them. */

/** The keywords that are used. `x-` keywords are for our own readers and messages. */
export interface Schema {
  readonly title?: string;
  readonly description?: string;
  readonly type?: string;
  readonly format?: string;
  readonly const?: unknown;
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly items?: Schema;
  readonly maxItems?: number;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly minProperties?: number;
  readonly examples?: readonly unknown[];
  /** The expected value in messages. */
  readonly 'x-expected'?: string;
  /** The maximum number of decimals. */
  readonly 'x-decimals'?: number;
  /** Whether a text is a comma-separated list. */
  readonly 'x-list'?: true;
}

const ownKeywords = ['x-expected', 'x-decimals', 'x-list'] satisfies (keyof Schema)[];

export interface RecordSchema extends Schema {
  readonly title: string;
  readonly properties: Readonly<Record<string, Schema>>;
}

export function recordsIn(part: unknown): Map<string, RecordSchema> {
  const found = new Map<string, RecordSchema>();
  addRecords(part, found);
  return found;
}

function addRecords(part: unknown, found: Map<string, RecordSchema>): void {
  if (typeof part !== 'object' || part === null) return;
  if (isRecord(part)) {
    const known = found.get(part.title);
    if (known && JSON.stringify(known) !== JSON.stringify(part))
      throw new Error(`Two records are called ${part.title}.`);
    found.set(part.title, part);
  }
  for (const [name, inner] of Object.entries(part)) if (!isExample(name)) addRecords(inner, found);
}

export function isRecord(part: object): part is RecordSchema {
  const { title, properties } = part as { readonly title?: unknown; readonly properties?: unknown };
  return typeof title === 'string' && properties !== undefined;
}

/** Without our own keywords, and with decimals described in words. */
export function publicSchema<Part>(part: Part): Part {
  return publicPart(part) as Part;
}

function publicPart(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(publicPart);
  if (typeof part !== 'object' || part === null) return part;
  const { description, 'x-decimals': decimals } = part as Schema;
  const shown =
    description === undefined || decimals === undefined
      ? part
      : { ...part, description: `${description} At most ${decimals} decimals.` };
  return Object.fromEntries(
    Object.entries(shown)
      .filter(([name]) => !ownKeywords.some((own) => own === name))
      .map(([name, inner]) => [name, isExample(name) ? inner : publicPart(inner)]),
  );
}

/** Examples are values, not schemas. */
export function isExample(name: string): boolean {
  return name === 'example' || name === 'examples';
}
