/** Ports for servers with an address that must be known before they start. */
import { createServer } from 'node:net';

/**
 * Below the ephemeral ports, which the system could give to an outgoing connection between this
 * check and the start of the server.
 */
const range = { first: 20_000, count: 12_000 };

export async function freePort(): Promise<number> {
  for (;;) {
    const port = range.first + Math.floor(Math.random() * range.count);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
