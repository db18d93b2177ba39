/** Starts this program as a child process that reports when it is ready. */
import type { HelperHealth } from '../../http/metrics.ts';
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
  /** Kills it because it does not respond, which counts as its death. */
  giveUp(): void;
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

/** Resolves once it has ended; one that takes longer is killed. */
export async function ended({ exited, kill }: Child<unknown>, msMax: number): Promise<void> {
  const late = setTimeout(() => kill('SIGKILL'), msMax);
  await exited;
  clearTimeout(late);
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
    onExit: (_, status) => {
      watching?.end();
      if (status !== 0) watching?.noteDeath();
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
      watching?.release();
      child.kill(signal);
    },
    giveUp: () => child.kill('SIGKILL'),
    send: (message) => child.send(message),
    release: () => {
      watching?.release();
      child.disconnect();
    },
  };
}

/** Reports a child that dies, or stands still and is killed. Restarting is up to the caller. */
function watchChild(child: Bun.Subprocess, { helper, health, say, onStill }: ChildWatch) {
  const heartbeat = new Heartbeat(heartbeatLimits[helper], {
    elapsed: () => performance.now(),
    findVitals: () => findVitals(child.pid),
  });
  /** Whether its end needs no report: it was asked to end, or is reported already. */
  let isReleased = false;
  const report = (reason: string) => {
    isReleased = true;
    say(`The process for ${helper} ${reason}, so it is replaced.`);
    health.noteReplaced(helper);
  };
  const look = () => {
    const reason = heartbeat.look();
    if (reason === null) return;
    clearInterval(timer);
    report(reason);
    onStill?.();
    child.kill('SIGKILL');
  };
  const timer = setInterval(look, beatMs);
  timer.unref();
  health.watch(helper, () => heartbeat.silentMs);
  const end = () => {
    clearInterval(timer);
    health.watch(helper, null);
  };
  return {
    note: () => heartbeat.note(),
    end,
    /** It is asked to end, and may be silent. */
    release: () => {
      isReleased = true;
      end();
    },
    /** It has ended without being done. */
    noteDeath: () => {
      if (isReleased) return;
      const { signalCode, exitCode } = child;
      report(signalCode ? `was killed (${signalCode})` : `ended with status ${exitCode}`);
    },
  };
}
