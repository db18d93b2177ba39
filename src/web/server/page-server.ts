/** The page process, behind the `serve` process. */
import { serveSocket } from '../../http/process-socket.ts';
import type { WebDeps } from '../page.ts';
import { makeWeb } from '../web.ts';
import { readForwarded } from './forwarded.ts';

/** Visited before the first visitor comes, because code is slow when it first runs. */
const firstPages = ['/', '/market?q=castle', '/sign-in'];

export function servePages(
  deps: WebDeps,
  { socket, onFault }: { readonly socket: string; onFault(error: unknown): void },
): { warm(): Promise<void>; stop(): Promise<void> } {
  const web = makeWeb(deps);
  const answer = (request: Request) => web(request, { ...readForwarded(request.headers), onFault });
  const { stop } = serveSocket(socket, { answer, onFault });
  const warm = async () => {
    const url = 'http://localhost';
    const facts = { network: 'localhost', host: null, url, onFault };
    for (const path of firstPages) await (await web(new Request(url + path), facts)).text();
  };
  return { warm, stop };
}
