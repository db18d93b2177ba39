/** Admits requests in groups: all that arrive in one turn of the event loop share a transaction. */

import type { Admission, KeyUse } from '../accounts/keys/quota.ts';
import { storeMsMax } from '../contract/limits.ts';
import { StoreBusyError } from '../kernel/store-errors.ts';
import type { Clock } from '../kernel/time.ts';
import type { AdmissionStore } from '../store/store.ts';

type Admitting = Pick<AdmissionStore, 'admitGroup' | 'admissionMsMax'>;

/** An admission and its time, which the reported allowance refers to. */
export interface Decision {
  readonly admission: Admission | null;
  readonly at: number;
}

export interface PendingRequest extends KeyUse {
  readonly cost: number;
  /** Null if the cost is charged even after the caller disconnects. */
  readonly from: { readonly signal: AbortSignal } | null;
}

/** The connection was closed before anything was charged. */
export class CallerDisconnected extends Error {}

/**
 * Decides one request, together with others of the same turn of the event loop, and maps the
 * decision. `fail` maps a store failure or a disconnect; without it, the promise rejects.
 */
export type Admit = <T>(
  request: PendingRequest,
  use: (decision: Decision) => T | Promise<T>,
  fail?: (error: unknown) => T | Promise<T>,
) => Promise<T>;

/** For `use`: the decision as it is. */
export const keep = (decision: Decision) => decision;

interface Waiting {
  readonly request: PendingRequest;
  readonly since: number;
  settle(decision: Decision): void;
  reject(error: unknown): void;
}

/** Delay before asking a store again that another process is writing to. */
const retryMs = 1;

/** How often requests that waited too long are looked for. */
const checkMs = 50;

const groupMax = 500;

/** The store could not be asked in time, and nothing was charged. */
export class StalledError extends Error {
  /** Named like the error codes of stores. */
  readonly code = 'ERR_STORE_STALLED';
}

/**
 * Groups admissions. A group is closed before its first statement, and responses are sent after its
 * commit. One group is in progress at a time and later requests form the next one, so groups grow
 * with the load and the cost per request falls. `elapsed` is a monotonic clock.
 */
export function groupAdmissions(accounts: Admitting, clock: Clock, elapsed: Clock): Admit {
  const groups = new Groups(accounts, { clock, elapsed });
  return (request, use, fail) =>
    new Promise((resolve, reject) => {
      groups.add({
        request,
        since: elapsed(),
        settle: (decision) => resolve(use(decision)),
        reject: fail ? (error) => resolve(fail(error)) : reject,
      });
    });
}

class Groups {
  /** Requests not yet sent to the store, oldest first. */
  private waiting: Waiting[] = [];
  private isUnderWay = false;
  private isLooking = false;
  /** A request sent later could be charged although it is answered with an error. */
  private readonly waitMsMax: number;

  constructor(
    private readonly accounts: Admitting,
    private readonly time: { readonly clock: Clock; readonly elapsed: Clock },
  ) {
    this.waitMsMax = storeMsMax - accounts.admissionMsMax;
  }

  add(newcomer: Waiting): void {
    this.waiting.push(newcomer);
    if (this.isUnderWay) this.lookLater();
    else if (this.waiting.length === 1) setImmediate(() => this.flush());
  }

  private async flush(): Promise<void> {
    if (this.isUnderWay || this.waiting.length === 0) return;
    const group = this.waiting.slice(0, groupMax).filter(isConnected);
    this.waiting = this.waiting.slice(groupMax);
    this.isUnderWay = true;
    const isBusy = await this.decide(group);
    this.isUnderWay = false;
    if (this.waiting.length === 0) return;
    this.dropLate();
    if (isBusy) setTimeout(() => this.flush(), retryMs);
    else setImmediate(() => this.flush());
  }

  /** Returns true if the store is busy; the group then waits again. */
  private async decide(group: Waiting[]): Promise<boolean> {
    try {
      const requests = group.map(({ request }) => request);
      const { admissions, at } = await this.accounts.admitGroup(requests, this.time.clock());
      group.forEach((w, index) => {
        settle(w, { admission: admissions[index] ?? null, at });
      });
    } catch (error) {
      if (error instanceof StoreBusyError) {
        this.waiting = [...group, ...this.waiting];
        return true;
      }
      // Whether the commit succeeded is unknown: the calls may be charged, but are not answered.
      for (const w of group) w.reject(error);
    }
    return false;
  }

  /** Keeps checking the waiting requests while the store is asked. */
  private lookLater(): void {
    if (this.isLooking) return;
    this.isLooking = true;
    setTimeout(() => {
      this.isLooking = false;
      this.dropLate();
      if (this.waiting.length > 0 && this.isUnderWay) this.lookLater();
    }, checkMs);
  }

  /** Rejects requests that have waited too long. They are never sent to the store. */
  private dropLate(): void {
    const since = this.time.elapsed() - this.waitMsMax;
    const staying = this.waiting.findIndex((w) => w.since > since);
    if (staying === 0) return;
    const late = this.waiting.splice(0, staying < 0 ? this.waiting.length : staying);
    const error = new StalledError(`The store did not answer within ${this.waitMsMax} ms.`);
    for (const w of late) w.reject(error);
  }
}

/**
 * A caller that has disconnected is not charged, and this error goes nowhere. It may be so on the
 * turn of the request: a connection with a second request behind it is closed at once.
 */
function isConnected(waiting: Waiting): boolean {
  if (!waiting.request.from?.signal.aborted) return true;
  waiting.reject(new CallerDisconnected());
  return false;
}

/** A response that fails does not affect the others. */
function settle(waiting: Waiting, decision: Decision): void {
  try {
    waiting.settle(decision);
  } catch (error) {
    waiting.reject(error);
  }
}
