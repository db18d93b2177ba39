/** Servers that drop connections in the middle of a request, to test how a proxy reacts. */
import { createServer } from 'node:net';

export interface DyingNodes {
  readonly ports: readonly [number, number];
  /** How many times each path was requested and dropped. */
  readonly taken: ReadonlyMap<string, number>;
  close(): void;
}

/**
 * Responds with the request's `X-Forwarded-For`; closes the connection without a response if the
 * path contains `/lost`.
 */
export async function startDyingNodes(): Promise<DyingNodes> {
  const taken = new Map<string, number>();
  const servers = [1, 2].map(() =>
    createServer((socket) => {
      socket.on('error', () => {});
      socket.on('data', (bytes) => {
        const head = bytes.toString();
        const path = / (\S+) HTTP\/1/.exec(head)?.[1] ?? '';
        if (!path.includes('/lost')) {
          const told = [...head.matchAll(/^x-forwarded-for: *(.*?)\r$/gim)].map((m) => m[1]).join();
          socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${told.length}\r\n\r\n${told}`);
          return;
        }
        taken.set(path, (taken.get(path) ?? 0) + 1);
        socket.destroy();
      });
    }),
  );
  const listening = servers.map(
    (server) =>
      new Promise<number>((resolve) => {
        server.listen(0, '127.0.0.1', () => {
          const address = server.address();
          resolve(typeof address === 'object' && address ? address.port : 0);
        });
      }),
  );
  const [first = 0, second = 0] = await Promise.all(listening);
  return {
    ports: [first, second],
    taken,
    close: () => {
      for (const server of servers) server.close();
    },
  };
}
