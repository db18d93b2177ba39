/**
 * What is believed of an item: the logarithm of its value in the condition that is sold most
 * plainly (`a`), and of the ratio of the other condition to it (`r`), with how uncertain both are.
 * A Kalman filter in closed form; the robust parts around it are in the fold.
 */

/** Which condition a sale is in: the leading one shows `a`, the other `a + r`. */
export type Side = 'lead' | 'other';

/** The belief. It changes in place: a fold goes through thousands of sales. */
export class Belief {
  a: number;
  r: number;
  aa: number;
  ar = 0;
  rr: number;

  constructor(start: { a: number; aVariance: number; r: number; rVariance: number }) {
    this.a = start.a;
    this.r = start.r;
    this.aa = start.aVariance;
    this.rr = start.rVariance;
  }

  /** Time passes: values drift and become less certain. */
  drift(by: { a: number; r: number; aVariance: number; rVariance: number }): void {
    this.a += by.a;
    this.r += by.r;
    this.aa += by.aVariance;
    this.rr += by.rVariance;
  }

  expectedLog(side: Side): number {
    return side === 'lead' ? this.a : this.a + this.r;
  }

  variance(side: Side): number {
    return side === 'lead' ? this.aa : this.aa + 2 * this.ar + this.rr;
  }

  /** Makes the belief less certain, so that it follows the next sales faster. */
  loosen(by: { readonly aVariance: number; readonly rVariance: number }): void {
    this.aa += by.aVariance;
    this.rr += by.rVariance;
  }

  /** Takes a price in, given by how far it is from what was expected, and how far it scatters. */
  learn(side: Side, error: number, noiseVariance: number): void {
    const [ha, hr] = side === 'lead' ? [this.aa, this.ar] : [this.aa + this.ar, this.ar + this.rr];
    const total = this.variance(side) + noiseVariance;
    const [ka, kr] = [ha / total, hr / total];
    this.a += ka * error;
    this.r += kr * error;
    this.aa -= ka * ha;
    this.ar -= ka * hr;
    this.rr -= kr * hr;
  }
}
