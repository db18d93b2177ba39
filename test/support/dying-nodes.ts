/** Nodes that die with a request in their hands, to see what a proxy does with it. */
import { createServer } from 'node:net';

/** Two of them, and what they have taken. */
export interface DyingNodes {
  readonly ports: readonly [number, number];
  /** How often each path was taken whose request was lost. */
  readonly taken: ReadonlyMap<string, number>;
  close(): void;
}

/**
 * Tells whoever asks what its `X-Forwarded-For` was, and keeps the connection; but ends it without
 * an answer for `/…/lost…`.
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
