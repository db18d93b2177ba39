/** The process that makes pages, behind the one that callers reach. */
import { serveSocket } from '../http/socket-server.ts';
import { placeOf } from './page-place.ts';
import type { WebParts } from './parts.ts';
import { makeWeb } from './web.ts';

/** Answers requests for pages on a socket. */
export function servePages(
  parts: WebParts,
  { socket, onFault }: { readonly socket: string; onFault(error: unknown): void },
): { stop(): Promise<void> } {
  const web = makeWeb(parts);
  const answer = (request: Request) => web(request, { ...placeOf(request.headers), onFault });
  return serveSocket(socket, { answer, onFault });
}
