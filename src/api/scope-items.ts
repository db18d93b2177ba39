/** The items whose events an account asks for: what it holds or watches, as things stand. */
import { findScopeItems, type ScopeSource } from '../accounts/scope-items.ts';
import type { Caller } from '../domain/account/quota.ts';
import type { EventScope } from '../domain/delivery/channel.ts';
import { BoundedMap, entryRoom } from '../domain/kernel/bounded-map.ts';
import { type Clock, minuteMs } from '../domain/kernel/time.ts';
import { type EventItems, type EventKeys, eventKeys } from '../domain/market/events.ts';
import { jsonOf } from './handler.ts';
import type { PrivateAnswers } from './private-answers.ts';

/** How long items are kept: what else an item is called may change without its account. */
const keptMs = minuteMs;

/** What is kept, in characters: some hundred thousand keys. */
const keptRoomMax = 16 * 1024 * 1024;

/** What a key takes besides its characters. */
const keyRoom = 40;

interface Kept {
  readonly version: number;
  readonly until: number;
  readonly keys: Promise<EventKeys>;
  readonly room: number;
}

/** Keeps the items of accounts with open streams until the accounts change. */
export class ScopeItems {
  private readonly kept = new BoundedMap<Kept>(keptRoomMax, ({ room }) => room);

  constructor(
    private readonly answers: Pick<PrivateAnswers, 'findNow'>,
    private readonly source: ScopeSource,
    /** Milliseconds that only ever go on. */
    private readonly elapsed: Clock,
  ) {}

  /** The items of a scope as the caller's account is now, by the version that the caller has. */
  async find(caller: Caller, scope: EventScope): Promise<EventKeys> {
    if (scope === 'all') return null;
    const { privateVersion: version } = caller;
    const name = `${caller.accountId} ${scope}`;
    const known = this.kept.get(name);
    const now = this.elapsed();
    if (known && known.version >= version && now < known.until) return known.keys;
    // Whoever asks meanwhile waits for the same.
    const keys = this.read(caller, scope);
    const until = now + keptMs;
    this.kept.set(name, { version, until, keys, room: entryRoom });
    try {
      const read = await keys;
      if (this.kept.get(name)?.keys === keys) {
        this.kept.set(name, { version, until, keys, room: roomOf(read) });
      }
      return read;
    } catch (error) {
      if (this.kept.get(name)?.keys === keys) this.kept.delete(name);
      throw error;
    }
  }

  /** Read where that holds nobody up: an account may hold very much. */
  private async read(caller: Caller, scope: EventScope): Promise<EventKeys> {
    const question = { endpoint: 'streamEvents', input: { query: { scope } } } as const;
    const answer = await this.answers.findNow(caller, question, async () =>
      JSON.stringify(await findScopeItems(this.source, caller.accountId, scope)),
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
