/**
 * How long a box takes to sell. The wait for the last unit of its slowest item says little: a
 * minifig of $2 may take ten years. What matters is when most of the value is sold.
 */

/** Units of one item. */
export interface WaitingUnits {
  readonly quantity: number;
  readonly unitCents: number;
  /** The median days until the nth unit is sold. */
  readonly medianDays: (unit: number) => number;
}

/** The share of the value that counts as most of it. */
export const mostShare = 0.8;

/** The expected share of the value that is sold after some days; 0 if there is none. */
export function expectedSoldShare(units: readonly WaitingUnits[], days: number): number {
  return soldShare(units.flatMap(partsOf), days);
}

/** Days until a share of the value can be expected to be sold; null if there is no value. */
export function soldShareDays(units: readonly WaitingUnits[], share = mostShare): number | null {
  const parts = units.flatMap(partsOf);
  if (!parts.some(({ cents }) => cents > 0)) return null;
  let [low, high] = [0, 1];
  while (soldShare(parts, high) < share && high < daysMax) high *= 2;
  for (let step = 0; step < bisections; step++) {
    const middle = (low + high) / 2;
    if (soldShare(parts, middle) < share) low = middle;
    else high = middle;
  }
  return high;
}

/** Waits that are longer do not end. */
const daysMax = 2 ** 20;

const bisections = 40;

/** Units of one item that are taken to be sold at the same time. */
interface Part {
  readonly cents: number;
  readonly medianDays: number;
  /** The nth unit comes after n sales, whose time varies less than that of one: as 1/√n. */
  readonly steepness: number;
}

/** An item with more units has this many parts. */
const partsMax = 10;

function partsOf({ quantity, unitCents, medianDays }: WaitingUnits): Part[] {
  const count = Math.min(quantity, partsMax);
  const size = quantity / count;
  return Array.from({ length: count }, (_, index) => {
    const middle = (index + 0.5) * size + 0.5;
    const days = medianDays(middle);
    return { cents: size * unitCents, medianDays: days, steepness: Math.sqrt(middle) };
  });
}

/** The time of a sale has a Weibull distribution; for a first unit, this is the exponential one. */
function soldShare(parts: readonly Part[], days: number): number {
  let [sold, all] = [0, 0];
  for (const { cents, medianDays, steepness } of parts) {
    sold += cents * (1 - 2 ** -((days / medianDays) ** steepness));
    all += cents;
  }
  return all === 0 ? 0 : sold / all;
}
