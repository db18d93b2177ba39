/** The name of the valuation method. */

/** Changes whenever the same rows and parameters would give another value. */
export const engineVersion = 'brickmark-2';
