/** Requests whose sender has gone. */

/** What web servers log where the client has gone. */
export const goneStatus = 499;

/** The answer that nobody reads. */
export function respondGone(): Response {
  return new Response(null, { status: goneStatus });
}
