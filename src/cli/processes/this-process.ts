/** The streams, signals and priority of this process. */
import { readdirSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { isatty } from 'node:tty';
import { CommandError, type Terminal } from '../command.ts';

const usualColumns = 80;

export const thisProcess: Terminal = {
  environment: process.env,
  get stdin() {
    return process.stdin;
  },
  get isTerminal() {
    return process.stderr.isTTY === true;
  },
  get columns() {
    // Some terminals report 0.
    return process.stdout.isTTY === true ? process.stdout.columns || usualColumns : null;
  },
  print: (text) => process.stdout.write(`${text}\n`),
  write: writeOut,
  say: (text) => process.stderr.write(`${text}\n`),
  draw: (text) => process.stderr.write(text),
  lowerPriority,
  untilShutdown,
  onReload,
};

/** Resolves to false if the reader has closed the pipe, as `head` does. */
function writeOut(text: string): Promise<boolean> {
  return new Promise<void>((resolve, reject) => {
    // The stream also emits the error; without a listener, that would end the process.
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

function untilShutdown(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
    // A child ends with the process that started it.
    process.once('disconnect', () => resolve());
    process.on('message', (message) => {
      if (message === finishMessage) resolve();
    });
  });
}

/** Sent to helpers, which end when they have done what they are doing. */
export const finishMessage = 'finish';

/** Sent to workers. */
export const reloadMessage = 'reload';

/**
 * A terminal that closes sends SIGHUP too, which ends the process, as it would without a handler.
 * The two cases differ in whether the descriptors still are terminals.
 */
function onReload(reload: () => void): void {
  const terminals = [0, 2].filter((descriptor) => isatty(descriptor));
  process.on('SIGHUP', () => {
    if (terminals.every((descriptor) => isatty(descriptor))) reload();
    else process.kill(process.pid, 'SIGTERM');
  });
  process.on('message', (message) => {
    if (message === reloadMessage) reload();
  });
}

/** Of this process by default. Servers keep the normal priority. */
export function lowerPriority(pid = 0, priority = constants.priority.PRIORITY_BELOW_NORMAL): void {
  for (const thread of threadsOf(pid)) {
    try {
      setPriority(thread, priority);
    } catch {
      // Not permitted, or it has ended; the work is done at normal priority.
    }
  }
}

/** On Linux each thread has its own priority, which it inherits from the one that starts it. */
function threadsOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid || 'self'}/task`).map(Number);
  } catch {
    return [pid];
  }
}

/** Continues without a reader; `onGone` is called once the text is written or lost. */
export function writeLog(text: string, onGone: () => void): void {
  if (process.stderr.listenerCount('error') === 0) process.stderr.on('error', () => {});
  process.stderr.write(text, () => onGone());
}
