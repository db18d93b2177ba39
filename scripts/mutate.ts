/**
 * `npm run mutate`: mutation testing. Makes small changes to the source, one at a time in a copy of
 * the tree, and runs the suites that import the file until one fails. Changes that no suite detects
 * have survived, and are listed.
 */
import { getPriority, setPriority } from 'node:os';
import { relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { listFiles, listFolders, type Sample, sampleMutants } from './mutation/mutants.ts';
import { isEnough, scoresOf, survivorsOf, tableOf } from './mutation/report.ts';
import { Trial, type Tried } from './mutation/trial.ts';

const help = `npm run mutate -- [options]

  --each N       mutants per folder of src, and of the client (default 5)
  --seed N       which mutants; can be repeated (default 1)
  --file PATH    a file or a folder instead of all folders; can be repeated
  --seconds N    how long the suites for one mutant may take (default 60)

All folders with two seeds: npm run mutate -- --each 20 --seed 1 --seed 2`;

const root = resolve(import.meta.dir, '..');

function readOptions(words: readonly string[]) {
  const { values } = parseArgs({
    args: [...words],
    options: {
      each: { type: 'string', default: '5' },
      seed: { type: 'string', multiple: true, default: ['1'] },
      file: { type: 'string', multiple: true, default: listFolders(root) },
      seconds: { type: 'string', default: '60' },
    },
  });
  const toNumber = (text: string) => {
    if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
    throw new Error(`'${text}' is not a whole number above 0.`);
  };
  return {
    seeds: values.seed.map(toNumber),
    each: toNumber(values.each),
    seconds: toNumber(values.seconds),
    files: values.file.map((name) => relative(root, resolve(name))),
  };
}

type Options = ReturnType<typeof readOptions>;

/** Tries mutants until it is stopped, and prints progress. */
async function tryAll({ mutants }: Sample, trial: Trial): Promise<Tried[]> {
  const all: Tried[] = [];
  for (const mutant of mutants) {
    const tried = await trial.run(mutant);
    if (!tried) break;
    all.push(tried);
    const place = `${mutant.file}:${mutant.line} (${mutant.operator})`;
    console.error(`${all.length}/${mutants.length} ${tried.fate} ${place} ${tried.by}`);
  }
  return all;
}

/** Prints the results of a seed. */
function report(seed: number, { equivalent }: Sample, all: readonly Tried[]): void {
  const survivors = survivorsOf(all);
  if (survivors.length > 0) console.log(['\nSurvived:', ...survivors].join('\n'));
  console.log([`\nSeed ${seed}:`, ...tableOf(scoresOf(all))].join('\n'));
  const invalid = all.filter(({ fate }) => fate === 'invalid').length;
  console.log(`\nNot counted: ${invalid} that do not compile, and equivalent ones:`);
  for (const [reason, count] of equivalent) console.log(`  ${count}: ${reason}`);
}

/** Tries the mutants of all seeds; false if too many survived, or it was stopped. */
async function runSeeds({ files, seeds, each }: Options, trial: Trial): Promise<boolean> {
  if (!(await trial.compiles())) {
    if (!trial.isStopped) console.error('The tree does not compile; see `npm run check`.');
    return false;
  }
  const results: boolean[] = [];
  for (const seed of seeds) {
    const sample = sampleMutants(root, listFiles(root, files), { seed, each });
    const all = await tryAll(sample, trial);
    report(seed, sample, all);
    results.push(all.length > 0 && all.length === sample.mutants.length && isEnough(scoresOf(all)));
  }
  return results.every(Boolean);
}

async function main(words: readonly string[]): Promise<number> {
  let options: Options;
  try {
    options = readOptions(words);
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${help}`);
    return 1;
  }
  // Runs with low priority.
  setPriority(Math.max(getPriority(), 10));
  let trial: Trial | null = null;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => trial?.stop());
  trial = new Trial(root, options.seconds);
  try {
    return (await runSeeds(options, trial)) ? 0 : 1;
  } finally {
    await trial.close();
  }
}

process.exit(await main(process.argv.slice(2)));
