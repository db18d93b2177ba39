/** The page process, behind the `serve` process. */
import { serveSocket } from '../../http/socket-server.ts';
import type { WebDeps } from '../deps.ts';
import { makeWeb } from '../web.ts';
import { readForwarded } from './forwarded.ts';

/** Answers page requests on a socket. */
export function servePages(
  deps: WebDeps,
  { socket, onFault }: { readonly socket: string; onFault(error: unknown): void },
): { stop(): Promise<void> } {
  const web = makeWeb(deps);
  const answer = (request: Request) => web(request, { ...readForwarded(request.headers), onFault });
  return serveSocket(socket, { answer, onFault });
}
