/** Long work in steps: whoever else waits for this process has their turn in between. */

/** Resolves once everything that has arrived meanwhile is attended to. */
export function breathe(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
