/** Timeouts. */

/** The result of `work`; throws the error after the timeout. */
export async function withTimeout<T>(
  work: PromiseLike<T>,
  ms: number,
  makeError: () => Error,
): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(makeError()), ms);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
