/** Long work in steps: whatever else waits for this process gets its turn in between. */

/** Resolves once everything that has arrived meanwhile is handled. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
