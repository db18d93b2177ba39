/** A file system in memory, for files of tests that need not survive. */
import { readFileSync, statfsSync } from 'node:fs';

const place = '/dev/shm';

/** Twice what databases and WAL need at most. */
const bytesMin = 8 * 2 ** 30;

/** The folder of a file system in memory; null if there is none with enough room. */
export function findMemoryFolder(): string | null {
  try {
    const { bavail, bsize } = statfsSync(place);
    return bavail * bsize >= bytesMin ? place : null;
  } catch {
    return null;
  }
}

/** Whether programs in the memory folder may be run. */
export function isExecutable(): boolean {
  const mounts = readFileSync('/proc/mounts', 'utf8').split('\n');
  const options = mounts.flatMap((line) => {
    const [, folder, , words = ''] = line.split(' ');
    return folder === place ? words.split(',') : [];
  });
  return !options.includes('noexec');
}
