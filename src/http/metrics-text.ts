/** The Prometheus text format, version 0.0.4. */

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

/** A metric of ours with a single value. */
export function gauge(name: string, help: string, value: number): Metric {
  return { name: `brickmark_${name}`, type: 'gauge', help, samples: [{ value }] };
}

/** Counts from the start of the process. */
export function counter(name: string, help: string, value: number): Metric {
  return { ...gauge(name, help, value), type: 'counter' };
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
