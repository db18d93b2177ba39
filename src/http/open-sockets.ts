/**
 * The connections of this process, from the operating system: Bun reports a connection only after a
 * complete request. Linux only.
 */
import { dlopen } from 'bun:ffi';
import { readdirSync } from 'node:fs';

export interface OpenConnection {
  readonly descriptor: number;
  /** The remote address; IPv4 if possible. */
  readonly address: string;
  readonly port: number;
}

export interface Sockets {
  /** The descriptor limit of the process; infinite if unknown. */
  findDescriptorsMax(): number;
  /** Open descriptors; null if none is left to list them. */
  listDescriptors(): number[] | null;
  /** Connections to a local port, among these descriptors. */
  listConnections(descriptors: Iterable<number>, port: number): OpenConnection[];
  /** Time since anything was sent or received. */
  findSilentMs(descriptor: number): number;
  /** Shuts down both directions; Bun notices and closes it. */
  end(descriptor: number): void;
}

/** Constants from Linux headers. */
const afInet = 2;
const afInet6 = 10;
const ipprotoTcp = 6;
const tcpInfo = 11;
const shutReadWrite = 2;
const rlimitNoFile = 7;

/** Offsets in `struct tcp_info`: milliseconds since the last data was sent, and received. */
const lastSentAt = 44;
const lastReceivedAt = 52;

/** Larger than any address, and than the part of `tcp_info` that is read. */
const bufferBytes = 128;

/** Throws if the system has no such functions. */
export function openSockets(): Sockets {
  if (process.platform !== 'linux') throw new Error('This is not Linux.');
  const system = dlopen('libc.so.6', {
    getsockname: { args: ['i32', 'ptr', 'ptr'], returns: 'i32' },
    getpeername: { args: ['i32', 'ptr', 'ptr'], returns: 'i32' },
    getsockopt: { args: ['i32', 'i32', 'i32', 'ptr', 'ptr'], returns: 'i32' },
    shutdown: { args: ['i32', 'i32'], returns: 'i32' },
    getrlimit: { args: ['i32', 'ptr'], returns: 'i32' },
  }).symbols;
  const buffer = new Uint8Array(bufferBytes);
  const view = new DataView(buffer.buffer);
  const length = new Uint32Array(1);
  const isRead = (ask: () => number) => {
    length[0] = bufferBytes;
    return ask() === 0;
  };
  const listConnections = (descriptors: Iterable<number>, port: number): OpenConnection[] => {
    const found: OpenConnection[] = [];
    for (const descriptor of descriptors) {
      const isOurs =
        isRead(() => system.getsockname(descriptor, buffer, length)) && portOf(view) === port;
      // The listening socket has no remote side.
      if (!isOurs || !isRead(() => system.getpeername(descriptor, buffer, length))) continue;
      found.push({ descriptor, address: addressOf(view), port: portOf(view) ?? 0 });
    }
    return found;
  };
  return {
    listConnections,
    listDescriptors,
    findDescriptorsMax: () => {
      const isKnown = system.getrlimit(rlimitNoFile, buffer) === 0;
      return isKnown ? Number(view.getBigUint64(0, true)) : Number.POSITIVE_INFINITY;
    },
    findSilentMs: (descriptor) => {
      const ask = () => system.getsockopt(descriptor, ipprotoTcp, tcpInfo, buffer, length);
      if (!isRead(ask)) return 0;
      return Math.min(view.getUint32(lastSentAt, true), view.getUint32(lastReceivedAt, true));
    },
    end: (descriptor) => void system.shutdown(descriptor, shutReadWrite),
  };
}

/** Listing the folder takes a descriptor too. */
function listDescriptors(): number[] | null {
  try {
    return readdirSync('/proc/self/fd').map(Number);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EMFILE' || code === 'ENFILE') return null;
    throw error;
  }
}

/** The port in a `sockaddr`; null if it is not an internet address. */
export function portOf(view: DataView): number | null {
  const family = view.getUint16(0, true);
  return family === afInet || family === afInet6 ? view.getUint16(2) : null;
}

/** The address in a `sockaddr`. */
export function addressOf(view: DataView): string {
  if (view.getUint16(0, true) === afInet) return dotted(view, 4);
  const groups = Array.from({ length: 8 }, (_, index) => view.getUint16(8 + index * 2));
  const isMapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
  return isMapped ? dotted(view, 20) : groups.map((group) => group.toString(16)).join(':');
}

function dotted(view: DataView, at: number): string {
  return [0, 1, 2, 3].map((index) => view.getUint8(at + index)).join('.');
}
