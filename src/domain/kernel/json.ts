/** Values of JSON whose shape nobody vouches for. */

/** A JSON object; what is in it is looked at field by field. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The value if it is an object; null for lists and everything else. */
export function asObject(value: unknown): JsonObject | null {
  return isObject(value) ? value : null;
}

/** Whether a value is an object, and no list. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Numbers and texts alike, as text; null for nothing, and for whatever else stands there. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  const text = typeof value === 'string' ? value.trim() : '';
  return text === '' ? null : text;
}

/** Anything that JSON can say. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [name: string]: JsonValue };
