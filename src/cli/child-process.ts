/** Processes of this program that another one of it starts, and that report when they are ready. */

/** What starts this program: the executable alone, or Bun with the source. */
export function thisProgram(): string[] {
  const { execPath } = process;
  if (Bun.isStandaloneExecutable) return [execPath];
  const jsx = ['--jsx-runtime=automatic', '--jsx-import-source=preact'];
  return [execPath, '--no-env-file', '--config=/dev/null', ...jsx, Bun.main];
}

/** A process that was started. */
export interface Child<R> {
  readonly pid: number;
  /** What it reported once it was ready; rejects when it ends before that. */
  readonly ready: Promise<R>;
  readonly exited: Promise<unknown>;
  kill(signal: 'SIGTERM' | 'SIGKILL'): void;
  /** Tells it that it is not needed any longer. */
  release(): void;
}

/** Starts this program with other words and settings. Its output is ours. */
export function startChild<R>(
  command: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Child<R> {
  const { promise, resolve, reject } = Promise.withResolvers<R>();
  const child = Bun.spawn([...command], {
    env: environment,
    stdio: ['ignore', 'inherit', 'inherit'],
    ipc: (message) => resolve(message as R),
    onExit: () => reject(new Error('It ended before it was ready.')),
  });
  // Whoever waits for it gets the error; when nobody does, it must not end this process.
  promise.catch(() => {});
  return {
    pid: child.pid,
    ready: promise,
    exited: child.exited,
    kill: (signal) => child.kill(signal),
    release: () => child.disconnect(),
  };
}
