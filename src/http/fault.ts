/** What is written about a failure: enough to find it, and nothing that anybody sent or owns. */
import { targetOf } from './target.ts';

/** A failure as the log shows it. */
export interface Fault {
  readonly name: string;
  /** Such as SQLITE_FULL. */
  readonly code?: string;
  readonly message: string;
  /** What PostgreSQL calls the failure, such as 57P01. */
  readonly sqlstate?: string;
  /** Where in the program, innermost first. */
  readonly at: readonly string[];
  /** How the statement begins that PostgreSQL failed at. Values are never part of it. */
  readonly statement?: string;
}

const messageLengthMax = 300;
const framesMax = 8;

/** Shorter values are no secret, and would be found in every other word. */
const hiddenLengthMin = 2;

/**
 * Whatever may be a key, a header that holds one, a spreadsheet link, an e-mail, a query, or quotes
 * a value.
 */
const secrets = [
  /\bbmk_\w*/gi,
  /\b(bearer|basic)\s+\S+/gi,
  /\/csv\/\S+/g,
  /[^\s@<>'"]+@[^\s@<>'"]+/g,
  /\?\S+/g,
  /'[^']*'|"[^"]*"|`[^`]*`/g,
];

/** What errors of stores carry besides. */
type StoreError = Error & {
  readonly code?: unknown;
  readonly errno?: unknown;
  readonly statement?: unknown;
};

/** Describes what was thrown; the query values of a URL are left out wherever they occur. */
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
    at: framesOf(error.stack ?? ''),
    ...(typeof statement === 'string' && { statement: hide(statement, []) }),
  };
}

function hide(message: string, values: readonly string[]): string {
  let text = message;
  for (const value of values) text = text.replaceAll(value, '…');
  for (const secret of secrets) text = text.replace(secret, '…');
  return text.replace(/\s+/g, ' ').slice(0, messageLengthMax);
}

/** Every value of a query, as it was sent and as it was meant; the longest first. */
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

/** A stack begins with the message, which is shown on its own. */
function framesOf(stack: string): string[] {
  return stack
    .split('\n')
    .filter((line) => /^\s+at \S/.test(line) && /:\d+\)?$/.test(line))
    .slice(0, framesMax)
    .map((line) => line.trim().slice('at '.length));
}
