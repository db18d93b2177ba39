/** Validates the arguments of a tool. */
import type { TObject } from 'typebox';
import { ApiError } from '../contract/errors.ts';
import { compileObject } from '../contract/object-input.ts';
import type { Schema } from '../contract/schema.ts';
import { ToolRefusal } from './tool.ts';

/** Throws a `ToolRefusal`. */
export type ReadArguments = (given: unknown) => Readonly<Record<string, unknown>>;

export function compileArguments(schema: TObject): ReadArguments {
  const readObject = compileObject(schema, {
    whole: 'The arguments',
    at: (path) => `The argument '${path}'`,
    field: 'argument',
    where: '',
  });
  return (given = {}) => {
    try {
      return readObject(withTexts(schema, given), { mayHaveHalfCharacters: true });
    } catch (error) {
      throw error instanceof ApiError ? new ToolRefusal(error.message) : error;
    }
  };
}

/**
 * Converts whole numbers to text where the schema wants text, because models send set numbers as
 * numbers.
 */
function withTexts(schema: Schema, given: unknown): unknown {
  if (schema.type === 'string' && Number.isSafeInteger(given)) return String(given);
  if (Array.isArray(given)) return given.map((each) => withTexts(schema.items ?? {}, each));
  if (typeof given !== 'object' || given === null) return given;
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      withTexts(schema.properties?.[name] ?? {}, value),
    ]),
  );
}
