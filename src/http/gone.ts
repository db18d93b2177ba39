/** Requests whose sender has gone. */

/** What web servers log where the client has gone; nobody reads the answer. */
export const goneStatus = 499;
