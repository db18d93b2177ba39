/** How a store decides who may call, and counts it. */
import type { AdmissionRequest, AdmittedGroup } from './quota.ts';

/** Keys at the door. */
export interface AdmissionStore {
  /**
   * Decides a group of requests in one transaction, each on its own: who the key belongs to, and
   * whether its cost is granted. What is granted is committed. A store that many machines share
   * goes by its own clock, so that they agree on the day; it is as far ahead of the real time as
   * `at` is.
   */
  admitGroup(requests: readonly AdmissionRequest[], at: number): Promise<AdmittedGroup>;
  /** How long that takes at the most until it fails; 0 where it is done before it returns. */
  readonly admissionMsMax: number;
  /**
   * Writes and commits something small in the way that usage is written. Throws when that cannot be
   * done: the disk is full, the store may only be read, its files are gone. What cannot be counted
   * must not be answered, so whoever cannot do this is not ready.
   */
  checkCountable(at: number): Promise<void>;
}
