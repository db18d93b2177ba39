/** The process that makes pages, behind the one that callers reach. */
import { placeOf } from './page-place.ts';
import type { WebParts } from './parts.ts';
import { makeWeb } from './web.ts';

/** Answers requests for pages on a socket. */
export function servePages(
  parts: WebParts,
  settings: { readonly socket: string; onFault(error: unknown): void },
): { stop(): Promise<void> } {
  const { socket, onFault } = settings;
  const web = makeWeb(parts);
  const server = Bun.serve({
    unix: socket,
    development: false,
    fetch: (request) => web(request, { ...placeOf(request.headers), onFault }),
    error: (error) => {
      onFault(error);
      return new Response(null, { status: 500 });
    },
  });
  // The server that asks has ended, or sends nothing any more.
  return { stop: () => server.stop(true) };
}
