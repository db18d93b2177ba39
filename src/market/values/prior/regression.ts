/** Robust ridge regression (Huber weights by IRLS) that shrinks to given coefficients. */
import { solveSymmetric } from './cholesky.ts';

/** Sums depend on the order of examples in the last bits, so callers sort them. */
export interface RegressionTask {
  /** One array per coefficient. */
  readonly features: readonly Float64Array[];
  readonly targets: Float64Array;
  /** Relative standard deviation of each example. */
  readonly noise: Float64Array;
  /** The coefficients without examples. */
  readonly center: readonly number[];
  /** Pseudo-examples of each coefficient, for a feature of 1. */
  readonly ridge: readonly number[];
}

/** Huber's tuning constant: 95% efficiency for normal errors. */
const huberDeviations = 1.345;

const passesMax = 20;

/** Convergence tolerance (log). */
const tolerance = 1e-3;

/** Converts the median absolute residual to a standard deviation, for normal errors. */
const deviationPerMedian = 1.4826;

/** Keeps weights finite if most residuals are zero. */
const deviationMin = 1e-6;

/** Iterates from `near`, which is returned if singular; without examples, the center. */
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

/** Robust standard deviation around zero, in units of the noise. */
export function deviationOf(residuals: Float64Array, noise: Float64Array): number {
  const sizes = new Float64Array(residuals.length);
  for (let i = 0; i < sizes.length; i++) sizes[i] = Math.abs(residuals[i] ?? 0) / (noise[i] ?? 1);
  return sizes.length === 0 ? 0 : deviationPerMedian * lowerMedian(sizes);
}

/** The lower median by quickselect; reorders the values. */
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
      const swapped = values[up] ?? 0;
      values[up++] = values[down] ?? 0;
      values[down--] = swapped;
    }
    if (middle <= down) high = down;
    else if (middle >= up) low = up;
    else break;
  }
  return values[middle] ?? 0;
}

/** One weighted least squares step; null if it is singular. */
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
    const penalty = ridge[j] ?? 0;
    for (let i = 0; i < weighted.length; i++) weighted[i] = (weights[i] ?? 0) * (feature[i] ?? 0);
    right[j] = dot(weighted, residuals) + penalty * ((center[j] ?? 0) - (coefficients[j] ?? 0));
    for (const [k, other] of features.entries()) {
      if (k > j) break;
      matrix[j * size + k] = dot(weighted, other) + (k === j ? penalty : 0);
    }
  }
  return solveSymmetric({ matrix, right });
}

/** Huber weights divided by the squared noise. */
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
