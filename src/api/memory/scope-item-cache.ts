/** Caches the items whose events an account subscribes to: what it holds or watches. */

import type { Caller } from '../../accounts/keys/quota.ts';
import type { EventScope } from '../../alerts/channels/delivery-channel.ts';
import { findScopeItems, type ScopeSource } from '../../alerts/delivery/scope-items.work.ts';
import { BoundedMap, entryRoom } from '../../kernel/bounded-map.ts';
import { type Clock, minuteMs } from '../../kernel/time.ts';
import { type EventItems, type EventKeys, eventKeys } from '../../market/events/events.ts';
import type { AccountAnswerCache } from '../account-answer-cache.ts';
import { dataOf } from '../answer-data.ts';
import { jsonOf } from '../handler.ts';

/** Items are cached this long: their aliases can change without the account. */
const cachedMs = minuteMs;

/** Cache size in characters: some hundred thousand keys. */
const cacheRoomMax = 16 * 1024 * 1024;

/** Size of a key besides its characters. */
const keyRoom = 40;

interface Cached {
  readonly version: number;
  readonly until: number;
  readonly keys: Promise<EventKeys>;
  readonly room: number;
}

/** The items of accounts with open streams, until the accounts change. */
export class ScopeItemCache {
  private readonly cache = new BoundedMap<Cached>(cacheRoomMax, ({ room }) => room);

  constructor(
    private readonly answers: Pick<AccountAnswerCache, 'findNow'>,
    private readonly source: ScopeSource,
    /** A monotonic clock. */
    private readonly elapsed: Clock,
  ) {}

  /** The items of a scope at the account version of the caller. */
  async find(caller: Caller, scope: EventScope): Promise<EventKeys> {
    if (scope === 'all') return null;
    const { privateVersion: version } = caller;
    const name = `${caller.accountId} ${scope}`;
    const known = this.cache.get(name);
    const now = this.elapsed();
    if (known && known.version >= version && now < known.until) return known.keys;
    // Concurrent callers share the read.
    const keys = this.read(caller, scope);
    const until = now + cachedMs;
    this.cache.set(name, { version, until, keys, room: entryRoom });
    try {
      const read = await keys;
      if (this.cache.get(name)?.keys === keys) {
        this.cache.set(name, { version, until, keys, room: roomOf(read) });
      }
      return read;
    } catch (error) {
      if (this.cache.get(name)?.keys === keys) this.cache.delete(name);
      throw error;
    }
  }

  /** In the helper process if the account is large. */
  private async read(caller: Caller, scope: EventScope): Promise<EventKeys> {
    const question = { endpoint: 'streamEvents', input: { query: { scope } } } as const;
    const answer = await this.answers.findNow(caller, question, async () =>
      dataOf(await findScopeItems(this.source, caller.accountId, scope)),
    );
    const json = jsonOf(answer);
    if (json === null) throw new Error('The items of an account are always there.');
    return eventKeys(JSON.parse(json) as EventItems);
  }
}

function roomOf(keys: EventKeys): number {
  let room = entryRoom;
  for (const kind of ['set', 'minifig'] as const) {
    for (const key of keys?.[kind] ?? []) room += keyRoom + key.length;
  }
  return room;
}
