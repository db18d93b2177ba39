/**
 * `npm run mutate`: whether tests would notice. Makes small mistakes in the source, one at a time
 * in a copy of the tree, and runs the suites that import the file until one fails. What none of
 * them notices has survived, and is listed. A sample by a seed: `--seed N --count N`;
 * `--file PATH`, once or several times, limits it to files or folders. `--seconds N`: how much
 * processor time suites get for each mutant.
 */
import { getPriority, setPriority } from 'node:os';
import { relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { listFiles, mutatedFolders, type Sample, sampleMutants } from './mutation/mutants.ts';
import { type Fate, TreeError, Trial, type Tried } from './mutation/trial.ts';

const root = resolve(import.meta.dir, '..');

/** Below this share of noticed mistakes, the run has failed. */
const scoreMin = 0.9;

/** Others come first: this takes long, and nobody waits for it. */
const lowPriority = 10;

interface Options {
  readonly seed: number;
  readonly count: number;
  readonly seconds: number;
  readonly files: readonly string[];
}

function readOptions(words: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...words],
    options: {
      seed: { type: 'string', default: '1' },
      count: { type: 'string', default: '60' },
      seconds: { type: 'string', default: '30' },
      file: { type: 'string', multiple: true },
    },
  });
  const read = (name: 'seed' | 'count' | 'seconds') => {
    const number = Number(values[name]);
    if (Number.isSafeInteger(number) && number > 0) return number;
    throw new Error(`--${name} is a whole number above 0.`);
  };
  const files = values.file?.map((name) => relative(root, resolve(name)));
  return {
    seed: read('seed'),
    count: read('count'),
    seconds: read('seconds'),
    files: files ?? mutatedFolders,
  };
}

/** Tries every mutant, and says how far it is. */
async function tryAll({ mutants }: Sample, trial: Trial): Promise<Tried[]> {
  const all: Tried[] = [];
  for (const mutant of mutants) {
    const place = `${mutant.file}:${mutant.line}`;
    if (process.stderr.isTTY) process.stderr.write(`${all.length + 1}/${mutants.length} ${place}`);
    const tried = await trial.run(mutant);
    if (!tried) break;
    all.push(tried);
    if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
    const how = `${tried.fate} ${place} (${mutant.operator})`;
    console.error(`${all.length}/${mutants.length} ${how} ${tried.by}`);
  }
  return all;
}

const countOf = (all: readonly Tried[], fate: Fate) =>
  all.filter((tried) => tried.fate === fate).length;

/** The share of mistakes that were noticed, of those that could have been made. */
function scoreOf(all: readonly Tried[]): number {
  const noticed = countOf(all, 'killed') + countOf(all, 'slow');
  const judged = noticed + countOf(all, 'survived');
  return judged === 0 ? 0 : noticed / judged;
}

function report(sample: Sample, all: readonly Tried[], { seed, count }: Options): void {
  const survivors = all.filter(({ fate }) => fate === 'survived');
  if (survivors.length > 0) console.log('Survived:\n');
  for (const { mutant, by } of survivors) {
    console.log(`  ${mutant.file}:${mutant.line}  ${mutant.operator}, after ${by}`);
    console.log(`    - ${mutant.before}\n    + ${mutant.after}\n`);
  }
  const counts = (['killed', 'slow', 'survived', 'no program'] as const).map(
    (fate) => `${countOf(all, fate)} ${fate}`,
  );
  console.log(
    `Seed ${seed}, ${all.length} of ${count} mutants at ${sample.points} places: ` +
      `${counts.join(', ')}.`,
  );
  console.log(
    `Left out: ${sample.discarded} that are no other program, ${sample.equivalent} equivalent.`,
  );
  console.log(`Score: ${(scoreOf(all) * 100).toFixed(1)}%, at least ${scoreMin * 100}% wanted.`);
}

async function main(options: Options): Promise<number> {
  setPriority(Math.max(getPriority(), lowPriority));
  const files = listFiles(root, options.files);
  const sample = sampleMutants(root, files, options);
  if (sample.mutants.length === 0) {
    console.error(`Nothing can be mutated in ${options.files.join(', ')}.`);
    return 1;
  }
  let trial: Trial | null = null;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => trial?.stop());
  }
  trial = new Trial(root, options.seconds);
  try {
    const all = await tryAll(sample, trial);
    report(sample, all, options);
    return all.length < sample.mutants.length || scoreOf(all) < scoreMin ? 1 : 0;
  } catch (error) {
    if (!(error instanceof TreeError)) throw error;
    console.error(error.message);
    return 1;
  } finally {
    await trial.close();
  }
}

/** What was typed; null, and a sentence, when it cannot be understood. */
function readTyped(words: readonly string[]): Options | null {
  try {
    return readOptions(words);
  } catch (error) {
    console.error(`${(error as Error).message} See CONTRIBUTING.md, "Mutation testing".`);
    return null;
  }
}

const typed = readTyped(process.argv.slice(2));
process.exit(typed ? await main(typed) : 1);
