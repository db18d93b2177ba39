/** Starts this program as a child process that reports when it is ready. */
import type { HelperHealth } from '../../http/helper-metrics.ts';
import {
  beatMs,
  findVitals,
  Heartbeat,
  heartbeatLimits,
  isBeat,
  type WatchedHelper,
} from './heartbeat.ts';

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

/** Heartbeat monitoring of a child. */
export interface ChildWatch {
  readonly helper: WatchedHelper;
  readonly health: HelperHealth;
  say(text: string): void;
  /** Called before it is killed. */
  onStill?(): void;
}

/** The child inherits standard output and error. If it is watched, it must send heartbeats. */
export function startChild<R>(
  command: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  watch?: ChildWatch,
): Child<R> {
  const { promise, resolve, reject } = Promise.withResolvers<R>();
  const child = Bun.spawn([...command], {
    env: environment,
    stdio: ['ignore', 'inherit', 'inherit'],
    ipc: (message) => (isBeat(message) ? watching?.note() : resolve(message as R)),
    onExit: () => {
      watching?.end();
      reject(new Error('It ended before it was ready.'));
    },
  });
  const watching = watch && watchChild(child, watch);
  // Without a waiting caller, a rejection would end this process.
  promise.catch(() => {});
  return {
    pid: child.pid,
    ready: promise,
    exited: child.exited,
    kill: (signal) => {
      // Once it ends, it may be silent.
      watching?.end();
      child.kill(signal);
    },
    send: (message) => child.send(message),
    release: () => {
      watching?.end();
      child.disconnect();
    },
  };
}

/** Kills a child without a heartbeat. Restarting it is up to the caller. */
function watchChild(child: Bun.Subprocess, { helper, health, say, onStill }: ChildWatch) {
  const heartbeat = new Heartbeat(heartbeatLimits[helper], {
    elapsed: () => performance.now(),
    findVitals: () => findVitals(child.pid),
  });
  const look = () => {
    const reason = heartbeat.look();
    if (reason === null) return;
    clearInterval(timer);
    say(`The process for ${helper} ${reason}, so it is replaced.`);
    health.noteReplaced(helper);
    onStill?.();
    child.kill('SIGKILL');
  };
  const timer = setInterval(look, beatMs);
  timer.unref();
  health.watch(helper, () => heartbeat.silentMs);
  return {
    note: () => heartbeat.note(),
    end: () => {
      clearInterval(timer);
      health.watch(helper, null);
    },
  };
}
