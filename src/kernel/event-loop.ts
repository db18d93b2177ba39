/** Splits long work, so that the process can handle other events in between. */

/** Resolves after all pending events were handled. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
