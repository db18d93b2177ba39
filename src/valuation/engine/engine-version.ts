/** The names of the method, now and before. */

/** Changed whenever the same rows and parameters would give another value. */
export const engineVersion = 'brickmark-2';

/** Methods of before, whose months and parameters may be sealed in a store. */
export const olderEngines = ['brickmark-1'] as const;

/** A method that made months which may be in a store. */
export type EngineName = typeof engineVersion | (typeof olderEngines)[number];
