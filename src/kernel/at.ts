/** Checked access to lists. */

/** The element at an index that must exist; throws if it does not. */
export function at<T>(list: ArrayLike<T>, index: number): T {
  const element = list[index];
  if (element === undefined) {
    throw new RangeError(`Index ${index} is outside of a list of ${list.length} elements.`);
  }
  return element;
}
