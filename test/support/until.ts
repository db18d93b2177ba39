/** Waits in tests for a condition, never for a fixed time. */

/** Far longer than a busy machine needs, but shorter than the timeout of a test. */
const giveUpMs = 150_000;

/** The interval grows, since checking may be expensive. */
const checkMs = { first: 2, growth: 1.25, most: 50 };

/** Resolves once the condition holds; throws a description of it on timeout. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  what: string | (() => string) = String(condition),
): Promise<void> {
  const end = performance.now() + giveUpMs;
  for (let ms = checkMs.first; !(await condition()); ms *= checkMs.growth) {
    if (performance.now() > end) {
      const waitedFor = typeof what === 'string' ? what : what();
      throw new Error(`Timed out after ${giveUpMs / 1000} s: ${waitedFor}`);
    }
    await Bun.sleep(Math.min(ms, checkMs.most));
  }
}
