/** Nodes that fail in the middle of a request, to test how a proxy reacts. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FreeAnswers } from '../../src/http/free-answers.ts';
import { makeFront } from '../../src/web/server/front.ts';

export interface DyingNodes {
  readonly ports: readonly [number, number];
  /** How many times each path was requested and dropped. */
  readonly taken: ReadonlyMap<string, number>;
  close(): void;
}

/** Nodes that drop a connection without a response if the path contains `/lost`. */
export async function startDyingNodes(): Promise<DyingNodes> {
  const taken = new Map<string, number>();
  const servers = [makeDyingServer(taken), makeDyingServer(taken)];
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

/**
 * Nodes whose page process drops a connection without a response if the path contains `/lost`. The
 * first node has none while `isFirstAlone()`.
 */
export async function startNodesOfDyingPages(isFirstAlone: () => boolean): Promise<DyingNodes> {
  const taken = new Map<string, number>();
  const folder = mkdtempSync(join(tmpdir(), 'brickmark-dying-'));
  const socket = join(folder, 'pages');
  const pages = makeDyingServer(taken);
  await new Promise<void>((resolve) => pages.listen(socket, resolve));
  const nodes = [
    startFront(async () => (isFirstAlone() ? join(folder, 'nobody') : socket)),
    startFront(async () => socket),
  ];
  const [first = 0, second = 0] = nodes.map(({ port }) => port ?? 0);
  return {
    ports: [first, second],
    taken,
    close: () => {
      for (const node of nodes) node.stop(true);
      pages.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** A node that only passes page requests on. */
function startFront(socket: () => Promise<string>): Bun.Server<undefined> {
  const front = makeFront({
    pages: { socket, giveUp: () => {} },
    accounts: { findSignedIn: async () => null },
    freeAnswers: new FreeAnswers(() => performance.now()),
    clock: () => 0,
  });
  const context = { network: '127.0.0.1', url: 'http://here', onFault: () => {} };
  return Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: (request) =>
      new URL(request.url).pathname === '/readyz'
        ? new Response('{"status":"ready"}')
        : front(request, context),
  });
}

/** Responds with the request's `X-Forwarded-For`, and counts the requests that it drops. */
function makeDyingServer(taken: Map<string, number>): Server {
  return createServer((socket) => {
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
  });
}
