/** Parses the settings: tables, line numbers and typed values. */
import { nearest } from '../contract/nearest.ts';
import { isObject, type JsonObject } from '../kernel/json.ts';
import { dayMs, hourMs, minuteMs } from '../kernel/time.ts';

/** The message has the location and no secrets. */
export class SettingsError extends Error {}

const lengthMax = 256 * 1024;

interface TableName {
  readonly name: string;
  /** The index of a `[[name]]`; null for a `[name]`. */
  readonly index: number | null;
}

export class SettingsText {
  readonly #root: JsonObject;
  readonly #lines: readonly string[];

  constructor(
    text: string,
    readonly path: string,
  ) {
    if (text.length > lengthMax) {
      throw new SettingsError(
        `${path} has more than ${lengthMax} characters; is it the right file?`,
      );
    }
    this.#lines = text.split(/\r?\n/);
    this.#root = parse(text, this.#lines, path);
  }

  /** Values before all tables, and the names of allowed tables. */
  top(names: readonly string[], tables: readonly string[]): SettingsTable {
    const top = this.#table({ name: '', index: null }, this.#root);
    top.requireKnown([...names, ...tables], 'table or name');
    return top;
  }

  /** The tables of a source, which are written `[name]`, or `[[name]]` if there may be several. */
  list({ name, isMany }: { readonly name: string; readonly isMany: boolean }): SettingsTable[] {
    const value = this.#root[name];
    if (value === undefined) return [];
    if (!isMany && isObject(value)) return [this.#table({ name, index: null }, value)];
    if (isMany && Array.isArray(value) && value.every(isObject)) {
      return value.map((table, index) => this.#table({ name, index }, table));
    }
    throw this.#error(
      this.#lineOf({ name, index: null }, null),
      isMany
        ? `write '${name}' as [[${name}]], since there may be several.`
        : `write '${name}' as [${name}].`,
    );
  }

  #table(table: TableName, values: JsonObject): SettingsTable {
    return new SettingsTable(values, (name, problem) =>
      this.#error(this.#lineOf(table, name) ?? this.#lineOf(table, null), problem),
    );
  }

  #error(line: number | null, problem: string): SettingsError {
    return new SettingsError(`${this.path}${line === null ? '' : `, line ${line}`}: ${problem}`);
  }

  /** The line of a name or of the table's header; null if not found. */
  #lineOf({ name, index }: TableName, key: string | null): number | null {
    let [current, count] = ['', -1];
    for (const [at, line] of this.#lines.entries()) {
      const [, header] = /^\s*\[+\s*["']?([\w-]+)/.exec(line) ?? [];
      const [, word] = /^\s*["']?([\w-]+)["']?\s*[.=]/.exec(line) ?? [];
      if (header !== undefined) {
        current = header;
        // `[http.headers]` belongs to the `[[http]]` above it.
        if (header === name && /^\s*\[\[/.test(line)) count++;
      }
      const isHere = current === name && (index === null || count === index);
      if (isHere && (key === null ? header === name : word === key)) return at + 1;
      const opens = new RegExp(`^\\s*\\[+\\s*${RegExp.escape(key ?? name)}\\b`).test(line);
      if (name === '' && opens) return at + 1;
    }
    return null;
  }
}

/** The parser gives no location, so it is searched. */
function parse(text: string, lines: readonly string[], path: string): JsonObject {
  try {
    return Bun.TOML.parse(text) as JsonObject;
  } catch (error) {
    // Quoted text may be a secret.
    const problem = String((error as Error).message)
      .replace(/^TOML Parse error: /, '')
      .replace(/:? ".*$/s, '');
    const at = lines.findLastIndex((_, index) => isToml(lines.slice(0, index).join('\n')));
    throw new SettingsError(`${path}, line ${at + 1}: ${problem}.`);
  }
}

function isToml(text: string): boolean {
  try {
    return Boolean(Bun.TOML.parse(text));
  } catch {
    // Any error means no.
    return false;
  }
}

interface Bounds {
  readonly min: number;
  readonly max: number;
}

export class SettingsTable {
  readonly #values: JsonObject;
  /** An empty name is the table itself. */
  readonly error: (name: string, problem: string) => SettingsError;

  constructor(values: JsonObject, error: (name: string, problem: string) => SettingsError) {
    this.#values = values;
    this.error = error;
  }

  /** Throws for other names, with the closest known one. */
  requireKnown(names: readonly string[], noun = 'name'): void {
    const unknown = Object.keys(this.#values).find((name) => !names.includes(name));
    if (unknown === undefined) return;
    throw this.error(unknown, `there is no ${noun} '${unknown}'.${didYouMean(unknown, names)}`);
  }

  has(name: string): boolean {
    return this.#values[name] !== undefined;
  }

  flag(name: string, fallback: boolean): boolean {
    const value = this.#values[name] ?? fallback;
    if (typeof value === 'boolean') return value;
    throw this.error(name, `'${name}' must be true or false.`);
  }

  whole(name: string, { min, max, fallback }: Bounds & { readonly fallback: number }): number {
    const value = this.#values[name] ?? fallback;
    if (Number.isInteger(value) && Number(value) >= min && Number(value) <= max) {
      return Number(value);
    }
    throw this.error(name, `'${name}' must be a whole number from ${min} to ${max}.`);
  }

  /** Null if not set. */
  text(name: string): string | null {
    const value = this.#values[name];
    if (value === undefined) return null;
    if (typeof value === 'string' && value.trim() !== '') return value.trim();
    throw this.error(name, `'${name}' must be text in quotes, such as "…".`);
  }

  requiredText(name: string): string {
    const text = this.text(name);
    if (text !== null) return text;
    throw this.error('', `'${name}' is missing.`);
  }

  /** Null if not set. */
  choice<T extends string>(name: string, choices: readonly T[]): T | null {
    const text = this.text(name);
    const chosen = choices.find((choice) => choice === text) ?? null;
    if (text === null || chosen !== null) return chosen;
    throw this.error(name, `'${name}' cannot be '${text}'.${didYouMean(text, choices)}`);
  }

  /** Milliseconds of a duration such as `6h`. */
  duration(name: string, { min, max, fallback }: Bounds & { readonly fallback: string }): number {
    const [, count, unit = ''] = /^(\d{1,5})(m|h|d)$/.exec(this.text(name) ?? fallback) ?? [];
    const ms = Number(count) * (unitMs[unit] ?? Number.NaN);
    if (ms >= min && ms <= max) return ms;
    throw this.error(
      name,
      `'${name}' must be a duration such as "30m", "6h" or "1d", ` +
        `from "${min / minuteMs}m" to "${max / dayMs}d".`,
    );
  }

  /** A table of texts, such as headers; empty if not set. */
  texts(name: string): [string, string][] {
    const value = this.#values[name] ?? {};
    const entries = isObject(value) ? Object.entries(value) : null;
    if (entries?.every((entry): entry is [string, string] => typeof entry[1] === 'string')) {
      return entries;
    }
    throw this.error(name, `'${name}' must be text by name, such as { Accept = "text/csv" }.`);
  }
}

const unitMs: Readonly<Record<string, number>> = { m: minuteMs, h: hourMs, d: dayMs };

function didYouMean(typed: string, choices: readonly string[]): string {
  const near = nearest(typed, choices);
  return near === null ? ` Use one of ${choices.join(', ')}.` : ` Did you mean '${near}'?`;
}
