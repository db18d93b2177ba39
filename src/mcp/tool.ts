/** What a tool is: a task that a model can have done, with what goes in and what comes out. */
import Type, { type Static, type TObject, type TSchema } from 'typebox';
import type { Brickmark } from '../client/index.ts';
import { RateLimit } from '../contract/envelope.ts';
import { count, exactly, flag, orNull } from '../contract/fields.ts';

/** Beyond any list; keeps the sum with a length a safe integer. */
const offsetMax = 1_000_000_000;

/** One tool. Every tool only reads. */
export interface Tool<I extends TObject = TObject, O extends TObject = TObject> {
  readonly name: string;
  /** Its name for people. */
  readonly title: string;
  /** When to use it, and what its answer means; what it costs is added. */
  readonly description: string;
  /** What a call costs of the daily allowance. */
  readonly cost: string;
  /** Its arguments by the parameters of the API that they become, where those have other names. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Where to find what an answer says does not exist; `find_items` unless it says otherwise. */
  readonly missingHint?: string;
  readonly input: I;
  /** What it answers, besides the budget. */
  readonly output: O;
  run(input: Static<I>, brickmark: Brickmark): Promise<ToolAnswer<Static<O>>>;
}

/** An answer: for programs, and the same in short for whoever reads only text. */
export interface ToolAnswer<Data> {
  readonly data: Data;
  readonly text: string;
}

/** What a tool refuses before anything is charged, with a sentence that says what to change. */
export class ToolRefusal extends Error {}

/** Makes a tool; what it does with its input is checked against the schemas. */
export function tool<I extends TObject, O extends TObject>(made: Tool<I, O>): Tool {
  return made as unknown as Tool;
}

/** What every answer of a tool has, beside its own fields. */
export function outputSchema({ output }: Tool): TObject {
  return exactly({ ...output.properties, budget: RateLimit });
}

/** What a tool is described as to a model. */
export function describeTool({ description, cost }: Tool): string {
  return `${description} Cost: ${cost}.`;
}

/**
 * Refuses a tool of several calls that the allowance does not cover: else the first ones would be
 * charged, and nothing answered. Looking costs nothing. With nothing left, the first call says so.
 */
export async function requireCalls(
  brickmark: Brickmark,
  calls: number,
  hint: string,
): Promise<void> {
  const { remaining, reset } = await brickmark.plus.getUsage();
  if (remaining === 0 || remaining >= calls) return;
  const left = `${remaining} ${remaining === 1 ? 'remains' : 'remain'} until ${reset}`;
  throw new ToolRefusal(`This needs ${calls} calls and ${left}; nothing was charged. ${hint}`);
}

/** Which part of a list is asked for; parts are short, as a model has to read all of them. */
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

/** Where a part lies in its list. */
export const placeFields = {
  total: count('Number of elements in the whole list.'),
  has_more: flag('Whether there are more elements.'),
  next_offset: orNull(count('The `offset` of the next part; null if this is the last.')),
} as const;

/** A part of a list, with its place. */
export function partOf<T extends TSchema>(items: T, description: string) {
  return { items: Type.Array(items, { description }), ...placeFields } as const;
}

/** The place of a page that the API answered. */
export function placeOf({
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
