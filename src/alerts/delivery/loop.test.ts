/** Loops rest when there is nothing to do, and end in order. Timers are run by hand. */
import { beforeEach, expect, test } from 'bun:test';
import { yieldToEventLoop } from '../../kernel/event-loop.ts';
import type { LeaseTaken } from '../../kernel/lease.ts';
import type { StartTimer } from '../../kernel/timer.ts';
import { type RunningLoops, type Step, startLoops } from './loop.ts';

const now = 1_000_000;

/** Rests that are under way, by timer. */
let resting: Map<number, { readonly ms: number; end(): void }>;
let timers = 0;

beforeEach(() => {
  resting = new Map();
});

const startTimer: StartTimer = (end, ms) => {
  const timer = ++timers;
  resting.set(timer, { ms, end });
  return () => resting.delete(timer);
};

const restsMs = () => [...resting.values()].map(({ ms }) => ms);

/** Ends all pauses. */
async function passTime(): Promise<void> {
  const over = [...resting.values()];
  resting.clear();
  for (const { end } of over) end();
  await yieldToEventLoop();
}

class World {
  readonly happened: string[] = [];
  readonly taken: LeaseTaken[] = [];
  isLeaseFree = true;

  private async release(): Promise<void> {
    await yieldToEventLoop();
    this.happened.push('released');
  }

  async start(...steps: readonly Step[]): Promise<RunningLoops> {
    const loops = startLoops({
      store: {
        takeLease: async (lease) => {
          this.taken.push(lease);
          if (lease.until < lease.at) await this.release();
          return this.isLeaseFree;
        },
      },
      clock: () => now,
      holder: 'me',
      steps,
      finish: async () => {
        await yieldToEventLoop();
        this.happened.push('finished');
      },
      startTimer,
      onFailure: (error) => this.happened.push(`failed: ${(error as Error).message}`),
    });
    await yieldToEventLoop();
    return loops;
  }
}

test('a step continues at once while there is more to do, and pauses otherwise', async () => {
  const world = new World();
  const answers = [true, true, false, false];
  let steps = 0;
  const loops = await world.start(async () => answers[steps++] ?? false);
  for (const [index, ms] of [0, 0, 250, 250].entries()) {
    expect([steps, restsMs()]).toEqual([index + 1, [ms]]);
    await passTime();
  }
  await loops.stop();
  expect(world.taken[0]).toEqual({ name: 'delivery', holder: 'me', at: now, until: now + 4_000 });
});

test('nothing is done while another process has the lease', async () => {
  const world = new World();
  world.isLeaseFree = false;
  let steps = 0;
  const loops = await world.start(async () => {
    steps++;
    return false;
  });
  expect([steps, restsMs()]).toEqual([0, [500]]);
  world.isLeaseFree = true;
  await passTime();
  expect([steps, restsMs()]).toEqual([1, [250]]);
  await loops.stop();
});

test('a failed step is reported, and retried two seconds later', async () => {
  const world = new World();
  let steps = 0;
  const loops = await world.start(async () => {
    if (++steps === 1) throw new Error('no disk');
    return false;
  });
  expect([world.happened, restsMs()]).toEqual([['failed: no disk'], [2_000]]);
  await passTime();
  expect([steps, restsMs()]).toEqual([2, [250]]);
  await loops.stop();
});

test('waking a step ends only its own pause', async () => {
  const world = new World();
  const counts = [0, 0];
  const steps = counts.map((_, index) => async () => {
    counts[index] = (counts[index] ?? 0) + 1;
    return false;
  });
  const loops = await world.start(...steps);
  expect(counts).toEqual([1, 1]);
  loops.wake(steps[1] ?? (async () => false));
  await yieldToEventLoop();
  expect(counts).toEqual([1, 2]);
  // Its timer is cleared, and the new pause has the usual length.
  expect(restsMs()).toEqual([250, 250]);
  loops.wake(async () => false);
  await loops.stop();
  expect(restsMs()).toEqual([]);
});

test('a step that is woken while it works skips its next pause', async () => {
  const world = new World();
  world.isLeaseFree = false;
  let steps = 0;
  const work = async () => {
    if (++steps === 1) loops.wake(work);
    return false;
  };
  const loops = await world.start(work);
  world.isLeaseFree = true;
  await passTime();
  expect([steps, restsMs()]).toEqual([2, [250]]);
  await loops.stop();
});

test('stopping waits for the current step, then for pending work, and releases the lease', async () => {
  const world = new World();
  const atWork = Promise.withResolvers<void>();
  const loops = await world.start(async () => {
    await atWork.promise;
    world.happened.push('done');
    return true;
  });
  const stopped = loops.stop().then(() => world.happened.push('stopped'));
  await yieldToEventLoop();
  expect(world.happened).toEqual([]);
  atWork.resolve();
  await stopped;
  expect(world.happened).toEqual(['done', 'finished', 'released', 'stopped']);
  expect(restsMs()).toEqual([]);
});
