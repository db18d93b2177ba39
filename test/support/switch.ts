/** A TCP proxy in front of a database, which can be redirected like a virtual IP at a failover. */
import { connect, createServer, type Socket } from 'node:net';

export interface Switch {
  readonly port: number;
  /** Redirects new connections to a port and closes existing ones. */
  to(port: number): void;
  /** Existing connections stay open but transfer nothing; new ones work. */
  silence(): void;
  /** The number of bytes received from the database. */
  received(): number;
  close(): Promise<void>;
}

export function startSwitch(first: number): Promise<Switch> {
  let target = first;
  const open = new Set<Socket>();
  let received = 0;
  const endAll = () => {
    for (const socket of open) socket.destroy();
  };
  const server = createServer((caller) => {
    const database = connect(target, '127.0.0.1');
    database.on('data', (bytes) => {
      received += bytes.length;
    });
    for (const [from, to] of [
      [caller, database],
      [database, caller],
    ] as const) {
      open.add(from);
      from.setNoDelay(true);
      from.on('error', () => {});
      from.on('close', () => {
        open.delete(from);
        to.destroy();
      });
      from.pipe(to);
    }
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve({
        port: typeof address === 'object' && address ? address.port : 0,
        to: (port) => {
          target = port;
          endAll();
        },
        silence: () => {
          for (const socket of open) socket.unpipe().removeAllListeners('data').pause();
        },
        received: () => received,
        close: async () => {
          endAll();
          server.close();
        },
      });
    });
  });
}
