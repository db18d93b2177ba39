/** A process that stands still is noticed; one that is busy is left alone. */
import { afterEach, describe, expect, test } from 'bun:test';
import { signal } from '../../../test/support/processes.ts';
import { until } from '../../../test/support/until.ts';
import { beatMs, findVitals, Heartbeat, type Vitals } from './heartbeat.ts';

const stopped: Vitals = { isRunning: false, turns: 7 };

/** A watched process. */
function watch(findVitals: () => Vitals | null) {
  let now = 0;
  const heartbeat = new Heartbeat(60_000, { elapsed: () => now, findVitals });
  /** Looks once per beat for some time; returns when it was replaced, and why. */
  const pass = (ms: number, hasBeat = false) => {
    for (const end = now + ms; now < end; ) {
      now += beatMs;
      if (hasBeat) heartbeat.note();
      const reason = heartbeat.look();
      if (reason !== null) return { reason, now };
    }
    return null;
  };
  /** This process stands still itself. */
  const sleep = (ms: number) => {
    now += ms;
  };
  return { heartbeat, pass, sleep };
}

describe('a silent process', () => {
  test('that does not run is replaced within six seconds', () => {
    const { pass } = watch(() => stopped);
    expect(pass(60_000, true)).toBeNull();
    expect(pass(60_000)).toEqual({ reason: 'stands still', now: 60_000 + 5_000 });
  });

  test('that works is left alone until its event loop was blocked for too long', () => {
    let turns = 0;
    for (const findVitals of [
      () => ({ isRunning: true, turns: 7 }),
      // It waits for a lock, or for the processor, now and then.
      () => ({ isRunning: false, turns: turns++ }),
      // The system does not say.
      () => null,
    ]) {
      const { pass } = watch(findVitals);
      expect(pass(59_000)).toBeNull();
      expect(pass(60_000)).toEqual({ reason: 'is blocked', now: 60_000 });
    }
  });

  test('that goes on in between starts anew', () => {
    const { heartbeat, pass } = watch(() => stopped);
    for (let time = 0; time < 10; time++) {
      expect(pass(5_000)).toBeNull();
      heartbeat.note();
    }
    expect(heartbeat.silentMs).toBe(0);
  });
});

test('a pause of the watching process itself is not held against the other', () => {
  const { pass, sleep, heartbeat } = watch(() => stopped);
  expect(pass(60_000, true)).toBeNull();
  sleep(8 * 3_600_000);
  expect(heartbeat.look()).toBeNull();
  expect(heartbeat.silentMs).toBe(2 * beatMs);
  expect(pass(10_000, true)).toBeNull();
});

describe.if(process.platform === 'linux')('Linux says', () => {
  const running: Bun.Subprocess[] = [];
  afterEach(() => {
    for (const child of running.splice(0)) child.kill('SIGKILL');
  });

  function run(code: string): number {
    const child = Bun.spawn([process.execPath, '-e', code], { stdout: 'ignore' });
    running.push(child);
    return child.pid;
  }

  test('that a blocked event loop works, and that a stopped process does not', async () => {
    const pid = run('for (;;);');
    await until(() => findVitals(pid)?.isRunning === true);
    signal(pid, 'SIGSTOP');
    await until(() => findVitals(pid)?.isRunning === false);
    const before = findVitals(pid);
    await Bun.sleep(100);
    expect(findVitals(pid)).toEqual(before);
    signal(pid, 'SIGCONT');
    await until(() => findVitals(pid)?.isRunning === true);
  });

  test('that a process that sleeps and wakes takes turns', async () => {
    const pid = run('for (;;) Bun.sleepSync(20);');
    await until(() => (findVitals(pid)?.turns ?? 0) > 0);
    const before = findVitals(pid)?.turns ?? 0;
    await until(() => (findVitals(pid)?.turns ?? 0) > before);
  });

  test('nothing about a process that has ended', () => {
    expect(findVitals(2 ** 30)).toBeNull();
  });
});
