/**
 * Keeps connections from using up the process. Each takes a descriptor, whether or not it ever
 * asks for anything, and without a free one nobody else is let in. So too many from one network,
 * or in all, are ended, those first that have been silent longest. Streams of events are left
 * alone: each is paid for, and they have bounds of their own.
 */

import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import { type Connection, networkOf, trustedAddresses } from './network.ts';
import { openSockets, type Sockets } from './sockets.ts';

/** Connections of one network, unless it is that of a trusted proxy. */
export const networkConnectionsMax = 256;

/** Descriptors that connections leave to the store, to files, and to newcomers until a look. */
export const reservedDescriptors = 128;

/** More are not counted on, whatever the system allows. */
const descriptorsMax = 1_048_576;

/**
 * How often connections are looked at, and the part of the time that this takes at the most; and
 * the same right after some were ended, because whoever opened them may do so again.
 */
const calm = { everyMs: 250, share: 1 / 50 };
const alert = { everyMs: 25, share: 1 / 10 };

/** What the guard works with. */
export interface GuardSettings {
  /** Where the server listens. */
  readonly url: string;
  readonly trustedProxies: readonly string[];
  /** Whether a connection has a stream: those are counted, and bounded, where they are opened. */
  hasStream(connection: Connection): boolean;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** Guards the connections of a server for as long as the process lasts. */
export function guardConnections(settings: GuardSettings): void {
  const { log, metrics } = settings;
  const hasStream = (connection: Connection) => settings.hasStream(connection);
  // The usual port is left out of an address.
  const port = Number(new URL(settings.url).port || 80);
  const isTrusted = trustedAddresses(settings.trustedProxies);
  const boundedNetwork = (address: string) => (isTrusted(address) ? null : networkOf(address));
  const look = (sockets: Sockets) => {
    const started = performance.now();
    const ended = endTooMany(sockets, port, { networkOf: boundedNetwork, hasStream });
    metrics.connectionsEnded += ended;
    if (ended > 0) log.event('connections', { ended });
    const { everyMs, share } = ended > 0 ? alert : calm;
    lookIn(sockets, Math.max(everyMs, (performance.now() - started) / share));
  };
  const lookIn = (sockets: Sockets, ms: number) =>
    setTimeout(() => orLog(() => look(sockets)), ms).unref();
  // Where the system cannot be asked, that is said once, and the server goes on without a guard.
  const orLog = (step: () => void) => {
    try {
      step();
    } catch (error) {
      log.failure('connections', error);
    }
  };
  orLog(() => look(openSockets()));
}

/** What is known of connections. */
interface KnownConnections extends Pick<GuardSettings, 'hasStream'> {
  /** The network of an address; null for one that is trusted. */
  networkOf(address: string): string | null;
}

/** How many streams there may be: so many, and no more than half of what can be open at all. */
export function streamRoom(streamsMax: number): number {
  if (process.platform !== 'linux') return streamsMax;
  return Math.min(streamsMax, Math.floor(usableOf(openSockets().findDescriptorsMax()) / 2));
}

function usableOf(most: number): number {
  return most - Math.min(reservedDescriptors, most / 4);
}

/** Ends what is too many; how many those were. */
export function endTooMany(sockets: Sockets, port: number, known: KnownConnections): number {
  const most = Math.min(sockets.findDescriptorsMax(), descriptorsMax);
  const usable = usableOf(most);
  const listed = sockets.listDescriptors();
  const open = listed?.length ?? most;
  if (open <= Math.min(networkConnectionsMax, usable)) return 0;
  // Without the list every number is tried that a descriptor can have.
  const connections = sockets
    .listConnections(listed ?? numbersBelow(most), port)
    .filter((connection) => !known.hasStream(connection));
  const room = usable - (open - connections.length);
  const networks = Map.groupBy(connections, ({ address }) => known.networkOf(address));
  const isCrowded = [...networks].some(
    ([network, members]) => network !== null && members.length > networkConnectionsMax,
  );
  if (!isCrowded && connections.length <= room) return 0;
  const ended = chooseEnded(networks, {
    room,
    findSilentMs: ({ descriptor }) => sockets.findSilentMs(descriptor),
  });
  for (const { descriptor } of ended) sockets.end(descriptor);
  return ended.length;
}

function* numbersBelow(end: number): Generator<number> {
  for (let number = 0; number < end; number++) yield number;
}

/**
 * The connections to end: of each network those beyond its limit; and when there is still no room
 * for all, those of the networks that hold most. Within a network it is those that have been silent
 * longest. Trusted proxies, under null, come last: each connection of theirs is many people's.
 */
export function chooseEnded<T>(
  networks: ReadonlyMap<string | null, readonly T[]>,
  limits: { readonly room: number; findSilentMs(connection: T): number },
): T[] {
  const ranked = [...networks].flatMap(([network, members]) =>
    members
      .map((connection) => ({ connection, silentMs: limits.findSilentMs(connection) }))
      .sort((a, b) => a.silentMs - b.silentMs)
      // How many livelier ones its network has.
      .map((member, place) => ({ ...member, rank: network === null ? 0 : place })),
  );
  const isOver = ({ rank }: { readonly rank: number }) => rank >= networkConnectionsMax;
  const kept = ranked
    .filter((member) => !isOver(member))
    .sort((a, b) => a.rank - b.rank || a.silentMs - b.silentMs);
  const ended = [...ranked.filter(isOver), ...kept.slice(Math.max(0, limits.room))];
  return ended.map(({ connection }) => connection);
}
