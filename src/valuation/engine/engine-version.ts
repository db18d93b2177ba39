/** The name of the method. */

/** Changed whenever the same rows and parameters would give another value. */
export const engineVersion = 'brickmark-1';
