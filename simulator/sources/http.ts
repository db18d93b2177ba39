/** Simulates a file server that requires headers. */
import type { SourceHandler } from './faults.ts';
import { answerFile, type StoredFile } from './stored-file.ts';

export interface HttpWorld {
  /** Null if there is none. */
  findFile(path: string): StoredFile | null;
  /** Requests without these get 401. */
  readonly headers?: Readonly<Record<string, string>>;
}

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
