/** Admits requests in groups: those that arrive together are decided in one transaction. */
import { storeMsMax } from '../contract/limits.ts';
import type { AdmissionStore } from '../domain/account/admission-store.ts';
import type { Admission, AdmissionRequest } from '../domain/account/quota.ts';
import type { Clock } from '../domain/kernel/time.ts';
import { StoreBusyError } from '../domain/store.ts';

/** What decides. */
type Admitting = Pick<AdmissionStore, 'admitGroup' | 'admissionMsMax'>;

/** What was decided, and when: the allowance that is reported is that of this instant. */
export interface Decision {
  readonly admission: Admission | null;
  readonly at: number;
}

/** A request to be decided, and what tells whether whoever sent it is still there. */
export interface PendingRequest extends AdmissionRequest {
  /** Null where that does not matter any more: the work is done, and is paid for. */
  readonly from: { readonly signal: AbortSignal } | null;
}

/** The connection was closed before anything was charged: no answer could reach the caller. */
export class CallerGone extends Error {}

/**
 * Decides one request, together with those that arrive in the same turn of the event loop, and
 * makes something of the decision. When the store fails, or the caller is gone, `fail` makes
 * something of that; without it, the promise rejects.
 */
export type Admit = <T>(
  request: PendingRequest,
  use: (decision: Decision) => T | Promise<T>,
  fail?: (error: unknown) => T | Promise<T>,
) => Promise<T>;

interface Waiting {
  readonly request: PendingRequest;
  readonly since: number;
  settle(decision: Decision): void;
  reject(error: unknown): void;
}

/** A store that another process is writing to is asked again after this. */
const retryMs = 2;

/** How often those are looked for who have waited for too long. */
const lookMs = 50;

/** Requests in one group at most: a crowd that waited is let in bit by bit. */
const groupMax = 500;

/** Nobody asked the store in time: nothing was charged. */
export class StalledError extends Error {
  /** In the form of the errors of stores. */
  readonly code = 'ERR_STORE_STALLED';
}

/**
 * Groups admissions. A group is closed before its first statement; answers leave after commit. One
 * group is under way at a time: those who come meanwhile make the next, so groups grow with the
 * load, and the larger they are the less a request costs the store. `elapsed` are milliseconds that
 * only ever go on, whatever the clock is set to.
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
  /** Those who have not been sent to the store, in the order in which they came. */
  private waiting: Waiting[] = [];
  private isUnderWay = false;
  private isLooking = false;
  /** Whoever is sent later would be told of it too late, and may be charged for a failure. */
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
    const group = this.waiting.slice(0, groupMax).filter(isStillThere);
    this.waiting = this.waiting.slice(groupMax);
    this.isUnderWay = true;
    const isBusy = await this.decide(group);
    this.isUnderWay = false;
    if (this.waiting.length === 0) return;
    this.dropLate();
    if (isBusy) setTimeout(() => this.flush(), retryMs);
    else setImmediate(() => this.flush());
  }

  /** Decides a group; true when the store is being written to, and the group waits again. */
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
      // Whether it was committed is not known: it may stay charged, it is never given away.
      for (const w of group) w.reject(error);
    }
    return false;
  }

  /** While the store is asked, those who wait are not forgotten. */
  private lookLater(): void {
    if (this.isLooking) return;
    this.isLooking = true;
    setTimeout(() => {
      this.isLooking = false;
      this.dropLate();
      if (this.waiting.length > 0 && this.isUnderWay) this.lookLater();
    }, lookMs);
  }

  /** Those who have waited for too long are told so, and never sent. */
  private dropLate(): void {
    const since = this.time.elapsed() - this.waitMsMax;
    const staying = this.waiting.findIndex((w) => w.since > since);
    if (staying === 0) return;
    const late = this.waiting.splice(0, staying < 0 ? this.waiting.length : staying);
    const error = new StalledError(`The store did not answer within ${this.waitMsMax} ms.`);
    for (const w of late) w.reject(error);
  }
}

/** Nobody pays for an answer that cannot reach them; one who is gone is told so, in vain. */
function isStillThere(waiting: Waiting): boolean {
  const isGone = waiting.request.from?.signal.aborted ?? false;
  if (isGone) waiting.reject(new CallerGone());
  return !isGone;
}

/** Each answer is made on its own: one that fails does not take the others with it. */
function settle(waiting: Waiting, decision: Decision): void {
  try {
    waiting.settle(decision);
  } catch (error) {
    waiting.reject(error);
  }
}
