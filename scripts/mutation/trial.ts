/** Tries mutants, one at a time, in a copy of the tree that is thrown away. */
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PostgresServer } from '../../test/support/postgres-server.ts';
import type { Mutant } from './mutants.ts';
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

/** What became of some suites. */
interface Run {
  /** The first test that failed; null when all passed. */
  readonly failed: string | null;
  /** The suite that it is in. */
  readonly suite: string;
  /** It was ended because it took too long. */
  readonly isSlow: boolean;
  /** The processor time that it took. */
  readonly seconds: number;
}

/** How much processor time one suite may take; one that takes more as it is, is left out. */
const suiteSecondsMax = 30;

/** How long one test may take on a busy machine. */
const testMsMax = 180_000;

/** How many suites one process runs at the most; the nearest has one of its own. */
const batchMax = 3;

/** A copy of the tree, and a PostgreSQL that is started when it is first needed. */
export class Trial {
  private readonly folder = mkdtempSync(join(tmpdir(), 'brickmark-mutate-'));
  private readonly suites: Suites;
  private server: Promise<PostgresServer> | null = null;
  private running: Bun.Subprocess | null = null;
  private isStopped = false;
  /** Whether suites pass as they are, by engine and path. */
  private readonly sound = new Map<string, boolean>();

  /** `secondsMax`: how much processor time suites get before a mutant has survived them. */
  constructor(
    root: string,
    private readonly secondsMax: number,
  ) {
    copyTree(root, this.folder);
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
    await (await this.server)?.remove();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Ends what runs, with all the processes that it started; nothing else is begun. */
  stop(): void {
    this.isStopped = true;
    if (this.running) endGroup(this.running.pid);
  }

  /** Asks suites, the nearest first, until one fails. */
  private async judge(mutant: Mutant): Promise<Tried> {
    let passed = 0;
    let areTypesAsked = false;
    for (const engine of enginesOf(mutant.file)) {
      const queue = this.suites.of(mutant.file, engine);
      for (let seconds = 0, size = 1; queue.length > 0 && seconds < this.secondsMax; ) {
        const some = queue.splice(0, size);
        const run = await this.test(some, engine);
        if (this.isStopped) break;
        seconds += run.seconds;
        if (run.failed !== null) {
          if (await this.isSound(run.suite, engine, mutant)) return noticed(mutant, run);
          console.error(`  ${run.suite} fails on ${engine} as it is, and is left out.`);
          queue.unshift(...some.filter((suite) => suite !== run.suite));
          continue;
        }
        passed += some.length;
        // Most mistakes are noticed by now. Before many more suites are asked, the types are.
        if (size > 1 && !areTypesAsked && !(await this.hasRightTypes())) return noProgram(mutant);
        areTypesAsked ||= size > 1;
        size = Math.min(size * 2, batchMax);
      }
    }
    if (!areTypesAsked && !(await this.hasRightTypes())) return noProgram(mutant);
    return { mutant, fate: 'survived', by: `${passed} suites` };
  }

  /** Whether a suite passes without the mutant; found out once for each that noticed one. */
  private async isSound(suite: string, engine: Engine, mutant: Mutant): Promise<boolean> {
    const name = `${engine} ${suite}`;
    const known = this.sound.get(name);
    if (known !== undefined) return known;
    this.write(mutant.file, mutant.original);
    const isSound = (await this.test([suite], engine)).failed === null;
    this.write(mutant.file, mutant.mutated);
    this.sound.set(name, isSound);
    return isSound;
  }

  /** Runs suites until a test fails. */
  private async test(suites: readonly string[], engine: Engine): Promise<Run> {
    const run = await this.testOnce(suites, engine);
    // What prepares tests has time limits of its own, which a busy machine may exceed once.
    return run.failed?.endsWith('(unnamed)') ? this.testOnce(suites, engine) : run;
  }

  private async testOnce(suites: readonly string[], engine: Engine): Promise<Run> {
    const url = engine === 'PostgreSQL' ? await this.databaseUrl() : undefined;
    const limit = suiteSecondsMax * suites.length;
    // Processor time is what the limit is on: how long a busy machine takes says nothing.
    const words = ['test', '--bail', '--timeout', String(testMsMax)];
    const files = suites.map((suite) => `./${suite}`);
    const limited = ['sh', '-c', `ulimit -t ${limit}; exec "$0" "$@"`];
    const run = await this.spawn([...limited, process.execPath, ...words, ...files], url);
    const { output, status, seconds } = run;
    const isSlow = run.signal !== null;
    const [before = '', after = ''] = output.split(/^\(fail\) /m, 2);
    const suite = [...before.matchAll(/^(\S+\.test\.tsx?):$/gm)].at(-1)?.[1] ?? suites[0] ?? '';
    const test =
      after.split('\n')[0]?.replace(/ \[[\d.]+m?s\]$/, '') ||
      (isSlow ? 'took too long' : 'did not load');
    return { failed: status === 0 ? null : test, suite, isSlow, seconds };
  }

  private async hasRightTypes(): Promise<boolean> {
    const tsc = join(this.folder, 'node_modules', '.bin', 'tsc');
    return (await this.spawn([tsc, '--noEmit'], undefined)).status === 0;
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
