/** The version of the valuation method. */

/** Must change whenever the same rows and parameters would give another value. */
export const engineVersion = 'brickmark-7';
