/** Work that is done a few at a time, in order. */

/** Makes what lets so many works run at once; the others wait for their turn. */
export function makeTurns(atOnce: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await work();
    } finally {
      // Whoever is next takes the place over.
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
