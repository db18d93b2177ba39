/** Admits requests in groups: those that arrive together are decided in one transaction. */
import type { AccountStore } from '../domain/account-store.ts';
import type { Admission, AdmissionRequest } from '../domain/quota.ts';
import type { Clock } from '../domain/time.ts';

/** What was decided, and when: the allowance that is reported is that of this instant. */
export interface Decision {
  readonly admission: Admission | null;
  readonly at: number;
}

/**
 * Decides one request, together with those that arrive in the same turn of the event loop, and
 * makes something of the decision. Rejects when the store fails.
 */
export type Admit = <T>(request: AdmissionRequest, use: (decision: Decision) => T) => Promise<T>;

interface Waiting {
  readonly request: AdmissionRequest;
  settle(decision: Decision): void;
  reject(error: unknown): void;
}

/** Groups admissions. A group is closed before its first statement; answers leave after commit. */
export function groupAdmissions(accounts: AccountStore, clock: Clock): Admit {
  let waiting: Waiting[] = [];
  const flush = async () => {
    const group = waiting;
    waiting = [];
    try {
      const at = clock();
      const admissions = await accounts.admitGroup(
        group.map((w) => w.request),
        at,
      );
      group.forEach((w, index) => {
        w.settle({ admission: admissions[index] ?? null, at });
      });
    } catch (error) {
      // Whether it was committed is not known: it may stay charged, it is never given away.
      for (const w of group) w.reject(error);
    }
  };
  return (request, use) =>
    new Promise((resolve, reject) => {
      waiting.push({ request, settle: (decision) => resolve(use(decision)), reject });
      if (waiting.length === 1) setImmediate(flush);
    });
}
