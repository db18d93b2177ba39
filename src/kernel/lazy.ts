/** Values that are expensive to create and not always needed, created on first use. */

/** Creates a value on the first call, and returns the same one afterwards. */
export function lazy<T>(make: () => T): () => T {
  let created: { readonly value: T } | null = null;
  return () => {
    created ??= { value: make() };
    return created.value;
  };
}
