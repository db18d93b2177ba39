/**
 * What a server counts, cheaply because it runs for every request, its helper processes, and the
 * text format of Prometheus, version 0.0.4.
 */

import { allEndpoints, type EndpointName } from '../contract/all-endpoints.ts';
import { allErrors, type ErrorCode } from '../contract/errors.ts';
import { secondMs } from '../kernel/time.ts';
import { otherRoutes, type RequestOutcome, type RouteName } from './request-outcome.ts';

/** Upper bounds of the latency histogram, in milliseconds; the last bucket has none. */
const boundsMs = [1, 2.5, 5, 10, 50, 250, 1000, 5000];

const classes = ['2xx', '3xx', '4xx', '5xx'] as const;

interface RouteCounts {
  /** Responses by the first digit of the status. */
  readonly byClass: number[];
  /** Responses by latency bucket, not cumulative. */
  readonly byBucket: number[];
  sumMs: number;
}

/** Counters of a process, which start at zero, as Prometheus expects. */
export class Metrics {
  private readonly routes = new Map<RouteName, RouteCounts>();
  private readonly refusals = new Map<ErrorCode, number>();
  private costGranted = 0;
  /** Connections ended because there were too many. */
  connectionsEnded = 0;
  /** Calls with test keys, which are counted nowhere else. */
  testCalls = 0;
  /** Open streams, events written to all streams, and the cost of their further hours. */
  readonly streams = { open: 0, events: 0, cost: 0 };
  /** Reported by the upkeep. */
  readonly upkeep = { rounds: 0, failures: 0, published: 0, lastSuccessAt: 0 };

  constructor(private readonly hasUpkeep: boolean) {
    for (const name of [...(Object.keys(allEndpoints) as EndpointName[]), ...otherRoutes]) {
      const byBucket = new Array<number>(boundsMs.length + 1).fill(0);
      this.routes.set(name, { byClass: [], byBucket, sumMs: 0 });
    }
    for (const code of Object.keys(allErrors) as ErrorCode[]) this.refusals.set(code, 0);
  }

  count(route: RouteName, { status, code, cost }: RequestOutcome, ms: number): void {
    const counts = this.routes.get(route);
    if (!counts) return;
    increase(counts.byClass, Math.trunc(status / 100));
    increase(counts.byBucket, bucketOf(ms));
    counts.sumMs += ms;
    this.costGranted += cost;
    if (code !== null) this.refusals.set(code, (this.refusals.get(code) ?? 0) + 1);
  }

  list(): Metric[] {
    const routes = [...this.routes];
    return [
      counter(
        'requests_total',
        'Responses by route and status class.',
        routes.flatMap(([route, counts]) => classSamples(route, counts)),
      ),
      {
        name: 'brickmark_request_duration_seconds',
        type: 'histogram',
        help: 'Time from a request until its response is ready to send.',
        samples: routes.flatMap(([route, counts]) => durationSamples(route, counts)),
      },
      counter(
        'refusals_total',
        'Error responses by code.',
        [...this.refusals].map(([code, value]) => ({ labels: { code }, value })),
      ),
      counter('cost_granted_total', 'Calls charged to keys.', this.costGranted + this.streams.cost),
      counter('test_calls_total', 'Calls with test keys.', this.testCalls),
      counter(
        'connections_ended_total',
        'Connections closed because there were too many, from one network or in total.',
        this.connectionsEnded,
      ),
      gauge('streams_open', 'Open event streams.', this.streams.open),
      counter('stream_events_total', 'Events sent to streams.', this.streams.events),
      ...(this.hasUpkeep ? this.listUpkeep() : []),
    ];
  }

  private listUpkeep(): Metric[] {
    const { rounds, failures, published, lastSuccessAt } = this.upkeep;
    return [
      counter('upkeep_rounds_total', 'Upkeep rounds.', rounds),
      counter('upkeep_failures_total', 'Upkeep rounds that failed.', failures),
      counter('upkeep_published_total', 'Items that the upkeep published.', published),
      gauge(
        'upkeep_last_success_timestamp_seconds',
        'When the last upkeep round succeeded; 0 before the first.',
        lastSuccessAt / secondMs,
      ),
    ];
  }
}

/** The facts of a helper that its running process reports. */
export interface HelperFacts {
  /** Since the last heartbeat; 0 while there is no such process. */
  readonly silentMs: number;
  /** Resident memory; 0 if there is no such process, or the system does not say. */
  readonly memoryBytes: number;
}

interface Helper {
  replaced: number;
  findFacts: () => HelperFacts;
}

const noHelper: HelperFacts = { silentMs: 0, memoryBytes: 0 };

export class HelperHealth {
  private readonly helpers: Map<string, Helper>;

  constructor(names: readonly string[]) {
    this.helpers = new Map(names.map((name) => [name, { replaced: 0, findFacts: () => noHelper }]));
  }

  watch(name: string, findFacts: () => HelperFacts): void {
    const helper = this.helpers.get(name);
    if (helper) helper.findFacts = findFacts;
  }

  /** Called when a process is replaced because it stood still or died. */
  noteReplaced(name: string): void {
    const helper = this.helpers.get(name);
    if (helper) helper.replaced++;
  }

  silentMsOf(name: string): number {
    return this.helpers.get(name)?.findFacts().silentMs ?? 0;
  }

  list(): Metric[] {
    const samplesOf = (read: (helper: Helper) => number): Sample[] =>
      [...this.helpers].map(([name, helper]) => ({
        labels: { helper: name },
        value: read(helper),
      }));
    return [
      counter(
        'helper_replaced_total',
        'Helper processes replaced because they stood still or died.',
        samplesOf(({ replaced }) => replaced),
      ),
      gauge(
        'helper_silent_seconds',
        'Time since the last heartbeat of a helper process; 0 if there is none.',
        samplesOf(({ findFacts }) => findFacts().silentMs / secondMs),
      ),
      gauge(
        'helper_memory_bytes',
        'Resident memory of a helper process; 0 if there is none.',
        samplesOf(({ findFacts }) => findFacts().memoryBytes),
      ),
    ];
  }
}

function increase(counts: number[], index: number): void {
  counts[index] = (counts[index] ?? 0) + 1;
}

function bucketOf(ms: number): number {
  const bucket = boundsMs.findIndex((bound) => ms <= bound);
  return bucket < 0 ? boundsMs.length : bucket;
}

function classSamples(route: RouteName, { byClass }: RouteCounts): Sample[] {
  return classes.map((status) => ({
    labels: { route, status },
    value: byClass[Number(status[0])] ?? 0,
  }));
}

/** Cumulative, as Prometheus expects. */
function durationSamples(route: RouteName, counts: RouteCounts): Sample[] {
  let total = 0;
  const buckets = counts.byBucket.map((count, index) => {
    total += count;
    const bound = boundsMs[index];
    const le = bound === undefined ? '+Inf' : String(bound / secondMs);
    return { suffix: '_bucket', labels: { route, le }, value: total };
  });
  return [
    ...buckets,
    { suffix: '_sum', labels: { route }, value: counts.sumMs / secondMs },
    { suffix: '_count', labels: { route }, value: total },
  ];
}

export const metricsType = 'text/plain; version=0.0.4; charset=utf-8';

/** Label names and values. All values are from finite lists. */
export type Labels = Readonly<Record<string, string>>;

/** One value of a metric; parts of a histogram have a suffix such as `_bucket`. */
export interface Sample {
  readonly suffix?: string;
  readonly labels?: Labels;
  readonly value: number;
}

export interface Metric {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly samples: readonly Sample[];
}

/** A metric of ours with a single value, or with samples. */
export function gauge(name: string, help: string, value: number | readonly Sample[]): Metric {
  const samples = typeof value === 'number' ? [{ value }] : value;
  return { name: `brickmark_${name}`, type: 'gauge', help, samples };
}

/** Counts from the start of the process. */
export function counter(...metric: Parameters<typeof gauge>): Metric {
  return { ...gauge(...metric), type: 'counter' };
}

/** Every line ends with a line feed, as the format requires. */
export function writeMetrics(metrics: readonly Metric[]): string {
  return metrics.map(writeMetric).join('');
}

function writeMetric({ name, type, help, samples }: Metric): string {
  const lines = samples.map(
    ({ suffix = '', labels = {}, value }) =>
      `${name}${suffix}${writeLabels(labels)} ${writeNumber(value)}\n`,
  );
  return `# HELP ${name} ${escapeHelp(help)}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}

function writeLabels(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function escapeLabel(text: string): string {
  return escapeHelp(text).replaceAll('"', '\\"');
}

function escapeHelp(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}

function writeNumber(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf';
  return value === Number.NEGATIVE_INFINITY ? '-Inf' : String(value);
}
