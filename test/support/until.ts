/** Waiting in tests: for a condition, never for a length of time. */

/** When a wait is given up: far beyond what a busy machine needs, but before its test is. */
const giveUpMs = 150_000;

/** How soon the condition is checked again: later each time, since checking may be expensive. */
const checkMs = { first: 2, growth: 1.25, most: 50 };

/** Resolves once the condition holds; otherwise throws, with what it waited for. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  what: string | (() => string) = String(condition),
): Promise<void> {
  const end = performance.now() + giveUpMs;
  for (let ms = checkMs.first; !(await condition()); ms *= checkMs.growth) {
    if (performance.now() > end) {
      const waitedFor = typeof what === 'string' ? what : what();
      throw new Error(`Waited in vain for ${giveUpMs / 1000} s: ${waitedFor}`);
    }
    await Bun.sleep(Math.min(ms, checkMs.most));
  }
}
