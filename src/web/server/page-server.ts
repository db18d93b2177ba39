/** The page process, behind the `serve` process. */
import { serveSocket } from '../../http/process-socket.ts';
import type { WebDeps } from '../deps.ts';
import { makeWeb } from '../web.ts';
import { readForwarded } from './forwarded.ts';

export function servePages(
  deps: WebDeps,
  { socket, onFault }: { readonly socket: string; onFault(error: unknown): void },
): { stop(): Promise<void> } {
  const web = makeWeb(deps);
  const answer = (request: Request) => web(request, { ...readForwarded(request.headers), onFault });
  return serveSocket(socket, { answer, onFault });
}
