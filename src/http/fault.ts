/** Describes a fault for the log: enough to find it, without private data or input. */
import { targetOf } from './request-target.ts';

export interface Fault {
  readonly name: string;
  /** Such as SQLITE_FULL. */
  readonly code?: string;
  readonly message: string;
  /** The SQLSTATE of PostgreSQL, such as 57P01. */
  readonly sqlstate?: string;
  /** Stack frames, innermost first. */
  readonly at: readonly string[];
  /** The beginning of the PostgreSQL statement, which never contains values. */
  readonly statement?: string;
}

const messageLengthMax = 300;
const framesMax = 8;

/** Shorter values are no secret, and would match parts of ordinary words. */
const hiddenLengthMin = 2;

/**
 * Patterns of keys, authorization headers, secret links, emails, queries and quoted values.
 */
const secrets = [
  /\bbmk_\w*/gi,
  /\b(bearer|basic)\s+\S+/gi,
  /\/(csv|password|invitations|alerts\/confirm|alerts\/end|s)\/\S+/g,
  /[^\s@<>'"]+@[^\s@<>'"]+/g,
  /\?\S+/g,
  /'[^']*'|"[^"]*"|`[^`]*`/g,
];

/** Additional fields of store errors. */
type StoreError = Error & {
  readonly code?: unknown;
  readonly errno?: unknown;
  readonly statement?: unknown;
};

/** Query values of the URL are removed wherever they occur. */
export function describeFault(error: unknown, url = ''): Fault {
  if (!(error instanceof Error)) return { name: typeof error, message: '', at: [] };
  const { code, errno, statement } = error as StoreError;
  const isName = typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,40}$/.test(code);
  const isState = typeof errno === 'string' && /^[0-9A-Z]{5}$/.test(errno);
  return {
    name: error.name,
    ...(isName && { code }),
    ...(isState && { sqlstate: errno }),
    message: hide(error.message, queryValues(url)),
    // A stack starts with the message, which is shown separately.
    at: (error.stack ?? '')
      .split('\n')
      .filter((line) => /^\s+at \S/.test(line) && /:\d+\)?$/.test(line))
      .slice(0, framesMax)
      .map((line) => line.trim().slice('at '.length)),
    ...(typeof statement === 'string' && { statement: hide(statement, []) }),
  };
}

function hide(message: string, values: readonly string[]): string {
  let text = message;
  for (const value of values) text = text.replaceAll(value, '…');
  for (const secret of secrets) text = text.replace(secret, '…');
  return text.replace(/\s+/g, ' ').slice(0, messageLengthMax);
}

/** The values of a query, encoded and decoded, longest first. */
function queryValues(url: string): string[] {
  const target = targetOf(url);
  const start = target.indexOf('?');
  if (start < 0) return [];
  const query = target.slice(start + 1);
  const sent = query.split('&').map((pair) => pair.slice(pair.indexOf('=') + 1));
  return [...sent, ...new URLSearchParams(query).values()]
    .filter((value) => value.length >= hiddenLengthMin)
    .sort((a, b) => b.length - a.length);
}
