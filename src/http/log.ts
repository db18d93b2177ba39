/** The log: one JSON object per line. Lines are buffered and written together. */
import { type Clock, formatInstant } from '../kernel/time.ts';
import { describeFault } from './fault.ts';
import type { IncomingRequest, RequestOutcome } from './request-outcome.ts';
import { joined } from './text-parts.ts';

/** Which requests are logged; faults are always logged. */
export const logLevels = ['off', 'errors', 'requests'] as const;
export type LogLevel = (typeof logLevels)[number];

export interface Log {
  /** Requests with this status or a higher one are logged. */
  readonly statusMin: number;
  request(request: IncomingRequest, outcome: RequestOutcome, ms: number): void;
  /** Something other than a request; logged if all requests are. */
  event(event: string, facts: Readonly<Record<string, string | number>>): void;
  /** Something the operator should look into; always logged. */
  warning(event: string, facts: Readonly<Record<string, string | number>>): void;
  /** A fault; always logged. */
  failure(event: string, error: unknown): void;
  flush(): void;
}

/** Writes text, and calls back when it is written. */
export type WriteLog = (text: string, onGone: () => void) => void;

/** How long, and how many characters, lines are buffered. */
const collectMs = 100;
const collectedMax = 256 * 1024;

/** Characters that can wait for a slow reader. Beyond that, lines are dropped. */
const waitingMax = 8 * 1024 * 1024;

const statusMins: Readonly<Record<LogLevel, number>> = { requests: 0, errors: 400, off: 500 };

/** Methods that are logged as sent; others could contain anything. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

export function makeLog(settings: {
  readonly level: LogLevel;
  readonly clock: Clock;
  readonly write: WriteLog;
}): Log {
  const { level, clock } = settings;
  const statusMin = statusMins[level];
  const now = rememberTime(clock);
  const eventLine = (level: string, event: string, facts: object) =>
    `${JSON.stringify({ time: now(), level, event, ...facts })}\n`;
  const lines = collectLines(settings.write, (leftOut) =>
    eventLine('warn', 'log', { left_out: leftOut }),
  );
  return {
    statusMin,
    request: (request, outcome, ms) => lines.add(requestLine(now(), request, outcome, ms)),
    event: (event, facts) => {
      if (statusMin === 0) lines.add(eventLine('info', event, facts));
    },
    warning: (event, facts) => lines.add(eventLine('warn', event, facts)),
    failure: (event, error) =>
      lines.add(eventLine('error', event, { fault: describeFault(error) })),
    flush: lines.flush,
  };
}

/** Readiness is checked every few seconds, and "not ready" is not a failure. */
export function isUnready({ route }: IncomingRequest, { fault }: RequestOutcome): boolean {
  return route === 'readyz' && !fault;
}

/** Concatenated: everything except the fault is numbers and our own words. */
function requestLine(
  time: string,
  request: IncomingRequest,
  outcome: RequestOutcome,
  ms: number,
): string {
  const { status, code, caller, fault } = outcome;
  const isFault = status >= 500 && !isUnready(request, outcome);
  const level = isFault ? 'error' : status >= 400 ? 'warn' : 'info';
  const method = methods.has(request.method) ? request.method : 'other';
  // A response to HEAD has no body.
  const bytes = method === 'HEAD' ? 0 : Buffer.byteLength(joined(outcome.body));
  return (
    `{"time":"${time}","level":"${level}","event":"request","request_id":"${request.requestId}",` +
    `"method":"${method}","route":"${request.route}","status":${status},` +
    (code ? `"code":"${code}",` : '') +
    `"cost":${outcome.cost},"ms":${Math.round(ms * 100) / 100},"bytes":${bytes}` +
    (caller ? `,"account_id":${caller.accountId},"key_id":${caller.keyId}` : '') +
    (fault ? `,"fault":${JSON.stringify(describeFault(fault.error, fault.url))}` : '') +
    '}\n'
  );
}

/** Formats the time once per millisecond. */
function rememberTime(clock: Clock): () => string {
  let last = { at: Number.NaN, text: '' };
  return () => {
    const at = clock();
    if (at !== last.at) last = { at, text: formatInstant(at) };
    return last.text;
  };
}

/**
 * Buffers lines, up to a limit. A slow reader loses lines, and is told how many; requests never
 * wait for it.
 */
function collectLines(write: WriteLog, noticeOfLeftOut: (count: number) => string) {
  let collected = '';
  let waiting = 0;
  let leftOut = 0;
  let isTimed = false;
  const flush = () => {
    isTimed = false;
    if (collected === '') return;
    const text = collected;
    collected = '';
    waiting += text.length;
    write(text, () => {
      waiting -= text.length;
    });
  };
  const add = (line: string) => {
    if (waiting > waitingMax) {
      leftOut++;
      return;
    }
    if (leftOut > 0) collected += noticeOfLeftOut(leftOut);
    leftOut = 0;
    collected += line;
    if (collected.length > collectedMax) flush();
    else if (!isTimed) {
      isTimed = true;
      setTimeout(flush, collectMs).unref();
    }
  };
  return { add, flush };
}
