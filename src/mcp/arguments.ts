/** Reads the arguments of a tool: exact, or a sentence that names what is wrong. */
import type { TObject, TSchema } from 'typebox';
import { Compile } from 'typebox/schema';
import { nameHintEnd } from '../contract/nearest.ts';
import { shortText } from '../domain/kernel/text.ts';
import { ToolInputError } from './tool.ts';

/** Reads arguments; throws a `ToolInputError`. */
export type ReadArguments = (given: unknown) => Readonly<Record<string, unknown>>;

/** Compiles the reader of a tool's input. */
export function compileArguments(schema: TObject): ReadArguments {
  const validator = Compile(schema);
  return (given = {}) => {
    if (validator.Check(given)) return given as Readonly<Record<string, unknown>>;
    refuseNames(schema, given);
    const [, [error]] = validator.Errors(given);
    const path = error?.instancePath.split('/').slice(1) ?? [];
    throw new ToolInputError(`The argument '${path.join('.')}' ${faultOf(schema, path, error)}.`);
  };
}

/** Refuses what is no object, names that the schema does not have, and names that it lacks. */
function refuseNames(schema: TObject, given: unknown): void {
  const names = Object.keys(schema.properties);
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new ToolInputError(`The arguments must be an object with ${names.join(', ')}.`);
  }
  for (const name of Object.keys(given)) {
    if (Object.hasOwn(schema.properties, name)) continue;
    const hint = nameHintEnd(name, names);
    throw new ToolInputError(`There is no argument '${shortText(name)}'${hint}`);
  }
  for (const name of schema.required ?? []) {
    if (!Object.hasOwn(given, name)) {
      throw new ToolInputError(`The argument '${name}' is missing.`);
    }
  }
}

interface SchemaFacts extends TSchema {
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly type?: string;
  readonly 'x-expected'?: string;
  readonly properties?: Readonly<Record<string, SchemaFacts>>;
  readonly items?: SchemaFacts;
}

/** What is wrong with one argument. */
function faultOf(
  schema: TObject,
  path: readonly string[],
  error: { readonly keyword: string; readonly message: string } | undefined,
): string {
  let at: SchemaFacts = schema;
  for (const step of path) at = at.properties?.[step] ?? at.items ?? {};
  const { minimum, maximum } = at;
  if (error?.keyword === 'boolean') return 'does not exist';
  if (at.enum) return `must be one of ${at.enum.join(', ')}`;
  if (at['x-expected']) return `must be ${at['x-expected']}`;
  if (minimum !== undefined && maximum !== undefined) {
    const kind = at.type === 'integer' ? 'a whole number' : 'a number';
    return `must be ${kind} from ${minimum} to ${maximum}`;
  }
  return error?.message ?? 'is not valid';
}
