/** The response to a client that has disconnected. */
import type { IncomingRequest, ReportRequest } from './request-outcome.ts';

/** The status that web servers log for a closed connection. */
export const disconnectedStatus = 499;

export function answerDisconnected(call: IncomingRequest, report: ReportRequest): Response {
  report(call, { status: disconnectedStatus, code: null, cost: 0, caller: null, body: '' });
  return respondDisconnected();
}

/** Never reaches the client. */
export function respondDisconnected(): Response {
  return new Response(null, { status: disconnectedStatus });
}
