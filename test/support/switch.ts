/** One address in front of a database that is moved: what a virtual address does at a failover. */
import { connect, createServer, type Socket } from 'node:net';

/** A switch that listens. */
export interface Switch {
  readonly port: number;
  /** Sends new connections to a port, and ends those that lead elsewhere. */
  to(port: number): void;
  close(): Promise<void>;
}

/** Starts a switch that leads to a port. */
export function startSwitch(first: number): Promise<Switch> {
  let target = first;
  const open = new Set<Socket>();
  const endAll = () => {
    for (const socket of open) socket.destroy();
  };
  const server = createServer((caller) => {
    const database = connect(target, '127.0.0.1');
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
        close: async () => {
          endAll();
          server.close();
        },
      });
    });
  });
}
