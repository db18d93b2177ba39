/** How Bun runs suites, as opposed to the programs that they start. */

/**
 * Code of suites seldom runs long enough for the last of the compilers to be worth its time:
 * without it, suites take a tenth less of the processor.
 */
export const runnerSettings: Readonly<Record<string, string>> = { BUN_JSC_useFTLJIT: '0' };
