/** Calls by endpoint and key: counted while a server runs, and exported. */

import {
  type FailureLog,
  saveCounts,
  startRounds,
  type UnsavedCounts,
} from '../../kernel/rounds.ts';
import type { StoppableWait } from '../../kernel/stoppable-wait.ts';
import { type Clock, dayOf } from '../../kernel/time.ts';
import type { AccountRoomStore } from '../accounts.store.ts';
import { type EndpointUse, endpointRecord } from './endpoint-usage.ts';
import type { KeyStore } from './keys.store.ts';

/** The maximum number of unsaved counts; further endpoints and keys are not counted. */
const countsMax = 20_000;

/** Responses with this status or a higher one are errors. */
const errorStatusMin = 400;

type UsedKey = Pick<EndpointUse, 'accountId' | 'keyId'>;

interface Answered {
  readonly cost: number;
  readonly status: number;
}

type Count = { -readonly [Field in keyof EndpointUse]: EndpointUse[Field] };

/** Calls that are not saved yet. Adding one is cheap: it is done for every response. */
export class EndpointUses implements UnsavedCounts<EndpointUse> {
  private readonly byKey = new Map<number, Map<string, Count>>();
  private size = 0;

  /** Counts a response. */
  add(caller: UsedKey, endpoint: string, { cost, status }: Answered): void {
    const count = this.countOf(caller, endpoint);
    if (count === null) return;
    count.calls++;
    count.cost += cost;
    if (status >= errorStatusMin) count.errors++;
  }

  /** Adds a charge for a call that was counted before: another hour of a stream. */
  addCost(caller: UsedKey, endpoint: string, cost: number): void {
    const count = this.countOf(caller, endpoint);
    if (count !== null) count.cost += cost;
  }

  take(limit: number): EndpointUse[] {
    const taken: EndpointUse[] = [];
    for (const [keyId, counts] of this.byKey) {
      for (const [endpoint, count] of counts) {
        if (taken.length === limit) return taken;
        taken.push(count);
        counts.delete(endpoint);
        this.size--;
      }
      this.byKey.delete(keyId);
    }
    return taken;
  }

  putBack(uses: readonly EndpointUse[]): void {
    for (const use of uses) {
      const count = this.countOf(use, use.endpoint);
      if (count === null) continue;
      count.calls += use.calls;
      count.cost += use.cost;
      count.errors += use.errors;
    }
  }

  /** Null: there are too many. */
  private countOf({ accountId, keyId }: UsedKey, endpoint: string): Count | null {
    const known = this.byKey.get(keyId)?.get(endpoint);
    if (known) return known;
    if (this.size >= countsMax) return null;
    this.size++;
    const count = { accountId, keyId, endpoint, calls: 0, cost: 0, errors: 0 };
    const counts = this.byKey.get(keyId) ?? new Map<string, Count>();
    this.byKey.set(keyId, counts.set(endpoint, count));
    return count;
  }
}

interface UsesDeps {
  readonly uses: EndpointUses;
  readonly accounts: Pick<AccountRoomStore, 'addEndpointUses'>;
  readonly clock: Clock;
  readonly log: FailureLog;
}

/** Returns a function that saves what is left and stops. */
export function startEndpointUses(
  { uses, accounts, clock, log }: UsesDeps,
  rest?: StoppableWait,
): () => Promise<void> {
  const save = (slice: readonly EndpointUse[]) => accounts.addEndpointUses(slice, dayOf(clock()));
  return startRounds('endpoint usage', (pause) => saveCounts(uses, save, pause), log, rest);
}

/** Those that are saved, with the names of keys. */
export async function endpointRecords(
  accounts: Pick<KeyStore & AccountRoomStore, 'listKeys' | 'listEndpointUses'>,
  { accountId, email }: { readonly accountId: number; readonly email: string },
  at: number,
) {
  const keys = (await accounts.listKeys(email, at)) ?? [];
  const uses = await accounts.listEndpointUses(accountId);
  return uses.map((use) => endpointRecord(use, keys));
}
