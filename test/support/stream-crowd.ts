/** Many concurrent streams with readers that only count events, to keep the client cheap. */

import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { plusPrefix } from '../../src/contract/limits.ts';

export interface StreamCrowd {
  /** The number of log events that each stream has read, in order of opening. */
  readonly counts: readonly number[];
  /** When any of them last read an event, by `performance.now`. */
  lastAt(): number;
  /** The number of closed connections. */
  countEnded(): number;
  close(): void;
}

export interface CrowdMember {
  readonly key: string;
  /** Without the question mark. */
  readonly query: string;
}

/** Log events have a dot in their names; control events do not. */
const eventLine = /\nevent: \w+\.\w+\n/g;

/** Opens streams in groups of `atOnce`; resolves once all have received their position. */
export async function openCrowd(
  url: string,
  members: readonly CrowdMember[],
  atOnce = 50,
): Promise<StreamCrowd> {
  const counts = members.map(() => 0);
  const sockets: Socket[] = [];
  let ended = 0;
  let lastAt = 0;
  const join = ({ key, query }: CrowdMember, index: number) =>
    new Promise<void>((resolve, reject) => {
      const { hostname, port } = new URL(url);
      const socket = connect(Number(port), hostname);
      sockets.push(socket);
      let rest = '';
      socket.on('data', (chunk) => {
        const text = rest + chunk.toString('latin1');
        const found = [...text.matchAll(eventLine)];
        counts[index] = (counts[index] ?? 0) + found.length;
        if (found.length > 0) lastAt = performance.now();
        const last = found.at(-1);
        // Keeps the end, which may be the start of another event.
        rest = text.slice(last ? last.index + last[0].length - 1 : 0).slice(-100);
        if (text.includes('event: position')) resolve();
        else if (text.includes('"error"')) reject(new Error(text));
      });
      socket.on('error', reject);
      socket.on('close', () => {
        ended++;
        reject(new Error('It was ended.'));
      });
      socket.write(
        `GET ${plusPrefix}/events/stream?${query} HTTP/1.1\r\nHost: x\r\n` +
          `Authorization: Bearer ${key}\r\n\r\n`,
      );
    });
  for (let from = 0; from < members.length; from += atOnce) {
    const group = members.slice(from, from + atOnce);
    await Promise.all(group.map((member, index) => join(member, from + index)));
  }
  return {
    counts,
    lastAt: () => lastAt,
    countEnded: () => ended,
    close: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** Current and peak memory and CPU time of a process. */
export function usageOf(pid: number): { rssMb: number; peakMb: number; cpuSeconds: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const kilobytes = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]);
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const [user = 0, system = 0] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number);
  return {
    rssMb: kilobytes('VmRSS') / 1024,
    peakMb: kilobytes('VmHWM') / 1024,
    cpuSeconds: (user + system) / 100,
  };
}
