/** Ports for servers whose place has to be known before they start. */
import { createServer } from 'node:net';

/**
 * Below those that the system gives to connections on their way out: one of them could take the
 * port between this look and the server's start.
 */
const range = { first: 20_000, count: 12_000 };

/** A port that nobody listens on. */
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
