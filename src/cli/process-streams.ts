/** What this process is given and gives: signals, standard output and error, its priority. */
import { constants, setPriority } from 'node:os';
import { CommandError, type Terminal } from './command.ts';

const usualColumns = 80;

/** The terminal that this process was started from. */
export const thisProcess: Terminal = {
  environment: process.env,
  get stdin() {
    return process.stdin;
  },
  get isTerminal() {
    return process.stderr.isTTY === true;
  },
  get columns() {
    // Some terminals do not say.
    return process.stdout.isTTY === true ? process.stdout.columns || usualColumns : null;
  },
  print: (text) => process.stdout.write(`${text}\n`),
  write: writeOut,
  say: (text) => process.stderr.write(`${text}\n`),
  draw: (text) => process.stderr.write(text),
  lowerPriority,
  untilShutdown,
};

/** Whoever reads the output may stop reading, as `head` does: that is no fault. */
function writeOut(text: string): Promise<boolean> {
  return new Promise<void>((resolve, reject) => {
    // Listeners get the error as well, later; without one it would end the process.
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

/** Resolves when the process is asked to shut down. */
function untilShutdown(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
    // A worker does not outlive the process that started it.
    process.once('disconnect', () => resolve());
  });
}

/** Lowers the priority of a process, by default of this one: what serves comes first. */
export function lowerPriority(pid = 0, priority = constants.priority.PRIORITY_BELOW_NORMAL): void {
  try {
    setPriority(pid, priority);
  } catch {
    // Where that is not allowed, the work is done all the same.
  }
}

/** Whoever read the log may be gone. That is no reason to end. */
export function writeLog(text: string, onGone: () => void): void {
  if (process.stderr.listenerCount('error') === 0) process.stderr.on('error', () => {});
  process.stderr.write(text, () => onGone());
}
