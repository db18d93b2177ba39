/** Waiting that gives up after some time. */

/** The result of `work` if it comes in time; otherwise it throws this error and stops waiting. */
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
