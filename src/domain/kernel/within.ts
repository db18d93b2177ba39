/** Waiting that has an end. */

/** What `work` comes to in time; else it fails with this fault, and is waited for no longer. */
export async function within<T>(
  work: PromiseLike<T>,
  ms: number,
  makeFault: () => Error,
): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(makeFault()), ms);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
