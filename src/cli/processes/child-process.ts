/** Starts this program as a child process that reports when it is ready. */

/** The command line without operands: the executable, or Bun with the source. */
export function thisProgram(): string[] {
  const { execPath } = process;
  if (Bun.isStandaloneExecutable) return [execPath];
  const jsx = ['--jsx-runtime=automatic', '--jsx-import-source=preact'];
  return [execPath, '--no-env-file', '--config=/dev/null', ...jsx, Bun.main];
}

export interface Child<R> {
  readonly pid: number;
  /** Its first message; rejects if it ends before that. */
  readonly ready: Promise<R>;
  readonly exited: Promise<unknown>;
  kill(signal: 'SIGTERM' | 'SIGKILL'): void;
  send(message: string): void;
  /** Disconnects, which asks it to end. */
  release(): void;
}

/** The child inherits standard output and error. */
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
  // Without a waiting caller, a rejection would end this process.
  promise.catch(() => {});
  return {
    pid: child.pid,
    ready: promise,
    exited: child.exited,
    kill: (signal) => child.kill(signal),
    send: (message) => child.send(message),
    release: () => child.disconnect(),
  };
}
