/** A strict parser for the Prometheus text format, which throws for anything invalid. */

export interface ReadMetrics {
  readonly types: ReadonlyMap<string, string>;
  readonly samples: readonly ReadSample[];
  /** The value of the only sample with this name and these labels; throws otherwise. */
  value(name: string, labels?: Readonly<Record<string, string>>): number;
}

interface ReadSample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const nameForm = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const labelForm = '([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\\\\n]|\\\\\\\\|\\\\"|\\\\n)*)"';
const helpLine = new RegExp(`^# HELP (${nameForm}) ((?:[^\\\\]|\\\\\\\\|\\\\n)+)$`);
const typeLine = new RegExp(`^# TYPE (${nameForm}) (counter|gauge|histogram)$`);
const sampleLine = new RegExp(
  `^(${nameForm})(?:\\{(${labelForm}(?:,${labelForm})*)\\})? ([-+]?(?:\\d[\\d.e+-]*|Inf)|NaN)$`,
);

export function readMetrics(text: string): ReadMetrics {
  if (!text.endsWith('\n')) throw new Error('The last line has no end.');
  const types = new Map<string, string>();
  const samples: ReadSample[] = [];
  const seen = new Set<string>();
  let helped = '';
  let current = '';
  for (const line of text.slice(0, -1).split('\n')) {
    const help = helpLine.exec(line);
    const type = typeLine.exec(line);
    const sample = sampleLine.exec(line);
    if (help) helped = help[1] ?? '';
    else if (type) {
      current = type[1] ?? '';
      if (helped !== current || types.has(current)) throw new Error(`Out of order: ${line}`);
      types.set(current, type[2] ?? '');
    } else if (sample) {
      const read = toSample(sample);
      const family = types.get(current) === 'histogram' ? /_(bucket|sum|count)$/ : /$^/;
      if (read.name.replace(family, '') !== current) throw new Error(`Not of its metric: ${line}`);
      const identity = line.slice(0, line.lastIndexOf(' '));
      if (seen.has(identity)) throw new Error(`Twice: ${line}`);
      seen.add(identity);
      samples.push(read);
    } else throw new Error(`Not a line of the format: ${line}`);
  }
  return { types, samples, value: (name, labels = {}) => find(samples, name, labels) };
}

function toSample(match: RegExpExecArray): ReadSample {
  const [, name = '', labels = ''] = match;
  const pairs = [...labels.matchAll(new RegExp(labelForm, 'g'))].map(
    ([, label = '', value = '']) => [label, readEscapes(value)] as const,
  );
  const text = (match.at(-1) ?? '').replace('Inf', 'Infinity');
  return { name, labels: Object.fromEntries(pairs), value: Number(text) };
}

function readEscapes(text: string): string {
  return text.replace(/\\(.)/g, (_, mark) => (mark === 'n' ? '\n' : mark));
}

function find(
  samples: readonly ReadSample[],
  name: string,
  labels: Readonly<Record<string, string>>,
): number {
  const found = samples.filter(
    (sample) => sample.name === name && Bun.deepEquals(sample.labels, labels),
  );
  if (found.length !== 1) throw new Error(`${found.length} samples of ${name}`);
  return found[0]?.value ?? Number.NaN;
}
