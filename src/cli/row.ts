/** Operands and flags of a command as rows: help, docs, completion and parsing come from them. */
import { parseInstant } from '../kernel/time.ts';

/** Exit status 2; the message says what to type instead. */
export class UsageError extends Error {}

export interface Bounds {
  readonly min: number;
  readonly max: number;
}

/** Context for readers of values. */
export interface ReadOptions {
  /** The operand or flag in messages, such as `EMAIL` or `--from`. */
  readonly name: string;
  readonly now: number;
}

/** How a typed text becomes a value: by `read`, else as an integer, a choice, or the text. */
interface ValueRow {
  readonly choices?: readonly string[];
  readonly integer?: Bounds;
  /** Throws a `UsageError`. */
  readonly read?: (text: string, options: ReadOptions) => unknown;
  /** A sentence for the message that it is missing. */
  readonly hint?: string;
}

interface Operand extends ValueRow {
  /** Its name in help, such as `EMAIL`; default: its choices. */
  readonly label?: string;
  /** Null if left out; before a required operand, it is recognized by its choices. */
  readonly isOptional?: boolean;
  /** Takes all remaining words; only the last operand can. */
  readonly isMany?: boolean;
  /** Help shows that `-` means standard input. */
  readonly takesInput?: boolean;
  /** Help lists these choices with their texts. */
  readonly choiceHelp?: Readonly<Record<string, string>>;
}

export interface Flag extends ValueRow {
  readonly help: string;
  /** The placeholder of its value, such as `FILE`; without it, the flag is a boolean. */
  readonly value?: string;
  readonly isRequired?: boolean;
  /** Help appends it, unless the flag has choices; those name their default in `help`. */
  readonly default?: string | number;
}

/** In the order in which they are typed. */
export type Operands = Readonly<Record<string, Operand>>;

/** By name without the dashes. */
export type Flags = Readonly<Record<string, Flag>>;

/** The part of a command that help, docs and completion use. */
export interface CommandSummary {
  /** One or two words, such as `key add`. */
  readonly name: string;
  readonly operands: Operands;
  readonly summary: string;
  readonly flags: Flags;
}

/** No operands or no flags. */
export type Nothing = Readonly<Record<never, never>>;

type ValueOf<Row> = Row extends { readonly read: (...args: never[]) => infer Value }
  ? Value
  : Row extends { readonly integer: Bounds }
    ? number
    : Row extends { readonly choices: readonly (infer Choice)[] }
      ? Choice
      : string;

type OperandValue<Row> = Row extends { readonly isMany: true }
  ? readonly ValueOf<Row>[]
  : ValueOf<Row> | (Row extends { readonly isOptional: true } ? null : never);

type FlagValue<Row> = Row extends { readonly value: string }
  ?
      | ValueOf<Row>
      | (Row extends { readonly isRequired: true } | { readonly default: unknown } ? never : null)
  : boolean;

type CamelCase<Name> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name;

/** The checked values of a command line: operands by their keys, flags in camel case. */
export type Input<O, F> = { readonly [Key in keyof O]: OperandValue<O[Key]> } & {
  readonly [Name in keyof F as CamelCase<Name & string>]: FlagValue<F[Name]>;
};

/** The words and flags after the name of a command. */
export interface Arguments {
  readonly words: readonly string[];
  readonly flags: Readonly<Record<string, string | boolean | undefined>>;
}

/** Reads and checks all values; throws a `UsageError` for the first one that is wrong. */
export function readInput<O extends Operands, F extends Flags>(
  row: { readonly operands: O; readonly flags: F },
  typed: Arguments,
  now: number,
): Input<O, F> {
  const values = [
    ...readOperands(row.operands, typed.words, now),
    ...Object.entries<Flag>(row.flags).map(([name, flag]): [string, unknown] => [
      name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()),
      readFlag(flag, typed.flags[name], { name: `--${name}`, now }),
    ]),
  ];
  return Object.fromEntries(values) as Input<O, F>;
}

function readOperands(operands: Operands, words: readonly string[], now: number) {
  const values: [string, unknown][] = [];
  const rows = Object.entries(operands);
  const left = [...words];
  for (const [index, [key, operand]] of rows.entries()) {
    const name = labelOf(operand);
    const neededLater = rows.slice(index + 1).filter(([, { isOptional }]) => !isOptional).length;
    const isGiven = operand.isOptional
      ? left.length > neededLater || operand.choices?.includes(left[0] ?? '') === true
      : left.length > 0;
    if (!isGiven && !operand.isOptional) throw missing(name, operand);
    const taken = left.splice(0, operand.isMany ? left.length : Number(isGiven));
    const read = taken.map((word) => readValue(operand, word, { name, now }));
    values.push([key, operand.isMany ? read : (read[0] ?? null)]);
  }
  const [extra] = left;
  if (extra !== undefined) throw new UsageError(`Unexpected argument '${extra}'.`);
  return values;
}

function readFlag(flag: Flag, typed: string | boolean | undefined, options: ReadOptions): unknown {
  if (flag.value === undefined) return typed === true;
  if (typeof typed === 'string') return readValue(flag, typed, options);
  if (flag.isRequired) throw missing(`${options.name} ${flag.value}`, flag);
  return flag.default ?? null;
}

function missing(name: string, { hint, choices }: ValueRow): UsageError {
  if (choices && name === choices.join('|')) return new UsageError(`Add ${orList(choices)}.`);
  const next = hint ?? (choices && `Choose ${orList(choices)}.`);
  return new UsageError(`${name} is missing.${next === undefined ? '' : ` ${next}`}`);
}

const orList = (choices: readonly string[]) =>
  `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`;

function readValue(row: ValueRow & Operand, text: string, options: ReadOptions): unknown {
  if (row.read) return row.read(text, options);
  if (row.integer) return readInteger(text, options.name, row.integer);
  if (!row.choices) return text;
  const isNamed = options.name !== row.choices.join('|');
  return readChoice(text, row.choices, isNamed ? options.name : null);
}

function readInteger(text: string, name: string, { min, max }: Bounds): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new UsageError(`${name} must be a whole number from ${min} to ${max}, not '${text}'.`);
}

/** Reads a plain decimal such as 0.8 or 25. */
export function readDecimal({ min, max }: Bounds) {
  return (text: string, { name }: ReadOptions): number => {
    const value = /^\d{1,9}(\.\d{1,4})?$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new UsageError(`${name} must be a number from ${min} to ${max}, not '${text}'.`);
  };
}

/** One of the choices; an operand that has no other name than these is null. */
export function readChoice<Choice extends string>(
  text: string,
  choices: readonly Choice[],
  name: string | null,
): Choice {
  const choice = choices.find((each) => each === text);
  if (choice !== undefined) return choice;
  const all = orList(choices);
  throw new UsageError(
    name === null ? `'${text}' must be ${all}.` : `${name} must be ${all}, not '${text}'.`,
  );
}

/** Reads an ISO time. */
export function readInstant(text: string, { name }: ReadOptions): number {
  const at = parseInstant(text);
  if (at !== null) return at;
  throw new UsageError(`${name} '${text}' is not a time such as 2026-11-15T12:00:00Z.`);
}

/** A flag with a number of things, at least one; `usual` if it is left out. */
export const countFlag = (help: string, max: number, usual: number) =>
  ({ help, value: 'N', integer: { min: 1, max }, default: usual }) as const;

function labelOf({ label, choices = [] }: Operand): string {
  return label ?? choices.join('|');
}

/** The operands as in help, such as `[set|minifig] NUMBER`. */
export function operandsText(operands: Operands): string {
  return Object.values(operands)
    .map((operand) => {
      const text = `${labelOf(operand)}${operand.isMany ? '…' : ''}`;
      if (operand.isOptional) return `[${text}]`;
      return operand.takesInput ? `${text}|-` : text;
    })
    .join(' ');
}
