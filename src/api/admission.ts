/** Admits requests in groups: those that arrive together are decided in one transaction. */
import type { AccountStore } from '../domain/account-store.ts';
import type { Admission, AdmissionRequest, AdmittedGroup } from '../domain/quota.ts';
import { StoreBusyError } from '../domain/store.ts';
import type { Clock } from '../domain/time.ts';

/** What was decided, and when: the allowance that is reported is that of this instant. */
export interface Decision {
  readonly admission: Admission | null;
  readonly at: number;
}

/**
 * Decides one request, together with those that arrive in the same turn of the event loop, and
 * makes something of the decision. When the store fails, `fail` makes something of that; without
 * it, the promise rejects.
 */
export type Admit = <T>(
  request: AdmissionRequest,
  use: (decision: Decision) => T,
  fail?: (error: unknown) => T,
) => Promise<T>;

interface Waiting {
  readonly request: AdmissionRequest;
  settle(decision: Decision): void;
  reject(error: unknown): void;
}

/** While another process writes to the accounts, a group tries again after this, for so long. */
const retryMs = 2;
const patienceMs = 5_000;

/** Requests in one group at most: a crowd that waited is let in bit by bit. */
const groupMax = 500;

/**
 * Groups admissions. A group is closed before its first statement; answers leave after commit. One
 * group is under way at a time: those who come meanwhile make the next, so groups grow with the
 * load, and the larger they are the less a request costs the store.
 */
export function groupAdmissions(accounts: AccountStore, clock: Clock): Admit {
  let waiting: Waiting[] = [];
  let isUnderWay = false;
  const flush = async () => {
    if (isUnderWay || waiting.length === 0) return;
    const group = waiting.slice(0, groupMax);
    waiting = waiting.slice(groupMax);
    isUnderWay = true;
    try {
      const { admissions, at } = await decide(
        accounts,
        group.map((w) => w.request),
        clock,
      );
      group.forEach((w, index) => {
        settle(w, { admission: admissions[index] ?? null, at });
      });
    } catch (error) {
      // Whether it was committed is not known: it may stay charged, it is never given away.
      for (const w of group) w.reject(error);
    } finally {
      isUnderWay = false;
      if (waiting.length > 0) setImmediate(flush);
    }
  };
  return (request, use, fail) =>
    new Promise((resolve, reject) => {
      waiting.push({
        request,
        settle: (decision) => resolve(use(decision)),
        reject: fail ? (error) => resolve(fail(error)) : reject,
      });
      if (waiting.length === 1) setImmediate(flush);
    });
}

/** Decides a group; a store that is being written to is asked again, without holding others up. */
async function decide(
  accounts: AccountStore,
  requests: readonly AdmissionRequest[],
  clock: Clock,
): Promise<AdmittedGroup> {
  const start = clock();
  for (;;) {
    const at = clock();
    try {
      return await accounts.admitGroup(requests, at);
    } catch (error) {
      if (!(error instanceof StoreBusyError) || at - start > patienceMs) throw error;
      await Bun.sleep(retryMs);
    }
  }
}

/** Each answer is made on its own: one that fails does not take the others with it. */
function settle(waiting: Waiting, decision: Decision): void {
  try {
    waiting.settle(decision);
  } catch (error) {
    waiting.reject(error);
  }
}
