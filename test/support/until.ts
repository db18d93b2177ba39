/** Waiting for what another process does. */

/** Resolves once something is so; throws when it is not within the time. */
export async function until(isSo: () => boolean, withinMs = 5_000): Promise<void> {
  for (const end = performance.now() + withinMs; !isSo(); await Bun.sleep(10)) {
    if (performance.now() > end) throw new Error(`Not so within ${withinMs} ms: ${isSo}`);
  }
}
