/**
 * A two-dimensional Kalman filter in closed form: the log value in the leading condition (`a`), the
 * log ratio of the other condition to it (`r`), and their covariance. Outliers and level shifts are
 * handled in the fold.
 */

import type { StateReader, StateWriter } from './state-bytes.ts';

/** Sales in the leading condition observe `a`, others `a + r`. */
export type Side = 'lead' | 'other';

/** Mutable, because a fold processes thousands of sales. */
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

  static read(from: StateReader): Belief {
    const [a, r, aVariance, rVariance] = [
      from.number(),
      from.number(),
      from.number(),
      from.number(),
    ];
    const belief = new Belief({ a, aVariance, r, rVariance });
    belief.ar = from.number();
    return belief;
  }

  write(to: StateWriter): void {
    for (const value of [this.a, this.r, this.aa, this.rr, this.ar]) to.number(value);
  }

  /** Prediction step: adds drift and process noise. */
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

  /** Adds variance, so that the next sales have more weight. */
  loosen(by: { readonly aVariance: number; readonly rVariance: number }): void {
    this.aa += by.aVariance;
    this.rr += by.rVariance;
  }

  /** Update step with an innovation and the variance of the observation noise. */
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
