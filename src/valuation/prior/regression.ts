/**
 * A linear regression that wild examples cannot pull far (Huber's weights, found by repeated
 * least squares), and that stays near given coefficients where examples are few (ridge).
 */
import { solveSymmetric } from './cholesky.ts';

/** What a regression is made from. The order of the examples must be settled by the caller. */
export interface RegressionTask {
  /** One per coefficient: this feature of every example. */
  readonly features: readonly Float64Array[];
  readonly targets: Float64Array;
  /** How far each example scatters, relative to the others. */
  readonly noise: Float64Array;
  /** The coefficients that hold without examples. */
  readonly center: readonly number[];
  /** How many examples with a feature of 1 each of them is worth. */
  readonly ridge: readonly number[];
}

/** Residuals beyond this many deviations lose weight: 95 % as good as least squares at its best. */
const huberDeviations = 1.345;

const passesMax = 20;

/** Coefficients that move less than this (in logarithms) have been found. */
const tolerance = 1e-3;

/** Makes the median of absolute residuals a standard deviation. */
const deviationPerMedian = 1.4826;

/** Keeps weights finite when most residuals are zero. */
const deviationMin = 1e-6;

/** The coefficients, sought from some that may be near; the given ones without examples. */
export function fitRobustly(task: RegressionTask, near = task.center): readonly number[] {
  let coefficients = near;
  for (let pass = 0; pass < passesMax; pass++) {
    const residuals = residualsOf(task, coefficients);
    const change = step(task, { coefficients, residuals });
    if (change === null) break;
    coefficients = coefficients.map((value, j) => value + (change[j] ?? 0));
    if (change.every((value) => Math.abs(value) < tolerance)) break;
  }
  return coefficients;
}

/** What the coefficients leave unexplained. */
export function residualsOf(
  { features, targets }: RegressionTask,
  coefficients: readonly number[],
): Float64Array {
  const residuals = Float64Array.from(targets);
  for (const [j, feature] of features.entries()) {
    const coefficient = coefficients[j] ?? 0;
    for (let i = 0; i < residuals.length; i++) {
      residuals[i] = (residuals[i] ?? 0) - coefficient * (feature[i] ?? 0);
    }
  }
  return residuals;
}

/** The deviation of residuals around zero, in units of their noise, by their median size. */
export function deviationOf(residuals: Float64Array, noise: Float64Array): number {
  const sizes = new Float64Array(residuals.length);
  for (let i = 0; i < sizes.length; i++) sizes[i] = Math.abs(residuals[i] ?? 0) / (noise[i] ?? 1);
  return sizes.length === 0 ? 0 : deviationPerMedian * lowerMedian(sizes);
}

/** The median, the lower of two; reorders the values. Hoare's selection, as sorting is slow. */
function lowerMedian(values: Float64Array): number {
  const middle = (values.length - 1) >> 1;
  let low = 0;
  let high = values.length - 1;
  while (low < high) {
    const pivot = values[(low + high) >> 1] ?? 0;
    let up = low;
    let down = high;
    while (up <= down) {
      while ((values[up] ?? 0) < pivot) up++;
      while ((values[down] ?? 0) > pivot) down--;
      if (up > down) break;
      const held = values[up] ?? 0;
      values[up++] = values[down] ?? 0;
      values[down--] = held;
    }
    if (middle <= down) high = down;
    else if (middle >= up) low = up;
    else break;
  }
  return values[middle] ?? 0;
}

/** How a weighted least-squares step changes the coefficients; null when it cannot be made. */
function step(
  { features, noise, center, ridge }: RegressionTask,
  now: { readonly coefficients: readonly number[]; readonly residuals: Float64Array },
): Float64Array | null {
  const { coefficients, residuals } = now;
  const size = coefficients.length;
  const matrix = new Float64Array(size * size);
  const right = new Float64Array(size);
  const weights = weightsOf(residuals, noise);
  const weighted = new Float64Array(residuals.length);
  for (const [j, feature] of features.entries()) {
    const held = ridge[j] ?? 0;
    for (let i = 0; i < weighted.length; i++) weighted[i] = (weights[i] ?? 0) * (feature[i] ?? 0);
    right[j] = dot(weighted, residuals) + held * ((center[j] ?? 0) - (coefficients[j] ?? 0));
    for (const [k, other] of features.entries()) {
      if (k > j) break;
      matrix[j * size + k] = dot(weighted, other) + (k === j ? held : 0);
    }
  }
  return solveSymmetric({ matrix, right });
}

/** Huber's weights, over the square of the noise. */
function weightsOf(residuals: Float64Array, noise: Float64Array): Float64Array {
  const limit = huberDeviations * Math.max(deviationMin, deviationOf(residuals, noise));
  const weights = new Float64Array(residuals.length);
  for (let i = 0; i < weights.length; i++) {
    const scatter = noise[i] ?? 1;
    const size = Math.abs(residuals[i] ?? 0) / scatter;
    weights[i] = (size > limit ? limit / size : 1) / (scatter * scatter);
  }
  return weights;
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}
