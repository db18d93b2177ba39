/** The log: one JSON object per line. Lines are collected and written together. */
import { type Clock, formatInstant } from '../domain/kernel/time.ts';
import { describeFault } from './fault.ts';
import type { IncomingRequest, RequestOutcome } from './request-outcome.ts';

/** Which requests have a line in the log; failures on our side always have one. */
export const logLevels = ['off', 'errors', 'requests'] as const;
export type LogLevel = (typeof logLevels)[number];

/** Where the lines of a serving process go. */
export interface Log {
  /** Requests that were answered with this status or a higher one have a line. */
  readonly statusMin: number;
  request(request: IncomingRequest, outcome: RequestOutcome, ms: number): void;
  /** Something that was done beside requests; written when every request is. */
  event(event: string, facts: Readonly<Record<string, string | number>>): void;
  /** Something that the operator should look into; always written. */
  warning(event: string, facts: Readonly<Record<string, string | number>>): void;
  /** Something that should not have happened; always written. */
  failure(event: string, error: unknown): void;
  /** Writes what was collected. */
  flush(): void;
}

/** Takes text, and calls back when it has gone. */
export type WriteLog = (text: string, onGone: () => void) => void;

/** How long lines are collected, and how many characters at the most. */
const collectMs = 100;
const collectedMax = 256 * 1024;

/** What a slow reader may leave waiting, in characters. Beyond it lines are left out. */
const waitingMax = 8 * 1024 * 1024;

const statusMins: Readonly<Record<LogLevel, number>> = { requests: 0, errors: 400, off: 500 };

/** Methods that are written as they came; the rest is whatever somebody sent. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** A log that writes with `write`. */
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

/** Put together by hand: all but the fault are numbers and words of our own. */
function requestLine(
  time: string,
  request: IncomingRequest,
  outcome: RequestOutcome,
  ms: number,
): string {
  const { status, code, caller, fault } = outcome;
  const level = status >= 500 ? 'error' : status >= 400 ? 'warn' : 'info';
  const method = methods.has(request.method) ? request.method : 'other';
  // A HEAD is answered without the body.
  const bytes = method === 'HEAD' ? 0 : Buffer.byteLength(outcome.body);
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

/** The time as text, made once for all lines of a millisecond. */
function rememberTime(clock: Clock): () => string {
  let last = { at: Number.NaN, text: '' };
  return () => {
    const at = clock();
    if (at !== last.at) last = { at, text: formatInstant(at) };
    return last.text;
  };
}

/**
 * Collects lines, up to a limit. Whoever reads them slowly loses lines, and sees how many; no
 * caller waits for it.
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
