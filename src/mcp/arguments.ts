/** Reads the arguments of a tool: exact, or a sentence that names what is wrong. */
import type { TObject } from 'typebox';
import { ApiError } from '../contract/errors.ts';
import { compileObject } from '../contract/object-input.ts';
import type { Schema } from '../contract/schema.ts';
import { ToolRefusal } from './tool.ts';

/** Reads arguments; throws a `ToolRefusal`. */
export type ReadArguments = (given: unknown) => Readonly<Record<string, unknown>>;

/** Compiles the reader of a tool's input. */
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
 * The same with whole numbers as texts where the schema wants those: models send the number of a
 * set as it looks.
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
