/** What this process is told and tells: signals, standard output, standard error. */
import { CommandError } from './command.ts';

/** Whoever reads the output may stop reading, as `head` does: that is no fault. */
export function writeOut(text: string): Promise<boolean> {
  return new Promise<void>((resolve, reject) => {
    // A fault is told to listeners as well, later; without one it would end the process.
    if (process.stdout.listenerCount('error') === 0) process.stdout.on('error', () => {});
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()));
  }).then(
    () => true,
    (error) => {
      if (error.code === 'EPIPE') return false;
      throw new CommandError(`The output cannot be written: ${error.message}.`);
    },
  );
}

/** Resolves when the process is asked to end. */
export function untilAskedToEnd(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
    // A worker does not outlive the process that started it.
    process.once('disconnect', () => resolve());
  });
}

/** Whoever read the log may be gone. That is no reason to end. */
export function writeLog(text: string, onGone: () => void): void {
  if (process.stderr.listenerCount('error') === 0) process.stderr.on('error', () => {});
  process.stderr.write(text, () => onGone());
}
