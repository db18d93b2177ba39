/** `sync …`: fetches from the configured sources, with the operator's keys. */

import { type Config, ConfigError } from '../../config.ts';
import { makeLog } from '../../http/log.ts';
import { waitingText } from '../../ingest/runner/waiting-text.ts';
import { momentText } from '../../kernel/format.ts';
import { formatInstant } from '../../kernel/time.ts';
import type { Store } from '../../store/store.ts';
import { leftOf } from '../../sync/budget.ts';
import { SourceError } from '../../sync/client.work.ts';
import type { Connector } from '../../sync/connector.work.ts';
import { syncLease } from '../../sync/lease.ts';
import { liftStop, type SyncEvents, SyncLoop } from '../../sync/loop.work.ts';
import { makePlanner } from '../../sync/planner.work.ts';
import type { RoundResult } from '../../sync/round.work.ts';
import { roundMax } from '../../sync/round.work.ts';
import type { KeylessSource } from '../../sync/secret-reader.work.ts';
import type { SourceState } from '../../sync/source-state.ts';
import { dueNow, emptyState } from '../../sync/state-changes.ts';
import type { Context } from '../command.ts';
import { CommandError, command, withExistingStore, withStore } from '../command.ts';
import { isLiveDemo, refuseDemo } from '../demo.ts';
import { writeLog } from '../processes/this-process.ts';
import { reloadOnRequest } from '../reload.ts';
import { UsageError } from '../row.ts';
import { SyncLoops } from './sync-loops.ts';
import { chooseSources, findConnectors, type Sources, withoutSecrets } from './sync-sources.ts';
import {
  keylessJson,
  keylessText,
  planJson,
  planText,
  roundJson,
  roundText,
  type SourceStatus,
  statusJson,
  statusText,
  waitingJson,
} from './sync-text.ts';
import { type InTurn, makeSyncWork } from './sync-work.ts';

const sourceNames = { label: 'SOURCE', isMany: true, isOptional: true } as const;

export const syncCommands = [
  command({
    name: 'sync',
    operands: { names: sourceNames },
    summary: 'Fetch from the sources in sources.toml, then value and publish',
    flags: {
      once: { help: 'Fetch what is due now, then exit' },
      now: { help: 'Fetch from the named sources now, due or not, then exit' },
      'dry-run': { help: 'Show the next calls and why, without making them' },
    },
    check: ({ names, once, now, dryRun }) => {
      if (!now) return;
      if (names.length === 0) throw new UsageError('--now needs a SOURCE.');
      if (once || dryRun) throw new UsageError('Use --now without --once and --dry-run.');
    },
    run: async ({ names, once, now, dryRun }, context) => {
      if (!isLiveDemo(context.config)) refuseDemo(context.config);
      if (dryRun) return showPlan(chooseSources(context.config, names, withoutSecrets), context);
      context.lowerPriority();
      if (now) return withImportingStore(context, (store) => syncNow(names, context, store));
      const sources = chooseSources(context.config, names);
      for (const warning of sources.settings.warnings) context.say(warning);
      await withImportingStore(context, async (store) => {
        if (!once) return keepSyncing(sources, context, { store, names });
        // Naming a stopped source means that its problem has been fixed.
        return syncOnce(sources, context, { store, liftsStops: names.length > 0 });
      });
    },
  }),
  command({
    name: 'sync check',
    operands: { names: sourceNames },
    summary: 'Test the connection to each source with its cheapest call',
    run: async ({ names }, context) => {
      const sources = chooseSources(context.config, names);
      await withImportingStore(context, (store) => checkSources(sources, context, store));
    },
  }),
  command({
    name: 'sync status',
    summary: 'Show last success, errors, budget left and data age by source',
    needs: 'store to read',
    run: (_, context) => showStatus(context, context.store),
  }),
];

/** Throws for a database role that cannot import, before any call is made. */
export function withImportingStore(
  context: Context,
  work: (store: Store) => Promise<void>,
): Promise<void> {
  return withStore(context, async (store) => {
    if (!(await store.mayPublish())) {
      throw new CommandError(
        'This database role cannot import. Use another --database, with brickmark_market.',
      );
    }
    await work(store);
  });
}

/** While a server syncs, it fetches what this makes due, with keys that a shell may not have. */
async function syncNow(names: readonly string[], context: Context, store: Store): Promise<void> {
  const { config } = context;
  const due = chooseSources(config, names, withoutSecrets).connectors.map(({ name }) => name);
  for (const name of due) await store.sync.changeSource(name, dueNow);
  if (!(await isSyncing(config, store))) {
    return syncOnce(chooseSources(config, names), context, { store, liftsStops: true });
  }
  context.result(
    { sources: [], due },
    `Due now: ${due.join(', ')}. The process that is syncing fetches within a minute; ` +
      "'brickmark sync status' shows the result.",
  );
}

async function syncOnce(
  sources: Sources,
  context: Context,
  { store, liftsStops }: { readonly store: Store; readonly liftsStops: boolean },
): Promise<void> {
  const work = makeSyncWork({ context, store }, sources, {
    onRound: () => {},
    onSkipped: (...skipped) => context.say(skipped.join(': ')),
    onFailure: (error) => context.say(`Unexpected error: ${(error as Error).message}.`),
  });
  const { lease } = work;
  if (!(await lease.take())) throw heldElsewhere();
  const loop = new SyncLoop(work);
  const runDue = async () => {
    if (liftsStops) await loop.liftStops();
    return loop.runDue();
  };
  const results = await runDue().finally(() => lease.release());
  const waiting = await listWaiting(sources, store, results);
  const { keyless } = sources;
  context.result(
    { sources: [...results.map(roundJson), ...keyless.map(keylessJson)] },
    [...results.map(roundText), ...waiting, ...keyless.map(keylessText)].join('\n'),
  );
  const failed = results.filter(({ error }) => error !== null).map(({ source }) => source);
  const names = [...failed, ...keyless.map(({ name }) => name)];
  if (names.length === 0) return;
  throw new CommandError(`Sync failed for ${names.join(', ')}. See the errors above.`);
}

async function listWaiting(
  { connectors }: Sources,
  store: Store,
  results: readonly RoundResult[],
): Promise<string[]> {
  const lines: string[] = [];
  for (const { name } of connectors) {
    if (results.some(({ source }) => source === name)) continue;
    const { nextAt, lastError } = await store.sync.findSource(name);
    const stopped = lastError?.isStopped ? ` Stopped: ${lastError.message}` : '';
    lines.push(`${name}: nothing due before ${momentText(nextAt)}.${stopped}`);
  }
  return lines;
}

/** Whether a process has the lease. */
async function isSyncing({ clock }: Config, store: Store): Promise<boolean> {
  const lease = syncLease(store.market, clock, crypto.randomUUID());
  if (!(await lease.take())) return true;
  await lease.release();
  return false;
}

function heldElsewhere(): CommandError {
  return new CommandError(
    'Another process is already syncing, such as serve, upkeep or another sync. Stop it first; ' +
      'if it was killed, wait 30 seconds.',
  );
}

async function keepSyncing(
  sources: Sources,
  context: Context,
  { store, names }: { readonly store: Store; readonly names: readonly string[] },
): Promise<void> {
  const events: SyncEvents = {
    onRound: (result) => context.say(roundText(result)),
    onSkipped: (...skipped) => context.say(skipped.join(': ')),
    onFailure: (error) => context.say(`Unexpected error: ${(error as Error).message}.`),
  };
  if (await isSyncing(context.config, store)) throw heldElsewhere();
  const onKeyless = (source: KeylessSource) => context.say(keylessText(source));
  const loops = new SyncLoops(sources, { context, store, names, events, onKeyless });
  const listed = sources.connectors.map(({ name }) => name).join(', ') || 'nothing';
  context.say(`Syncing from ${listed}. Press Ctrl-C to stop.`);
  reloadOnRequest('sync', context, async () => {
    const next = chooseSources(context.config, names);
    loops.replace(next);
    return next.keyless;
  });
  await loops.run();
}

/**
 * Syncs from all sources until shutdown. The helper process logs its results, and waits for the
 * lease if another process has it. With invalid settings it reports the error and does not sync.
 */
export async function syncAsHelper(context: Context, store: Store, inTurn: InTurn): Promise<void> {
  const sources = findValidSources(context);
  if (sources === null) return;
  for (const warning of sources.settings.warnings) context.say(warning);
  const { log: level, clock } = context.config;
  const log = makeLog({ level, clock, write: writeLog });
  const events: SyncEvents = {
    onRound: ({ source, calls, rows, rejects, error, nextAt }) => {
      if (error === null) log.event('sync', { source, calls, rows, rejects });
      else log.warning('sync', { source, error, next_at: formatInstant(nextAt) });
    },
    onSkipped: (source, subject, error) => log.warning('sync', { source, subject, error }),
    onFailure: (error) => log.failure('sync', error),
  };
  const onKeyless = ({ name, problem }: KeylessSource) =>
    log.warning('sync', { source: name, error: problem });
  await new SyncLoops(sources, { context, store, names: [], events, onKeyless, inTurn }).run();
  log.flush();
}

function findValidSources(context: Context): Sources | null {
  try {
    return chooseSources(context.config, []);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    context.say(`Sync is off: ${error.message}`);
    return null;
  }
}

/** Shows the next calls, due or not. */
async function showPlan({ connectors }: Sources, context: Context): Promise<void> {
  const at = context.config.clock();
  const show = async (store: Store) => {
    const planner = makePlanner(store.sync);
    const plans = [];
    for (const connector of connectors) {
      const { name: source, budget } = connector;
      const { cursor, nextAt, budget: spent } = await store.sync.findSource(source);
      const left = budget && leftOf(spent, budget, at);
      const limit = roundMax.calls;
      const plan = await connector.plan({ source, cursor, at, limit, left, planner });
      plans.push({ source, nextAt, plan });
    }
    context.result(planJson(plans), planText(plans, at));
  };
  await withExistingStore(context, show, { onlyReads: true });
}

interface Checked {
  readonly source: string;
  readonly result: 'works' | 'fails' | 'not_asked';
  readonly message: string;
}

async function checkSources(sources: Sources, context: Context, store: Store): Promise<void> {
  const checked: Checked[] = sources.keyless.map(({ name, problem }) => {
    return { source: name, result: 'fails', message: problem };
  });
  for (const connector of sources.connectors) {
    checked.push(await checkSource(connector, sources, context, store));
  }
  context.result(
    { sources: checked },
    checked.map(({ source, message }) => `${source}: ${message}`).join('\n'),
  );
  const broken = checked.filter(({ result }) => result === 'fails').map(({ source }) => source);
  if (broken.length > 0) throw new CommandError(`Not working: ${broken.join(', ')}.`);
}

async function checkSource(
  connector: Connector,
  { client, redact }: Sources,
  { config }: Context,
  store: Store,
): Promise<Checked> {
  const { name: source, budget: rule } = connector;
  const at = config.clock();
  const cost = connector.isCheckFree ? 0 : 1;
  const spending = await store.sync.spend(source, { rule, cost, at });
  if (!spending.isGranted) {
    const message = `not tested: its budget is used up until ${momentText(spending.nextAt)}.`;
    return { source, result: 'not_asked', message };
  }
  try {
    const message = await connector.check(client);
    await liftStop(store.sync, source);
    return { source, result: 'works', message };
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    return { source, result: 'fails', message: redact(error.message) };
  }
}

/** Shows configured sources, sources called before, and errors in the settings. */
async function showStatus(context: Context, store: Store): Promise<void> {
  const at = context.config.clock();
  const { connectors, problem } = findConnectors(context.config);
  const names = connectors.map(({ name }) => name);
  const states = new Map<string, SourceState>();
  for (const { source, state } of await store.sync.listSources()) states.set(source, state);
  const all = [...new Set([...names, ...states.keys()])];
  const sources: SourceStatus[] = all.map((source) => {
    const state = states.get(source) ?? emptyState;
    const connector = connectors.find(({ name }) => name === source);
    const mark = state.settingsMark ?? null;
    const isChanged = connector !== undefined && mark !== null && mark !== connector.settingsMark;
    return { source, isOn: connector !== undefined, isChanged, state };
  });
  const lines = [
    ...(problem === null ? [] : [`Sync is off: ${problem}`]),
    ...(sources.length === 0 ? [] : [statusText(sources, at)]),
  ];
  const waiting = await store.market.listWaiting();
  const none = 'No sources configured. See docs/sources for how to add one.';
  context.result(
    {
      problem,
      sources: sources.map((source) => statusJson(source, at)),
      waiting: waiting.map(waitingJson),
    },
    [
      ...(lines.length > 0 ? lines : [none]),
      ...(waiting.length === 0 ? [] : [waitingText(waiting)]),
    ].join('\n'),
  );
  if (problem !== null) throw new CommandError('The source settings are invalid. See above.');
  const stopped = sources.filter(({ isOn, state }) => isOn && state.lastError?.isStopped);
  if (stopped.length === 0) return;
  throw new CommandError(`Stopped: ${stopped.map(({ source }) => source).join(', ')}. See above.`);
}
