/** Waiting for what another process does. */

/** Resolves once something is so; throws when it is not within the time. */
export async function until(isSo: () => boolean, withinMs: number): Promise<void> {
  for (const end = performance.now() + withinMs; !isSo(); await Bun.sleep(50)) {
    if (performance.now() > end) throw new Error(`Not so within ${withinMs} ms: ${isSo}`);
  }
}
