/** Reproducible random numbers by seed and name. */

/**
 * A random stream (sfc32). Every simulated item has its own named stream, so that drawing more for
 * one does not change another.
 */
export class Random {
  private a: number;
  private b: number;
  private c: number;
  private counter = 1;

  constructor(seed: number, ...names: readonly (string | number)[]) {
    const text = `${seed}/${names.join('/')}`;
    this.a = hashText(text, 0x9e3779b9);
    this.b = hashText(text, 0x243f6a88);
    this.c = hashText(text, 0xb7e15162);
    for (let round = 0; round < warmUpRounds; round++) this.fraction();
  }

  /** In [0, 1). */
  fraction(): number {
    const sum = (this.a + this.b + this.counter) | 0;
    this.counter = (this.counter + 1) | 0;
    this.a = this.b ^ (this.b >>> 9);
    this.b = (this.c + (this.c << 3)) | 0;
    this.c = (((this.c << 21) | (this.c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  }

  /** In [low, high). */
  between(low: number, high: number): number {
    return low + this.fraction() * (high - low);
  }

  /** An integer in [0, limit). */
  below(limit: number): number {
    return Math.floor(this.fraction() * limit);
  }

  chance(probability: number): boolean {
    return this.fraction() < probability;
  }

  /** The list must not be empty. */
  pick<T>(items: readonly T[]): T {
    return present(items[this.below(items.length)]);
  }

  pickWeighted<T extends { readonly weight: number }>(items: readonly T[]): T {
    let left = this.fraction() * items.reduce((sum, item) => sum + item.weight, 0);
    for (const item of items) {
      left -= item.weight;
      if (left < 0) return item;
    }
    return present(items[items.length - 1]);
  }

  normal(mean: number, deviation: number): number {
    const radius = Math.sqrt(-2 * Math.log(1 - this.fraction()));
    return mean + deviation * radius * Math.cos(2 * Math.PI * this.fraction());
  }

  logNormal(median: number, deviation: number): number {
    return median * Math.exp(this.normal(0, deviation));
  }

  exponential(mean: number): number {
    return -mean * Math.log(1 - this.fraction());
  }

  /** Student's t with four degrees of freedom. */
  heavyTailed(): number {
    const halfChiSquare = -Math.log((1 - this.fraction()) * (1 - this.fraction()));
    return this.normal(0, 1) / Math.sqrt(halfChiSquare / 2 + Number.EPSILON);
  }

  /** Laplace distribution with mean zero, by standard deviation. */
  laplace(deviation: number): number {
    const distance = this.exponential(deviation / Math.SQRT2);
    return this.chance(0.5) ? distance : -distance;
  }

  poisson(mean: number): number {
    if (mean > exactPoissonMax) return Math.max(0, Math.round(this.normal(mean, Math.sqrt(mean))));
    const limit = Math.exp(-mean);
    let count = 0;
    for (let product = this.fraction(); product > limit; product *= this.fraction()) count++;
    return count;
  }

  shuffle<T>(items: readonly T[]): T[] {
    const keyed = items.map((item) => ({ item, key: this.fraction() }));
    return keyed.sort((x, y) => x.key - y.key).map(({ item }) => item);
  }
}

/** Similar seeds diverge after a few rounds. */
const warmUpRounds = 12;

/** Above this, a normal approximation is used. */
const exactPoissonMax = 60;

/** FNV-1a with a final mix, 32 bits. */
export function hashText(text: string, start: number): number {
  let hash = start;
  for (let i = 0; i < text.length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}

function present<T>(item: T | undefined): T {
  if (item === undefined) throw new Error('There is nothing to pick from.');
  return item;
}
