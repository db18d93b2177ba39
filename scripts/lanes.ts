/** Divides suites into batches that take about as long as each other, and runs them in lanes. */

/** One suite and how long it takes. */
export interface TimedSuite {
  readonly path: string;
  readonly seconds: number;
}

/** Suites that run in one process, one after the other. */
export interface Batch {
  readonly suites: readonly string[];
  readonly seconds: number;
}

/** What a suite is taken to last when none that is like it was recorded. */
const unknownSeconds = 2;

/**
 * How long suites take: as recorded, or, what is too new for that, as long as those of its kind do
 * on average. Records of suites that are no longer there are passed over.
 */
export function timeSuites(
  paths: readonly string[],
  recorded: Readonly<Record<string, number>>,
  kindOf: (path: string) => string | null,
): TimedSuite[] {
  const known = paths.flatMap((path) => {
    const seconds = recorded[path];
    return seconds === undefined ? [] : [{ path, seconds }];
  });
  if (known.length === paths.length) return known;
  const kinds = Map.groupBy(known, ({ path }) => kindOf(path));
  const guess = (path: string) => meanSeconds(kinds.get(kindOf(path)) ?? known);
  return paths.map((path) => ({ path, seconds: recorded[path] ?? guess(path) }));
}

function meanSeconds(suites: readonly TimedSuite[]): number {
  if (suites.length === 0) return unknownSeconds;
  return suites.reduce((sum, { seconds }) => sum + seconds, 0) / suites.length;
}

/**
 * Fills batches of about `batchSeconds`: the longest suites first, each into the batch that has the
 * least to do. The longest batch comes first.
 */
export function makeBatches(suites: readonly TimedSuite[], batchSeconds: number): Batch[] {
  const total = suites.reduce((sum, { seconds }) => sum + seconds, 0);
  const count = Math.min(suites.length, Math.max(1, Math.ceil(total / batchSeconds)));
  const batches = Array.from({ length: count }, () => ({ suites: [] as string[], seconds: 0 }));
  for (const { path, seconds } of [...suites].sort((a, b) => b.seconds - a.seconds)) {
    const emptiest = batches.reduce((best, each) => (each.seconds < best.seconds ? each : best));
    emptiest.suites.push(path);
    emptiest.seconds += seconds;
  }
  return batches.sort((a, b) => b.seconds - a.seconds);
}

/** Runs jobs in so many lanes, each taking the next one as soon as it is free. */
export async function runInLanes<Job, Result>(
  jobs: readonly Job[],
  laneCount: number,
  run: (job: Job) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const waiting = jobs.entries();
  const lane = async () => {
    for (const [index, job] of waiting) results[index] = await run(job);
  };
  await Promise.all(Array.from({ length: laneCount }, lane));
  return results;
}
