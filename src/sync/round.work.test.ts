/** The state of store and disk after rounds, however they end. */
// @runs SQLite, PostgreSQL (rest): the store's suites run its statements, too
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import {
  appendFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { InTurn } from '../../test/support/in-turn.ts';
import {
  askedSet,
  callOf,
  feedOf,
  makeSyncPlace,
  type SyncPlace,
  sourceOf,
} from '../../test/support/sync.ts';
import type { FormatName } from '../ingest/runner/import-formats.ts';
import { LeaseLostError } from '../kernel/lease.ts';
import { dayMs, hourMs, minuteMs } from '../kernel/time.ts';
import { AnswerFolders } from './answers.work.ts';
import { SourceError } from './client.work.ts';
import type { Connector } from './connector.work.ts';
import type { Topic } from './planning.ts';
import { ImportRefusal, type RoundWork, roundMax, runRound } from './round.work.ts';
import type { Question } from './source-state.ts';

let place: SyncPlace;
beforeEach(async () => {
  place = await makeSyncPlace();
});
afterEach(() => place.close());

const state = () => place.store.sync.findSource('huts');
const isThere = async (number: string) =>
  (await place.store.market.findSources('set', number)) !== null;

/** Saved and postponed questions. */
function recorded() {
  const saved: { known: readonly Question[]; unknown: readonly Question[] }[] = [];
  const postponed: Question[] = [];
  const { sync } = place.store;
  const store = {
    ...sync,
    saveAnswers: async (...[source, answers]: Parameters<typeof sync.saveAnswers>) => {
      saved.push({ known: answers.known, unknown: answers.unknown });
      await sync.saveAnswers(source, answers);
    },
    postponeQuestions: async (...asked: Parameters<typeof sync.postponeQuestions>) => {
      postponed.push(...asked[1]);
      await sync.postponeQuestions(...asked);
    },
  };
  return { store, saved, postponed };
}

test('responses are stored, imported together, and recorded', async () => {
  const imported: (readonly string[])[] = [];
  const base = place.work();
  const { store, saved } = recorded();
  const work = place.work({
    store,
    importFiles: (files) => {
      imported.push([files.folder, files.format, ...files.paths]);
      return base.importFiles(files);
    },
  });
  const calls = [
    callOf('1', () => ({ files: feedOf('1-1'), unknown: [] }), [askedSet('1')]),
    callOf('2', () => ({ files: feedOf('2-1'), unknown: [askedSet('3')], cursor: 'b' }), [
      askedSet('2'),
      askedSet('3'),
    ]),
  ];
  const result = await runRound(
    sourceOf(() => calls),
    work,
  );
  expect(result).toEqual({
    source: 'huts',
    calls: 2,
    rows: 2,
    rejects: 0,
    error: null,
    isStopped: false,
    nextAt: place.now + hourMs,
  });
  const folder = join('answers', 'huts', '2026-11-15T12-00-00.000Z');
  const paths = ['1-1', '2-1'].map((name) =>
    join(place.folder, folder, 'feed', `${name}.ndjson.gz`),
  );
  expect(imported).toEqual([[folder, 'feed', ...paths]]);
  expect(gunzipSync(readFileSync(paths[0] ?? '')).toString()).toContain('Set 1-1');
  expect(await isThere('1')).toBe(true);
  expect(saved).toEqual([
    { known: [askedSet('1')], unknown: [] },
    { known: [askedSet('2')], unknown: [askedSet('3')] },
  ]);
  const after = await state();
  expect(after).toMatchObject({ cursor: 'b', failures: 0, nextAt: place.now + hourMs });
  expect(after.lastSuccessAt).toBe(place.now);
  expect(after.days).toMatchObject([{ calls: 2, rows: 2, rejects: 0 }]);
  expect(work.answers.listUnfinished('huts')).toEqual([]);
});

test('pages follow each other in one round, by their cursors', async () => {
  const source = sourceOf((cursor) => {
    const page = typeof cursor === 'number' ? cursor : 1;
    return [
      callOf(`page ${page}`, () => ({
        files: feedOf(`${page}-1`),
        cursor: page < 4 ? page + 1 : null,
        hasMore: page < 4,
      })),
    ];
  });
  expect(await runRound(source, place.work())).toMatchObject({ calls: 4, rows: 4, error: null });
  expect(await state()).toMatchObject({ cursor: null, nextAt: place.now + hourMs });
});

test('a round ends at its limits of calls and time, and is due at once', async () => {
  const limits: number[] = [];
  const endless = sourceOf(() => [], {
    plan: async ({ at, limit }) => {
      limits.push(limit);
      return { calls: [callOf('more', () => ({ files: [], hasMore: true }))], nextAt: at + 1 };
    },
  });
  const many = await runRound(endless, place.work());
  expect(many).toMatchObject({ calls: roundMax.calls, nextAt: place.now });
  expect([limits.at(0), limits.at(1), limits.at(-1)]).toEqual([50, 49, 1]);
  const slow = sourceOf(() =>
    ['a', 'b', 'c'].map((name) =>
      callOf(name, () => {
        place.now += 40_000;
        return { files: [] };
      }),
    ),
  );
  expect(await runRound(slow, place.work())).toMatchObject({ calls: 2, nextAt: place.now });
  const isStopping = () => true;
  expect(await runRound(slow, place.work({ isStopping }))).toMatchObject({ calls: 0 });
});

test('a failed call ends the round; earlier responses are imported, and its question is postponed', async () => {
  const { store, saved, postponed } = recorded();
  const calls = [
    callOf('1', () => ({ files: feedOf('1-1') }), [askedSet('1')]),
    callOf('2', () => new SourceError('It is busy.', 'later', 90_000), [askedSet('2')]),
    callOf('3', () => new Error('It is never asked.'), [askedSet('3')]),
  ];
  const result = await runRound(
    sourceOf(() => calls),
    place.work({ store }),
  );
  expect(result).toMatchObject({ calls: 2, rows: 1, error: 'It is busy.', isStopped: false });
  expect(saved).toEqual([{ known: [askedSet('1')], unknown: [] }]);
  expect(postponed).toEqual([askedSet('2')]);
  const after = await state();
  expect(after).toMatchObject({ failures: 1, nextAt: place.now + 90_000 });
  expect(after.lastSuccessAt).toBe(place.now);
  expect(after.lastError).toMatchObject({ message: 'It is busy.', isStopped: false });
});

test('unexpected errors are failures without secrets, and are retried', async () => {
  const redact = (text: string) => text.replaceAll('hunter2', '[secret]');
  const calls = [callOf('1', () => new Error('no JSON at hunter2'), [askedSet('1')])];
  const result = await runRound(
    sourceOf(() => calls),
    place.work({ redact }),
  );
  expect(result.error).toBe('Unexpected error: no JSON at [secret].');
  expect((await state()).nextAt).toBe(place.now + minuteMs / 2);
});

test('a response that cannot be stored postpones its question, and others continue', async () => {
  const { store, postponed } = recorded();
  const files = feedOf('1-1').map((file) => ({ ...file, name: '50%.ndjson' }));
  const calls = [callOf('1', () => ({ files }), [askedSet('1')])];
  const result = await runRound(
    sourceOf(() => calls),
    place.work({ store }),
  );
  expect(result.error).toContain("'50%.ndjson' cannot be the name of a file");
  expect(postponed).toEqual([askedSet('1')]);
});

test('a rejection stops the source for a day without postponing its question', async () => {
  const { store, postponed } = recorded();
  const refusal = new SourceError('Renew the key.', 'stopped');
  const calls = [callOf('1', () => refusal, [askedSet('1')])];
  const result = await runRound(
    sourceOf(() => calls),
    place.work({ store }),
  );
  expect(result).toMatchObject({ error: 'Renew the key.', isStopped: true });
  expect(result.nextAt).toBe(place.now + dayMs);
  expect((await state()).lastError?.isStopped).toBe(true);
  expect(postponed).toEqual([]);
});

test('a rejected question is postponed, and others continue', async () => {
  const { store, saved, postponed } = recorded();
  const skipped: string[] = [];
  const calls = [
    callOf('1', () => new SourceError('It is no number.', 'item'), [askedSet('1')]),
    callOf('2', () => ({ files: feedOf('2-1') }), [askedSet('2')]),
  ];
  const onSkipped = (_: string, { subject }: { subject: string }, message: string) =>
    skipped.push(`${subject}: ${message}`);
  const result = await runRound(
    sourceOf(() => calls),
    place.work({ store, onSkipped }),
  );
  const error = '1 of 2 calls refused: It is no number.';
  expect(result).toMatchObject({ rows: 1, error, nextAt: place.now + hourMs });
  expect(await state()).toMatchObject({ failures: 0, lastError: { message: error } });
  expect(saved).toHaveLength(1);
  expect(postponed).toEqual([askedSet('1')]);
  expect(skipped).toEqual(['1: It is no number.']);
  const alone = [callOf('all', () => new SourceError('There is no such page.', 'item'))];
  const failed = await runRound(
    sourceOf(() => alone),
    place.work(),
  );
  expect(failed.error).toBe('There is no such page.');
});

test('if every question is rejected, the source has failed', async () => {
  const refused = (count: number) =>
    sourceOf(() =>
      Array.from({ length: count }, (_, index) =>
        callOf(`${index}`, () => new SourceError('There is no such market.', 'item'), [
          askedSet(`${index}`),
        ]),
      ),
    );
  const error = 'There is no such market.';
  const many = await runRound(refused(50), place.work());
  expect(many).toMatchObject({ calls: 5, error, nextAt: place.now + minuteMs / 2 });
  expect(await runRound(refused(1), place.work())).toMatchObject({ calls: 1, error });
  expect(await state()).toMatchObject({ failures: 2, nextAt: place.now + hourMs });
});

test('calls stay within the budget, and plans get the remaining calls', async () => {
  const left: (number | null)[] = [];
  const calls = ['1', '2', '3'].map((name) => callOf(name, () => ({ files: feedOf(name) })));
  const source = sourceOf(() => calls, {
    budget: { kind: 'day', calls: 2 },
    plan: async (asked) => {
      left.push(asked.left);
      return { calls, nextAt: asked.at };
    },
  });
  const result = await runRound(source, place.work());
  expect(result).toMatchObject({ calls: 2, rows: 2, error: null });
  expect(result.nextAt).toBe(place.now + 25 * hourMs + 10 * minuteMs);
  const refused = await runRound(source, place.work());
  expect(refused).toMatchObject({ calls: 0, nextAt: result.nextAt });
  expect((await state()).nextAt).toBe(result.nextAt);
  expect(left).toEqual([2, 0]);
});

test('token levels reported by a source apply at once', async () => {
  const tokens = { left: 7, at: place.now, perMinute: 1 };
  const calls = [callOf('1', () => ({ files: [], tokens }))];
  await runRound(
    sourceOf(() => calls, { budget: { kind: 'tokens' } }),
    place.work(),
  );
  expect((await state()).budget.tokens).toEqual(tokens);
});

test('a source without calls is not due for at least a minute', async () => {
  const source = sourceOf(() => [], { plan: async ({ at }) => ({ calls: [], nextAt: at }) });
  expect(await runRound(source, place.work())).toMatchObject({ nextAt: place.now + minuteMs });
  expect(await state()).toMatchObject({ nextAt: place.now + minuteMs, lastSuccessAt: null });
  expect(existsSync(join(place.folder, 'answers'))).toBe(false);
});

test('a plan knows the name of its source, the calls it may make and its cursor', async () => {
  const asked: unknown[] = [];
  const plan: Connector['plan'] = async ({ source, cursor, limit, left }) => {
    asked.push({ source, cursor, limit, left });
    return { calls: [], nextAt: place.now + hourMs };
  };
  const budget = { kind: 'day', calls: 9 } as const;
  await runRound(
    sourceOf(() => [], { name: 'barns', budget, plan }),
    place.work(),
  );
  expect(asked).toEqual([{ source: 'barns', cursor: null, limit: roundMax.calls, left: 9 }]);
});

test('coverage is saved with each round', async () => {
  const coverage = { questions: 9, neverAsked: 4, oldestAt: 1, medianAt: 2 };
  const topic: Topic = {
    name: 'sold',
    kind: 'set',
    condition: null,
    reachDays: 9,
    restDays: 1,
    needs: null,
  };
  const asked: unknown[] = [];
  const planner = {
    rank: async () => [],
    findNames: async () => new Map(),
    findCoverage: async (...about: unknown[]) => {
      asked.push(about);
      return coverage;
    },
  };
  await runRound(
    sourceOf(() => [], { topics: [topic] }),
    place.work({ planner }),
  );
  expect(asked).toEqual([['huts', [topic], place.now]]);
  expect((await state()).coverage).toEqual(coverage);
});

test('rejected files are reported, not imported again, and their questions postponed', async () => {
  const { store, saved, postponed } = recorded();
  let refuses = true;
  const base = place.work();
  const work = place.work({
    store,
    importFiles: async (files) => {
      if (refuses) throw new ImportRefusal('It is older than what is there.');
      return base.importFiles(files);
    },
  });
  const answer = { files: feedOf('1-1'), cursor: 'b' };
  const source = sourceOf(() => [callOf('1', () => answer, [askedSet('1')])]);
  const result = await runRound(source, work);
  expect(result.error).toBe('It is older than what is there.');
  expect(await state()).toMatchObject({ cursor: null, failures: 1, lastSuccessAt: null });
  // It is not fetched more often than an accepted one.
  expect(result.nextAt).toBe(place.now + hourMs);
  expect(saved).toEqual([]);
  expect(postponed).toEqual([askedSet('1')]);
  refuses = false;
  expect(await runRound(source, work)).toMatchObject({ calls: 1, rows: 1, error: null });
  expect((await state()).cursor).toBe('b');
});

/** A source with one call, and an import that fails with the store the first time. */
async function killedBeforeImport() {
  let asked = 0;
  const answer = () => {
    asked++;
    return { files: feedOf('1-1'), cursor: 'b' };
  };
  const calls = [callOf('1', answer, [askedSet('1')])];
  const source = sourceOf((cursor) => (cursor === null ? calls : []));
  const importFiles = () => Promise.reject(new Error('killed'));
  await runRound(source, place.work({ importFiles })).catch(() => {});
  expect((await state()).cursor).toBeNull();
  return { source, asked: () => asked };
}

test('an interrupted import is resumed without calling again', async () => {
  const { source, asked } = await killedBeforeImport();
  const { store, saved } = recorded();
  place.now += minuteMs;
  expect(await runRound(source, place.work({ store }))).toMatchObject({ calls: 0, rows: 1 });
  expect(asked()).toBe(1);
  expect(await isThere('1')).toBe(true);
  expect(saved).toEqual([{ known: [askedSet('1')], unknown: [] }]);
  expect((await state()).cursor).toBe('b');
  await runRound(source, place.work({ store }));
  expect(saved).toHaveLength(1);
});

test('an import that keeps killing its process is given up, and requested again', async () => {
  const { source, asked } = await killedBeforeImport();
  const { store, postponed } = recorded();
  const importFiles = () => Promise.reject(new Error('killed'));
  const work = place.work({ store, importFiles });
  for (let count = 0; count < 3; count++) {
    await expect(runRound(source, work)).rejects.toThrow('killed');
  }
  const { error } = await runRound(source, work);
  expect(error).toContain('failed 4 times');
  expect(postponed).toEqual([askedSet('1')]);
  expect(asked()).toBe(1);
  expect(await runRound(source, place.work())).toMatchObject({ calls: 1, error: null });
});

test('a source without a budget is not called at once after a process died calling it', async () => {
  let nextAt = 0;
  const asked = callOf('1', () => ({ files: [] }));
  const dying = {
    ...asked,
    ask: async () => {
      nextAt = (await state()).nextAt;
      return { files: [] };
    },
  };
  await runRound(
    sourceOf(() => [dying]),
    place.work(),
  );
  expect(nextAt).toBe(place.now + 10 * minuteMs);
  await place.store.sync.changeSource('huts', (before) => ({ ...before, nextAt: 7 }));
  await runRound(
    sourceOf(() => [dying], { budget: { kind: 'day', calls: 9 } }),
    place.work(),
  );
  expect(nextAt).toBe(7);
});

test('outdated imports are not resumed', async () => {
  const { source, asked } = await killedBeforeImport();
  place.now += minuteMs;
  const elsewhere = new AnswerFolders(join(place.folder, 'other-node'));
  await runRound(source, place.work({ answers: elsewhere }));
  expect(asked()).toBe(2);
  await place.store.sync.changeSource('huts', (before) => ({ ...before, cursor: 'c' }));
  const importFiles = () => Promise.reject(new Error('It is imported again.'));
  expect((await runRound(source, place.work({ importFiles }))).error).toBeNull();
  expect((await state()).cursor).toBe('c');
});

test('an import that was recorded before the process died is not resumed', async () => {
  const { source } = await killedBeforeImport();
  const lastSuccessAt = place.now;
  await place.store.sync.changeSource('huts', (state) => ({
    ...state,
    lastSuccessAt,
    cursor: 'b',
  }));
  const importFiles = () => Promise.reject(new Error('It is imported again.'));
  expect((await runRound(source, place.work({ importFiles }))).error).toBeNull();
});

test('rows are news if they changed, or if a resumed import may have changed them', async () => {
  const counts = { rows: 1, rejects: 0, missing: 0, changed: 0, problem: null };
  const importFiles = async () => counts;
  const { source } = await killedBeforeImport();
  await runRound(source, place.work({ importFiles }));
  const { changedAt } = await state();
  expect(changedAt).toBe(place.now);
  place.now += hourMs;
  const again = sourceOf(() => [callOf('1', () => ({ files: feedOf('1-1') }))]);
  expect(await runRound(again, place.work({ importFiles }))).toMatchObject({ rows: 1 });
  expect((await state()).changedAt).toBe(changedAt);
  const one = async () => ({ ...counts, changed: 1 });
  await runRound(again, place.work({ importFiles: one }));
  expect((await state()).changedAt).toBe(place.now);
});

test('truncated files are requested again', async () => {
  for (const part of ['file', 'journal'] as const) {
    const { source, asked } = await killedBeforeImport();
    const groups = join(place.folder, 'answers', 'huts');
    const group = join(groups, readdirSync(groups).sort().at(-1) ?? '');
    if (part === 'file') truncateSync(join(group, 'feed', '1-1.ndjson.gz'), 20);
    else {
      const [start = ''] = readFileSync(join(group, '.journal'), 'utf8').split('\n');
      writeFileSync(join(group, '.journal'), `${start}\n`);
      appendFileSync(join(group, '.journal'), '{"at":17,"fil');
    }
    expect(await runRound(source, place.work())).toMatchObject({ calls: 1, error: null });
    expect(asked()).toBe(2);
    await place.store.sync.changeSource('huts', (before) => ({ ...before, cursor: null }));
    place.now += dayMs;
  }
});

test('after losing the lease, nothing is written', async () => {
  let isHeld = true;
  const keepLease = async () => {
    if (!isHeld) throw new LeaseLostError();
  };
  const answer = () => {
    isHeld = false;
    return { files: feedOf('1-1'), cursor: 'b' };
  };
  const round = runRound(
    sourceOf(() => [callOf('1', answer)]),
    place.work({ keepLease }),
  );
  await expect(round).rejects.toThrow(LeaseLostError);
  expect(await isThere('1')).toBe(false);
  expect(await state()).toMatchObject({ cursor: null, lastSuccessAt: null });
});

test('after losing the lease, no call is made, and an import is not recorded', async () => {
  let isHeld = true;
  const keepLease = async () => {
    if (!isHeld) throw new LeaseLostError();
  };
  const lose = <T>(result: T): T => {
    isHeld = false;
    return result;
  };
  const onCalls: unknown[] = [];
  const onCall: RoundWork['onCall'] = (source, { subject }, count) => {
    onCalls.push([source, subject, count]);
  };
  const calls = [
    callOf('1', () => ({ files: [] })),
    callOf('2', () => lose({ files: [] })),
    callOf('3', () => ({ files: [] })),
  ];
  const lost = runRound(
    sourceOf(() => calls),
    place.work({ keepLease, onCall }),
  );
  await expect(lost).rejects.toThrow(LeaseLostError);
  expect(onCalls).toEqual([
    ['huts', '1', 1],
    ['huts', '2', 2],
  ]);
  isHeld = true;
  const { store, saved } = recorded();
  const counts = { rows: 1, rejects: 0, missing: 0, changed: 1, problem: null };
  const importFiles = async () => lose(counts);
  const imported = runRound(
    sourceOf(() => [callOf('1', () => ({ files: feedOf('1-1') }))], { name: 'barns' }),
    place.work({ keepLease, importFiles, store }),
  );
  await expect(imported).rejects.toThrow(LeaseLostError);
  expect(saved).toEqual([]);
});

describe('every step of a round waits for the previous one,', () => {
  const topic: Topic = {
    name: 'sold',
    kind: 'set',
    condition: null,
    reachDays: 1,
    restDays: 1,
    needs: null,
  };
  const refusing = () => Promise.reject(new ImportRefusal('It is no feed.'));

  /**
   * Runs rounds with all calls watched, and returns calls that started before another had ended.
   */
  async function overlapsOf(source: Connector, changed: Partial<RoundWork> = {}, rounds = 1) {
    const turns = new InTurn();
    const base = place.work(changed);
    const { keepLease, importFiles } = turns.watch({
      keepLease: base.keepLease,
      importFiles: base.importFiles,
    });
    const findCoverage = async () => {
      return { questions: 1, neverAsked: 1, oldestAt: null, medianAt: null };
    };
    const planner = turns.watch({ ...base.planner, findCoverage });
    const work = { ...base, store: turns.watch(base.store), keepLease, importFiles, planner };
    for (let round = 0; round < rounds; round++) {
      await runRound(source, work);
      expect(turns.active).toEqual([]);
    }
    return turns.overlaps;
  }

  const tokens = { left: 5, at: 0, perMinute: 1 };
  const answered = callOf('1', () => ({ files: feedOf('1-1'), tokens }), [askedSet('1')]);
  const refused = (kind: 'item' | 'later' | 'stopped') =>
    callOf('2', () => new SourceError('No.', kind), [askedSet('2')]);
  const sources: Record<string, Connector> = {
    'with answers': sourceOf(() => [answered, answered], { topics: [topic] }),
    'with nothing to ask': sourceOf(() => [], { topics: [topic] }),
    'with a rejected question': sourceOf(() => [refused('item'), answered]),
    'with a failure': sourceOf(() => [answered, refused('later')]),
    'with a stop': sourceOf(() => [refused('stopped')]),
    'beyond its budget': sourceOf(() => [answered, answered], {
      budget: { kind: 'day', calls: 1 },
    }),
  };
  test.each(Object.entries(sources))('never runs two steps at once: %s', async (_, source) => {
    expect(await overlapsOf(source)).toEqual([]);
  });

  test('with rejected files', async () => {
    const source = sourceOf(() => [answered]);
    expect(await overlapsOf(source, { importFiles: refusing })).toEqual([]);
  });

  test('with a resumed import', async () => {
    const dying = () => Promise.reject(new Error('It died.'));
    const source = sourceOf(() => [answered]);
    await expect(runRound(source, place.work({ importFiles: dying }))).rejects.toThrow('It died.');
    expect(await overlapsOf(source)).toEqual([]);
  });

  test('with an import that is given up', async () => {
    const dying = () => Promise.reject(new Error('It died.'));
    const source = sourceOf(() => [answered]);
    for (let times = 0; times < 4; times++) {
      await expect(runRound(source, place.work({ importFiles: dying }))).rejects.toThrow();
    }
    expect(await overlapsOf(source)).toEqual([]);
  });
});

test('a response without files has no rows, and is no change', async () => {
  const empty = sourceOf(() => [callOf('1', () => ({ files: [] }))]);
  const result = await runRound(empty, place.work());
  expect(result).toMatchObject({ calls: 1, rows: 0, rejects: 0, error: null });
  const { changedAt, lastSuccessAt, missing, days } = await state();
  expect([changedAt, lastSuccessAt, missing]).toEqual([null, place.now, 0]);
  expect(days).toMatchObject([{ rows: 0, rejects: 0 }]);
});

test('a free call does not count as an answer', async () => {
  const free = { ...callOf('level', () => ({ files: [] })), cost: 0 };
  const refused = callOf('2', () => new SourceError('No.', 'item'), [askedSet('2')]);
  const result = await runRound(
    sourceOf(() => [free, refused]),
    place.work(),
  );
  expect(result.error).toBe('No.');
  expect((await state()).failures).toBe(1);
});

test('the counts of several formats are added up', async () => {
  const file = (format: FormatName) => ({ name: 'a', bytes: new Uint8Array(1), format });
  const files = (['feed', 'ecb', 'keepa'] as const).map(file);
  const calls = [callOf('1', () => ({ files }))];
  const problems: Record<string, string | null> = { feed: null, ecb: 'First.', keepa: 'Second.' };
  const result = await runRound(
    sourceOf(() => calls),
    place.work({
      importFiles: async ({ format }) => {
        return { rows: 5, rejects: 2, missing: 1, changed: 3, problem: problems[format] ?? null };
      },
    }),
  );
  expect(result).toMatchObject({ rows: 15, rejects: 6, error: 'First.' });
  const { changedAt, missing, days, lastError } = await state();
  expect([changedAt, missing]).toEqual([place.now, 3]);
  expect(days).toMatchObject([{ rows: 15, rejects: 6 }]);
  expect(lastError).toEqual({ at: place.now, message: 'First.', isStopped: false });
});
