/** A server that has files at addresses, for whoever sends the headers that it wants. */
import type { SourceHandler } from './faults.ts';
import { answerFile, type StoredFile } from './stored-file.ts';

/** What it has, and for whom. */
export interface HttpWorld {
  /** The file at a path, as it is now; null when there is none. */
  findFile(path: string): StoredFile | null;
  /** Without these, the answer is 401. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The server. */
export function simulateHttp({ findFile, headers = {} }: HttpWorld): SourceHandler {
  return (request) => {
    const isKnown = Object.entries(headers).every(
      ([name, value]) => request.headers.get(name) === value,
    );
    if (!isKnown) {
      const type = { 'Content-Type': 'text/plain' };
      return new Response('Who are you?', { status: 401, headers: type });
    }
    return answerFile(request, findFile(new URL(request.url).pathname));
  };
}
