/** Waiting for what another process does. */

/** Resolves once something is so; throws when it is not within a time that suits busy machines. */
export async function until(isSo: () => boolean, withinMs = 30_000): Promise<void> {
  for (const end = performance.now() + withinMs; !isSo(); await Bun.sleep(10)) {
    if (performance.now() > end) throw new Error(`Not so within ${withinMs} ms: ${isSo}`);
  }
}
