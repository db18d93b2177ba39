/** The response to a client that has disconnected. */

/** The status that web servers log for a closed connection. */
export const disconnectedStatus = 499;

/** Never reaches the client. */
export function respondDisconnected(): Response {
  return new Response(null, { status: disconnectedStatus });
}
