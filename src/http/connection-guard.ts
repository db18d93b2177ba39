/**
 * Keeps idle connections from exhausting file descriptors, without which no new connection can be
 * accepted. Connections over the limit, per network or in total, are closed, the longest idle
 * first. Event streams are exempt: they are charged, and have their own limit.
 */

import { addressList } from '../accounts/people/network.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import { type Connection, networkOf } from './network.ts';
import { openSockets, type Sockets } from './open-sockets.ts';

/** Connections per network, except of trusted proxies. */
export const networkConnectionsMax = 256;

/** Descriptors reserved for the store, for files, and for new connections between checks. */
export const reservedDescriptors = 128;

/** An upper bound, whatever the system allows. */
const descriptorsMax = 1_048_576;

/**
 * Interval of checks, and the maximum share of time they take; the second applies right after
 * connections were ended, because they may be opened again.
 */
const calm = { everyMs: 250, share: 1 / 50 };
const alert = { everyMs: 25, share: 1 / 10 };

export interface GuardSettings {
  readonly url: string;
  readonly trustedProxies: readonly string[];
  /** Connections with a stream are limited where streams are opened. */
  hasStream(connection: Connection): boolean;
  readonly log: Log;
  readonly metrics: Metrics;
}

/** Runs until the process exits. */
export function guardConnections(settings: GuardSettings): void {
  const { log, metrics } = settings;
  const hasStream = (connection: Connection) => settings.hasStream(connection);
  // URLs omit the default port.
  const port = Number(new URL(settings.url).port || 80);
  const isTrusted = addressList(settings.trustedProxies);
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
  // If the system cannot be asked, this is logged once, and the server runs without a guard.
  const orLog = (step: () => void) => {
    try {
      step();
    } catch (error) {
      log.failure('connections', error);
    }
  };
  orLog(() => look(openSockets()));
}

interface KnownConnections extends Pick<GuardSettings, 'hasStream'> {
  /** Null: a trusted address. */
  networkOf(address: string): string | null;
}

/** The limit of streams: `streamsMax`, but at most half of all connections. */
export function streamRoom(streamsMax: number): number {
  if (process.platform !== 'linux') return streamsMax;
  return Math.min(streamsMax, Math.floor(usableOf(openSockets().findDescriptorsMax()) / 2));
}

function usableOf(most: number): number {
  return most - Math.min(reservedDescriptors, most / 4);
}

/** Returns the number of connections ended. */
export function endTooMany(sockets: Sockets, port: number, known: KnownConnections): number {
  const most = Math.min(sockets.findDescriptorsMax(), descriptorsMax);
  const usable = usableOf(most);
  const listed = sockets.listDescriptors();
  const open = listed?.length ?? most;
  if (open <= Math.min(networkConnectionsMax, usable)) return 0;
  // Without the list, all possible descriptors are tried.
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
 * The connections to end: those over the limit of their network; then, if there are still too many,
 * those of the networks with the most. Within a network, the longest idle ones first. Trusted
 * proxies (null) come last, because each of their connections serves many people.
 */
export function chooseEnded<T>(
  networks: ReadonlyMap<string | null, readonly T[]>,
  limits: { readonly room: number; findSilentMs(connection: T): number },
): T[] {
  const ranked = [...networks].flatMap(([network, members]) =>
    members
      .map((connection) => ({ connection, silentMs: limits.findSilentMs(connection) }))
      .sort((a, b) => a.silentMs - b.silentMs)
      // The number of more recently active connections of its network.
      .map((member, index) => ({ ...member, rank: network === null ? 0 : index })),
  );
  const isOver = ({ rank }: { readonly rank: number }) => rank >= networkConnectionsMax;
  const kept = ranked
    .filter((member) => !isOver(member))
    .sort((a, b) => a.rank - b.rank || a.silentMs - b.silentMs);
  const ended = [...ranked.filter(isOver), ...kept.slice(Math.max(0, limits.room))];
  return ended.map(({ connection }) => connection);
}
