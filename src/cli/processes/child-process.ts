/** Starts this program as a child process that reports when it is ready. */
import type { HelperKind } from '../../config.ts';
import type { HelperFacts, HelperHealth } from '../../http/metrics.ts';
import { beatMs, findMemoryBytes, findVitals, Heartbeat, isBeat } from './heartbeat.ts';
import { type Environment, helperTable } from './helper-table.ts';
import { finishMessage } from './this-process.ts';

/** The command line without operands: the executable, or Bun with the source. */
export function thisProgram(): string[] {
  const { execPath } = process;
  if (Bun.isStandaloneExecutable) return [execPath];
  const jsx = ['--jsx-runtime=automatic', '--jsx-import-source=preact'];
  return [execPath, '--no-env-file', '--config=/dev/null', ...jsx, Bun.main];
}

export interface Child<R> {
  /** Its first message; rejects if it ends before that. */
  readonly ready: Promise<R>;
  readonly exited: Promise<unknown>;
  /** Silent for 0 if it is not watched, or has ended. */
  findFacts(): HelperFacts;
  send(message: string): void;
  /** Asks it to end when it has done what it is doing, and resolves once it has. */
  finish(): Promise<void>;
  /** Asks it to end, and resolves once it has; kills it after `msMax`, if given. */
  end(msMax?: number): Promise<void>;
  /** Kills it because it does not respond, which counts as its death. */
  giveUp(): void;
}

/** Heartbeat monitoring of a child. */
export interface ChildWatch {
  readonly helper: HelperKind;
  readonly health: Pick<HelperHealth, 'noteReplaced'>;
  say(text: string): void;
}

interface ChildOptions {
  /** Absent: it sends no heartbeats. */
  readonly watch?: ChildWatch;
  /** Called with the messages after the first. */
  onMessage?(message: unknown): void;
}

/** The child inherits standard output and error. */
export function startChild<R>(
  command: readonly string[],
  environment: Environment,
  { watch, onMessage }: ChildOptions,
): Child<R> {
  const first = Promise.withResolvers<R>();
  let receive = (message: unknown) => {
    first.resolve(message as R);
    receive = (later) => onMessage?.(later);
  };
  const child = Bun.spawn([...command], {
    env: environment,
    stdio: ['ignore', 'inherit', 'inherit'],
    ipc: (message) => (isBeat(message) ? watching?.note() : receive(message)),
    onExit: (_, status) => {
      if (status !== 0) watching?.noteDeath();
      watching?.release();
      first.reject(new Error('It ended before it was ready.'));
    },
  });
  const watching = watch && watchChild(child, watch);
  // Without a waiting caller, a rejection would end this process.
  first.promise.catch(() => {});
  return {
    ready: first.promise,
    exited: child.exited,
    findFacts: () => ({
      silentMs: watching?.findSilentMs() ?? 0,
      memoryBytes: findMemoryBytes(child.pid),
    }),
    send: (message) => child.send(message),
    finish: async () => {
      // Before that, it would not be heard.
      await first.promise.then(
        () => child.send(finishMessage),
        () => {},
      );
      await child.exited;
    },
    end: async (msMax) => {
      watching?.release();
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.disconnect();
      // It may be too early for it to notice that it is disconnected.
      child.kill('SIGTERM');
      const late = msMax && setTimeout(() => child.kill('SIGKILL'), msMax);
      await child.exited;
      if (late) clearTimeout(late);
    },
    giveUp: () => child.kill('SIGKILL'),
  };
}

/** Reports a child that dies, or stands still and is killed. Restarting is up to the caller. */
function watchChild(child: Bun.Subprocess, { helper, health, say }: ChildWatch) {
  const heartbeat = new Heartbeat(helperTable[helper].blockedMs, {
    elapsed: () => performance.now(),
    findVitals: () => findVitals(child.pid),
  });
  /** Whether its end needs no report: it was asked to end, or is reported already. */
  let isReleased = false;
  const release = () => {
    isReleased = true;
    clearInterval(timer);
  };
  const report = (reason: string) => {
    release();
    say(`The process for ${helper} ${reason}, so it is replaced.`);
    health.noteReplaced(helper);
  };
  const look = () => {
    const reason = heartbeat.look();
    if (reason === null) return;
    report(reason);
    child.kill('SIGKILL');
  };
  const timer = setInterval(look, beatMs);
  timer.unref();
  return {
    note: () => heartbeat.note(),
    findSilentMs: () => (isReleased ? 0 : heartbeat.silentMs),
    /** It is asked to end, and may be silent. */
    release,
    /** It has ended without being done. */
    noteDeath: () => {
      if (isReleased) return;
      const { signalCode, exitCode } = child;
      report(signalCode ? `was killed (${signalCode})` : `ended with status ${exitCode}`);
    },
  };
}
