/** Solves small symmetric positive definite systems. */

/** `matrix · x = right`, with the matrix in row-major order. */
export interface SymmetricSystem {
  /** Only the lower triangle is read. */
  readonly matrix: Float64Array;
  readonly right: Float64Array;
}

/** By Cholesky decomposition; null if the matrix is not positive definite. */
export function solveSymmetric({ matrix, right }: SymmetricSystem): Float64Array | null {
  const size = right.length;
  const lower = decompose(matrix, size);
  if (lower === null) return null;
  const at = (row: number, column: number) => lower[row * size + column] ?? 0;
  const x = Float64Array.from(right);
  for (let row = 0; row < size; row++) {
    let rest = x[row] ?? 0;
    for (let k = 0; k < row; k++) rest -= at(row, k) * (x[k] ?? 0);
    x[row] = rest / at(row, row);
  }
  for (let row = size - 1; row >= 0; row--) {
    let rest = x[row] ?? 0;
    for (let k = row + 1; k < size; k++) rest -= at(k, row) * (x[k] ?? 0);
    x[row] = rest / at(row, row);
  }
  return x;
}

function decompose(matrix: Float64Array, size: number): Float64Array | null {
  const lower = new Float64Array(size * size);
  const at = (row: number, column: number) => lower[row * size + column] ?? 0;
  for (let row = 0; row < size; row++) {
    for (let column = 0; column <= row; column++) {
      let rest = matrix[row * size + column] ?? 0;
      for (let k = 0; k < column; k++) rest -= at(row, k) * at(column, k);
      if (row === column && !(rest > 0)) return null;
      lower[row * size + column] = row === column ? Math.sqrt(rest) : rest / at(column, column);
    }
  }
  return lower;
}
