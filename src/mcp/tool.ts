/** The tool interface. */
import Type, { type Static, type TObject, type TSchema } from 'typebox';
import type { Brickmark } from '../../clients/typescript/src/index.ts';
import { RateLimit } from '../contract/envelope.ts';
import { count, exactly, flag, listOf, orNull } from '../contract/fields.ts';

/** Beyond any list; keeps the sum with a length a safe integer. */
const offsetMax = 1_000_000_000;

/** A read-only MCP tool: its schemas, and the calls it makes with the client. */
export interface Tool<I extends TObject = TObject, O extends TObject = TObject> {
  readonly name: string;
  readonly title: string;
  /** When to use it, and what its result means; the cost is added. */
  readonly description: string;
  /** The cost of a call, as text. */
  readonly cost: string;
  /** Arguments that have another name than the API parameter they become. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Where to look for an item that does not exist; `find_items` by default. */
  readonly missingHint?: string;
  readonly input: I;
  /** The result, besides the budget. */
  readonly output: O;
  run(input: Static<I>, brickmark: Brickmark): Promise<ToolAnswer<Static<O>>>;
}

/** A result for programs, and a summary for readers of text. */
export interface ToolAnswer<Data> {
  readonly data: Data;
  readonly text: string;
}

/** Refused before anything is charged; the message says what to change. */
export class ToolRefusal extends Error {}

/** Checks the types of a tool against its schemas. */
export function tool<I extends TObject, O extends TObject>(made: Tool<I, O>): Tool {
  return made as unknown as Tool;
}

/** The schema of a result: the tool's own fields, and those of every result. */
export function outputSchema({ output }: Tool): TObject {
  return exactly({ ...output.properties, budget: RateLimit });
}

/** The description that models see. */
export function describeTool({ description, cost }: Tool): string {
  return `${description} Cost: ${cost}.`;
}

/**
 * Refuses a tool of several calls if the allowance does not cover them, before anything is
 * computed. Checking is free. If nothing is left, the first call reports it.
 */
export async function requireCalls(
  brickmark: Brickmark,
  calls: number,
  hint: string,
): Promise<void> {
  const { remaining, reset } = await brickmark.plus.getUsage();
  if (remaining === 0 || remaining >= calls) return;
  throw new ToolRefusal(`${tooFewText(calls, { remaining, reset })} ${hint}`);
}

export function tooFewText(
  calls: number,
  { remaining, reset }: { readonly remaining: number; readonly reset: string },
): string {
  const left = `${remaining} ${remaining === 1 ? 'remains' : 'remain'} until ${reset}`;
  const needed = `${calls} ${calls === 1 ? 'call' : 'calls'}`;
  return `This needs ${needed} and ${left}; nothing was charged.`;
}

/** The arguments for a page of a list; pages are short, because a model has to read them. */
export function partFields(bounds: { readonly most: number; readonly usual: number }) {
  return {
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: bounds.most,
        default: bounds.usual,
        description: 'Number of elements to return.',
      }),
    ),
    offset: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: offsetMax,
        default: 0,
        description: 'Number of elements to skip; send the last `next_offset`.',
      }),
    ),
  } as const;
}

export const pagingFields = {
  total: count('Number of elements in the whole list.'),
  has_more: flag('Whether there are more elements.'),
  next_offset: orNull(count('The `offset` of the next part; null if this is the last.')),
} as const;

export function partOf<T extends TSchema>(items: T, description: string) {
  return { items: listOf(items, description), ...pagingFields } as const;
}

export function pagingOf({
  pagination,
}: {
  readonly pagination: {
    readonly total: number;
    readonly limit: number;
    readonly offset: number;
    readonly has_more: boolean;
  };
}): { total: number; has_more: boolean; next_offset: number | null } {
  const { total, limit, offset, has_more } = pagination;
  return { total, has_more, next_offset: has_more ? offset + limit : null };
}
