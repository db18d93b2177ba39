/**
 * MCP over HTTP, in both generations of the protocol. Each request gets a new server, so that any
 * process can handle it. Loaded with the first request.
 */
import { createMcpHandler } from '@modelcontextprotocol/server';
import { Brickmark } from '../../clients/typescript/src/index.ts';
import type { Payment } from './call.ts';
import { makeMcpServer } from './server.ts';

/** A placeholder: requests are handled in this process. */
const inProcess = 'http://localhost';

/** An authenticated request. */
export interface McpRequest {
  readonly request: Request;
  /** A message, or an array of messages. */
  readonly message: unknown;
  readonly key: string;
  readonly version: string;
  openBill(): McpBill;
  onFault(error: unknown): void;
}

/** Makes the calls of one tool, and charges them together. */
export interface McpBill {
  fetch(url: string, init: RequestInit): Promise<Response>;
  /** Null if there were no calls. */
  pay(): Promise<Payment | null>;
}

export async function answerMcp(call: McpRequest): Promise<Response> {
  const { request, message, key, version, onFault } = call;
  const makeClient = (signal: AbortSignal) => {
    const bill = call.openBill();
    const fetch = (url: string, init: RequestInit) => bill.fetch(url, init);
    // A tool that waits would hold its slot.
    const patience = { retries: 0, waitForReset: false };
    const brickmark = new Brickmark({ url: inProcess, key, fetch, signal, ...patience });
    return { brickmark, pay: () => bill.pay() };
  };
  const { fetch } = createMcpHandler(() => makeMcpServer({ version, makeClient, onFault }), {
    // The response is a single message, available at once.
    keepAliveMs: 0,
  });
  const answer = await fetch(request, { parsedBody: message });
  // Read completely, so that the cost is known before anything is sent.
  const body = await answer.bytes();
  const { status, headers } = answer;
  return new Response(body.length > 0 ? body : null, { status, headers });
}
