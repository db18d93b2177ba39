/** Reads the arguments of a tool: exact, or a sentence that names what is wrong. */
import type { TObject } from 'typebox';
import { Compile } from 'typebox/schema';
import { nameHintEnd } from '../contract/nearest.ts';
import type { Schema } from '../contract/schema.ts';
import { shortText, shortValue } from '../domain/kernel/text.ts';
import { ToolRefusal } from './tool.ts';

/** Reads arguments; throws a `ToolRefusal`. */
export type ReadArguments = (given: unknown) => Readonly<Record<string, unknown>>;

/** Compiles the reader of a tool's input. */
export function compileArguments(schema: TObject): ReadArguments {
  const validator = Compile(schema);
  return (given = {}) => {
    if (validator.Check(given)) return given as Readonly<Record<string, unknown>>;
    const texts = withTexts(schema, given);
    if (validator.Check(texts)) return texts as Readonly<Record<string, unknown>>;
    refuseNames(schema, given);
    const [, [error]] = validator.Errors(texts);
    const path = error?.instancePath.split('/').slice(1) ?? [];
    const fault = faultOf(schema, path, error);
    const got = fault === unknown ? '' : `; got ${shortValue(valueAt(given, path))}`;
    throw new ToolRefusal(`The argument '${shortText(path.join('.'))}' ${fault}${got}.`);
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

function valueAt(given: unknown, path: readonly string[]): unknown {
  let value = given;
  for (const step of path) value = (value as Record<string, unknown>)[step];
  return value;
}

/** Refuses what is no object, names that the schema does not have, and names that it lacks. */
function refuseNames(schema: TObject, given: unknown): void {
  const names = Object.keys(schema.properties);
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new ToolRefusal(`The arguments must be an object with ${names.join(', ')}.`);
  }
  for (const name of Object.keys(given)) {
    if (Object.hasOwn(schema.properties, name)) continue;
    const hint = nameHintEnd(name, names);
    throw new ToolRefusal(`There is no argument '${shortText(name)}'${hint}`);
  }
  for (const name of schema.required ?? []) {
    if (!Object.hasOwn(given, name)) {
      throw new ToolRefusal(`The argument '${name}' is missing.`);
    }
  }
}

const unknown = 'does not exist';

/** What is wrong with one argument. */
function faultOf(
  schema: TObject,
  path: readonly string[],
  error: { readonly keyword: string; readonly message: string } | undefined,
): string {
  let at: Schema = schema;
  for (const step of path) at = at.properties?.[step] ?? at.items ?? {};
  const { minimum, maximum } = at;
  if (error?.keyword === 'boolean') return unknown;
  if (at.enum) return `must be one of ${at.enum.join(', ')}`;
  if (at['x-expected']) return `must be ${at['x-expected']}`;
  if (minimum !== undefined && maximum !== undefined) {
    const kind = at.type === 'integer' ? 'a whole number' : 'a number';
    return `must be ${kind} from ${minimum} to ${maximum}`;
  }
  return error?.message ?? 'is not valid';
}
