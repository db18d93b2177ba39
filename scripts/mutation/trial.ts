/** Tries mutants, one at a time, in a copy of the tree that is thrown away. */
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PostgresServer } from '../../test/support/postgres-server.ts';
import { Coverage } from './coverage.ts';
import type { Mutant } from './mutants.ts';
import { linesToRun } from './run-lines.ts';
import { type Engine, enginesOf, Suites } from './suites.ts';

/**
 * What became of a mutant. `slow`: a suite took far longer than it may, which would be noticed;
 * `no program`: no test failed, but the types are wrong, so that it cannot be committed.
 */
export type Fate = 'killed' | 'slow' | 'survived' | 'no program';

/** A mutant that was tried. */
export interface Tried {
  readonly mutant: Mutant;
  readonly fate: Fate;
  /** The test that failed, or how many suites did not. */
  readonly by: string;
}

/** What became of a suite. */
interface Run {
  /** The first test that failed; null when all passed. */
  readonly failed: string | null;
  readonly suite: string;
  /** It was ended because it took too long. */
  readonly isSlow: boolean;
  /** A test waited until its time was up, which on the busiest machine is far too long. */
  readonly isStuck: boolean;
  /** The processor time that it took. */
  readonly seconds: number;
}

/** Nothing can be said of mutants of this tree; the message says why. */
export class TreeError extends Error {}

/** How much processor time one suite may take; one that takes more as it is, is left out. */
const suiteSecondsMax = 30;

/** How long one test may take on a busy machine. */
const testMsMax = 180_000;

/** The processor time after which the types are asked, which takes about as long. */
const secondsBeforeTypes = 3;

/** A copy of the tree, and a PostgreSQL that is started when it is first needed. */
export class Trial {
  private readonly folder = mkdtempSync(join(tmpdir(), 'brickmark-mutate-'));
  private readonly suites: Suites;
  private server: Promise<PostgresServer> | null = null;
  private running: Bun.Subprocess | null = null;
  private isStopped = false;
  /** Whether suites pass as they are, by engine and path. */
  private readonly sound = new Map<string, boolean>();
  /** Whether the tree compiles as it is; asked when a mutant does not. */
  private isTreeSound: Promise<boolean> | null = null;
  /** What suites that passed have run. */
  private readonly coverage: Coverage;

  /** `secondsMax`: how much processor time suites get before a mutant has survived them. */
  constructor(
    root: string,
    private readonly secondsMax: number,
  ) {
    copyTree(root, this.folder);
    this.coverage = new Coverage(root, join(root, keptCoverage));
    this.suites = new Suites(this.folder);
  }

  /** Tries a mutant; the copy is as before afterwards. Null: it was stopped. */
  async run(mutant: Mutant): Promise<Tried | null> {
    this.write(mutant.file, mutant.mutated);
    const tried = await this.judge(mutant);
    this.write(mutant.file, mutant.original);
    return this.isStopped ? null : tried;
  }

  /** Ends what runs, and removes the copy. */
  async close(): Promise<void> {
    this.stop();
    this.coverage.save();
    await (await this.server)?.remove();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Ends what runs, with all the processes that it started; nothing else is begun. */
  stop(): void {
    this.isStopped = true;
    if (this.running) endGroup(this.running.pid);
  }

  /** Asks suites, the nearest first, until one fails; none that is known not to run the line. */
  private async judge(mutant: Mutant): Promise<Tried> {
    let passed = 0;
    let areTypesAsked = false;
    for (const engine of enginesOf(mutant.file, mutant.operator)) {
      let seconds = 0;
      for (const suite of this.suitesOf(mutant, engine)) {
        if (this.isStopped || seconds >= this.secondsMax) break;
        const run = await this.test(suite, engine, mutant);
        seconds += run.seconds;
        if (run.failed !== null) {
          const isSound = await this.isSound(suite, engine, mutant);
          if (isSound && (await this.failsAgain(run, engine, mutant))) return noticed(mutant, run);
          const why = isSound ? 'failed only once' : 'fails as it is';
          console.error(`  ${suite} ${why} on ${engine}, and is left out.`);
          continue;
        }
        passed++;
        if (areTypesAsked || seconds < secondsBeforeTypes) continue;
        // Most mistakes are noticed by now. Before many more suites are asked, the types are.
        if (!(await this.compiles(mutant))) return noProgram(mutant);
        areTypesAsked = true;
      }
    }
    if (!areTypesAsked && !(await this.compiles(mutant))) return noProgram(mutant);
    return { mutant, fate: 'survived', by: `${passed} suites` };
  }

  /** The suites to be asked: near ones and those that run the line, then those not yet known. */
  private suitesOf({ file, line, operator, original }: Mutant, engine: Engine): string[] {
    const lines = linesToRun(original, line);
    const asked = this.suites.of(file, engine, operator).map((suite) => {
      const runs = this.coverage.runsAny({ suite: `${engine} ${suite}`, file, lines });
      return { suite, runs: this.suites.startsProcesses(suite) && !runs ? null : runs };
    });
    const isNear = ({ suite }: { readonly suite: string }) => this.suites.isNear(suite, file);
    const first = asked.filter((each) => each.runs === true || isNear(each));
    const unknown = asked.filter((each) => each.runs === null && !isNear(each));
    return [...first, ...unknown].map(({ suite }) => suite);
  }

  /** Whether a suite passes without the mutant; found out once for each that noticed one. */
  private async isSound(suite: string, engine: Engine, mutant: Mutant): Promise<boolean> {
    const name = `${engine} ${suite}`;
    const known = this.sound.get(name);
    if (known !== undefined) return known;
    this.write(mutant.file, mutant.original);
    const isSound = (await this.test(suite, engine, null)).failed === null;
    this.write(mutant.file, mutant.mutated);
    this.sound.set(name, isSound);
    return isSound;
  }

  /** Servers and processes may take too long on a busy machine: what they show, they show twice. */
  private async failsAgain(run: Run, engine: Engine, mutant: Mutant): Promise<boolean> {
    const isSteady = engine === 'SQLite' && !this.suites.startsProcesses(run.suite);
    if (isSteady || run.isSlow || run.isStuck) return true;
    return (await this.test(run.suite, engine, mutant)).failed !== null;
  }

  /** Runs a suite until a test fails. */
  private async test(suite: string, engine: Engine, mutant: Mutant | null): Promise<Run> {
    const first = await this.testOnce(suite, engine);
    // What prepares tests has time limits of its own, which a busy machine may exceed once.
    const isRepeated = first.failed?.endsWith('(unnamed)') === true;
    const run = isRepeated ? await this.testOnce(suite, engine) : first;
    const report = join(this.folder, coverageFolder, 'lcov.info');
    if (run.failed !== null || !existsSync(report)) return run;
    // Where a mutant has other lines than the file, they would be taken for each other.
    const isMoved = mutant && linesIn(mutant.mutated) !== linesIn(mutant.original);
    const except = isMoved ? mutant.file : null;
    this.coverage.learn(`${engine} ${suite}`, readFileSync(report, 'utf8'), except);
    return run;
  }

  private async testOnce(suite: string, engine: Engine): Promise<Run> {
    const url = engine === 'PostgreSQL' ? await this.databaseUrl() : undefined;
    rmSync(join(this.folder, coverageFolder), { recursive: true, force: true });
    // Processor time is what the limit is on: how long a busy machine takes says nothing.
    const limited = ['sh', '-c', `ulimit -t ${suiteSecondsMax}; exec "$0" "$@"`];
    const words = ['test', '--bail', '--timeout', String(testMsMax), ...coverageWords];
    const run = await this.spawn([...limited, process.execPath, ...words, `./${suite}`], url);
    const { output, status, seconds } = run;
    const isSlow = run.signal !== null;
    const [, after = ''] = output.split(/^\(fail\) /m, 2);
    const test =
      after.split('\n')[0]?.replace(/ \[[\d.]+m?s\]$/, '') ||
      (isSlow ? 'took too long' : 'did not load');
    const isStuck = output.includes('this test timed out after');
    return { failed: status === 0 ? null : test, suite, isSlow, isStuck, seconds };
  }

  /**
   * Whether a mutant compiles. Where the tree itself does not, every survivor would seem to be no
   * program, and the score would be higher than it is.
   */
  private async compiles(mutant: Mutant): Promise<boolean> {
    if (await this.hasRightTypes()) return true;
    this.write(mutant.file, mutant.original);
    this.isTreeSound ??= this.hasRightTypes();
    const isTreeSound = await this.isTreeSound;
    this.write(mutant.file, mutant.mutated);
    if (isTreeSound || this.isStopped) return false;
    throw new TreeError('The tree does not compile as it is; run `npm run check` first.');
  }

  /** What tsc found out about the tree before is kept, so that it checks one file alone. */
  private async hasRightTypes(): Promise<boolean> {
    const tsc = join(this.folder, 'node_modules', '.bin', 'tsc');
    const kept = ['--incremental', '--tsBuildInfoFile', join(this.folder, '.types.json')];
    const words = ['--noEmit', '--assumeChangesOnlyAffectDirectDependencies', ...kept];
    return (await this.spawn([tsc, ...words], undefined)).status === 0;
  }

  private async spawn(words: readonly string[], url: string | undefined) {
    if (this.isStopped) return { output: '', status: 1, signal: null, seconds: 0 };
    const child = Bun.spawn([...words], {
      cwd: this.folder,
      // What is shared between suites was made from the source as it is, not as it is tried.
      env: {
        ...process.env,
        BRICKMARK_TEST_DATABASE_URL: url,
        BRICKMARK_TEST_SHARED: undefined,
        NO_COLOR: '1',
      },
      stdio: ['ignore', 'ignore', 'pipe'],
      // A group of its own, so that it is ended with all that it started.
      detached: true,
    });
    this.running = child;
    const output = new Response(child.stderr).text();
    const status = await child.exited;
    this.running = null;
    // A suite that was ended may have left processes behind.
    endGroup(child.pid);
    const seconds = Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1e6;
    return { output: await output, status, signal: child.signalCode, seconds };
  }

  private write(file: string, text: string): void {
    writeFileSync(join(this.folder, file), text);
  }

  private async databaseUrl(): Promise<string> {
    this.server ??= PostgresServer.launch();
    return (await this.server).url();
  }
}

/** Where it is kept which lines suites run. */
const keptCoverage = 'node_modules/.cache/brickmark-mutate.json';

/** Where a suite writes which lines it has run. */
const coverageFolder = '.coverage';
const coverageWords = [
  '--coverage',
  '--coverage-reporter=lcov',
  `--coverage-dir=${coverageFolder}`,
];

const linesIn = (text: string) => text.split('\n').length;

/** Ends all processes of a group; there may be none left. */
function endGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ESRCH') throw error;
  }
}

function noticed(mutant: Mutant, { isSlow, suite, failed }: Run): Tried {
  return { mutant, fate: isSlow ? 'slow' : 'killed', by: `${suite}: ${failed}` };
}

function noProgram(mutant: Mutant): Tried {
  return { mutant, fate: 'no program', by: 'tsc' };
}

/** What git knows of the tree and what is new in it; the dependencies are shared. */
function copyTree(root: string, folder: string): void {
  const list = Bun.spawnSync(['git', 'ls-files', '-co', '--exclude-standard', '-z'], { cwd: root });
  for (const file of list.stdout.toString().split('\0').filter(Boolean)) {
    // A file that was deleted is still known to git.
    if (existsSync(join(root, file))) cpSync(join(root, file), join(folder, file));
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
}
