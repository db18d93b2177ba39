/** Settings of Bun for suites, but not for the programs that they start. */

/**
 * Suites seldom run long enough for the FTL compiler to pay off: without it they take a tenth less
 * CPU time.
 */
export const runnerSettings: Readonly<Record<string, string>> = { BUN_JSC_useFTLJIT: '0' };
