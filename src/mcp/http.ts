/**
 * MCP over HTTP, in both generations of the protocol: each request is answered by a server of its
 * own, so that it does not matter which process a request comes to. Loaded with the first request.
 */
import { createMcpHandler } from '@modelcontextprotocol/server';
import { Brickmark } from '../client/index.ts';
import { makeMcpServer } from './server.ts';

/** Where nothing is ever sent: what answers is in this process. */
const inProcess = 'http://localhost';

/** A request whose key was looked at, and what it asks. */
export interface McpRequest {
  readonly request: Request;
  /** What was sent: a message, or an array of them. */
  readonly message: unknown;
  readonly key: string;
  readonly version: string;
  /** Calls the API. */
  fetch(url: string, init: RequestInit): Promise<Response>;
  /** Told what failed on our side. */
  onFault(error: unknown): void;
}

/** Answers a request. */
export async function answerMcp(asked: McpRequest): Promise<Response> {
  const { request, message, key, version, onFault } = asked;
  const makeClient = (signal: AbortSignal) =>
    new Brickmark({ url: inProcess, key, fetch: asked.fetch, retries: 0, signal });
  const { fetch } = createMcpHandler(() => makeMcpServer({ version, makeClient, onFault }), {
    // An answer is one message, and is here at once: nothing has to be kept alive.
    keepAliveMs: 0,
  });
  const answer = await fetch(request, { parsedBody: message });
  // All of it, so that it is known what it cost before any of it leaves.
  const body = await answer.bytes();
  const { status, headers } = answer;
  return new Response(body.length > 0 ? body : null, { status, headers });
}
