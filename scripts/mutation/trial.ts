/** Tries mutants one at a time in a temporary copy of the tree. */
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PostgresServer } from '../../test/support/postgres-server.ts';
import { runnerSettings } from '../runner-settings.ts';
import type { Mutant } from './mutants.ts';
import { needsPostgres, type Suite, Suites, within } from './suites.ts';

/** The result of a mutant. */
export interface Tried {
  readonly mutant: Mutant;
  /** `invalid`: no test failed, but the compiler rejects it. */
  readonly fate: 'killed' | 'survived' | 'invalid';
  /** The failed test, or the number of suites that passed. */
  readonly by: string;
}

/** The first failed test of a run; `isSlow` if it exceeded a time limit. */
type Failure = Readonly<{ suite: Suite; test: string; isSlow: boolean }>;

type Finished = Readonly<{ output: string; status: number; isSlow: boolean }>;

/** Suites of up to this duration run before the compiler, which takes about as long. */
const secondsBeforeTypes = 5;

/** The flags of `npm test`, with a stop at the first failure. */
const testWords = '--bail --timeout 180000 --preload=./test/support/as-shipped.ts'.split(' ');

/** A copy of the tree, and a PostgreSQL server that is started on first use. */
export class Trial {
  private readonly folder = mkdtempSync(join(tmpdir(), 'brickmark-mutate-'));
  private readonly suites: Suites;
  private server: Promise<PostgresServer> | null = null;
  private running: Bun.Subprocess | null = null;
  /** Once set, no process is started. */
  isStopped = false;
  /** Whether suites pass without a mutant, by database and path. */
  private readonly sound = new Map<string, boolean>();

  /** `seconds`: the time limit of the suites for one mutant. */
  constructor(
    root: string,
    private readonly seconds: number,
  ) {
    copyTree(root, this.folder);
    this.suites = new Suites(root);
  }

  /** Tries a mutant, and restores the copy; null if it was stopped. */
  async run(mutant: Mutant): Promise<Tried | null> {
    this.write(mutant.file, mutant.mutated);
    const tried = await this.judge(mutant);
    this.write(mutant.file, mutant.original);
    return this.isStopped ? null : tried;
  }

  /** Kills the running process. */
  stop(): void {
    this.isStopped = true;
    if (this.running) endGroup(this.running.pid);
  }

  /** Kills the running process, and removes the copy. */
  async close(): Promise<void> {
    this.stop();
    await (await this.server)?.remove();
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** Runs a few suites, then the compiler, then the other suites. */
  private async judge(mutant: Mutant): Promise<Tried> {
    if (needsPostgres(mutant)) this.server ??= PostgresServer.launch({ isTrusting: true });
    const url = needsPostgres(mutant) ? (await this.server)?.url() : undefined;
    const isUnsound = ({ path }: Suite) => this.sound.get(`${url} ${path}`) === false;
    const suites = this.suites.of(mutant).filter((suite) => !isUnsound(suite));
    const all = within(suites, this.seconds);
    const first = within(all, secondsBeforeTypes);
    const rest = all.filter((suite) => !first.includes(suite));
    for (const group of [first, rest]) {
      const failure = await this.findFailure(group, mutant, url);
      if (failure) return { mutant, fate: 'killed', by: `${failure.suite.path}: ${failure.test}` };
      const isValid = group !== first || (await this.compiles());
      if (!isValid) return { mutant, fate: 'invalid', by: 'tsc' };
    }
    return { mutant, fate: 'survived', by: `${all.length} suites` };
  }

  /** The first failure caused by the mutant; suites that fail for other reasons are skipped. */
  private async findFailure(suites: readonly Suite[], mutant: Mutant, url: string | undefined) {
    for (let left = suites; left.length > 0 && !this.isStopped; ) {
      const failure = await this.test(left, url);
      if (!failure || (await this.isConfirmed(failure, mutant, url))) return failure;
      console.error(`  ${failure.suite.path} does not fail because of the mutant.`);
      left = left.slice(left.indexOf(failure.suite) + 1);
    }
    return null;
  }

  /** Whether a suite fails again when run alone, and passes without the mutant. */
  private async isConfirmed({ suite, isSlow }: Failure, mutant: Mutant, url: string | undefined) {
    if (!isSlow && !(await this.test([suite], url))) return false;
    const name = `${url} ${suite.path}`;
    if (!this.sound.has(name)) {
      this.write(mutant.file, mutant.original);
      this.sound.set(name, (await this.test([suite], url)) === null);
      this.write(mutant.file, mutant.mutated);
    }
    return this.sound.get(name) === true;
  }

  /** Runs suites in one process until a test fails. */
  private async test(suites: readonly Suite[], url: string | undefined): Promise<Failure | null> {
    const seconds = suites.reduce((sum, suite) => sum + suite.seconds, 0);
    // The limit is on CPU time, since the machine may be busy, and generous.
    const limited = ['sh', '-c', `ulimit -t ${Math.ceil(20 + 3 * seconds)}; exec "$0" "$@"`];
    const words = [process.execPath, 'test', ...testWords];
    const paths = suites.map(({ path }) => `./${path}`);
    const run = await this.spawn([...limited, ...words, ...paths], url);
    return run.status === 0 ? null : readFailure(run, suites);
  }

  async compiles(): Promise<boolean> {
    const tsc = join(this.folder, 'node_modules', '.bin', 'tsc');
    const kept = ['--incremental', '--tsBuildInfoFile', join(this.folder, '.types.json')];
    const words = ['--noEmit', '--singleThreaded', '--assumeChangesOnlyAffectDirectDependencies'];
    return (await this.spawn([tsc, ...words, ...kept], undefined)).status === 0;
  }

  private async spawn(words: readonly string[], url: string | undefined): Promise<Finished> {
    if (this.isStopped) return { output: '', status: 1, isSlow: false };
    const child = Bun.spawn([...words], {
      cwd: this.folder,
      env: {
        ...process.env,
        ...runnerSettings,
        BRICKMARK_TEST_DATABASE_URL: url,
        // Shared fixtures of other runs were created without the mutant.
        BRICKMARK_TEST_SHARED: undefined,
        // Tests of colors look at the environment, too.
        NO_COLOR: undefined,
      },
      stdio: ['ignore', 'ignore', 'pipe'],
      // A new process group, so that all descendants can be killed.
      detached: true,
    });
    this.running = child;
    const output = new Response(child.stderr).text();
    const status = await child.exited;
    this.running = null;
    endGroup(child.pid);
    const isSlow = child.signalCode !== null || /timed out after \d+ms/.test(await output);
    return { output: await output, status, isSlow };
  }

  private write(file: string, text: string): void {
    writeFileSync(join(this.folder, file), text);
  }
}

/** The suite of the last heading, and its failed test. */
function readFailure({ output, isSlow }: Finished, suites: readonly Suite[]): Failure | null {
  const heading = [...output.matchAll(/^(\S+\.test\.ts):$/gm)].at(-1)?.[1];
  const suite = suites.find(({ path }) => path === heading) ?? suites[0];
  const failed = /^\(fail\) (.*?)( \[[\d.]+m?s\])?$/m.exec(output)?.[1];
  const test = failed ?? (isSlow ? 'took too long' : 'did not load');
  return suite ? { suite, test, isSlow } : null;
}

function endGroup(leader: number): void {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // The group has already ended.
  }
}

/** Copies tracked and new files; dependencies are linked. */
function copyTree(root: string, folder: string): void {
  const list = Bun.spawnSync(['git', 'ls-files', '-co', '--exclude-standard', '-z'], { cwd: root });
  for (const file of list.stdout.toString().split('\0').filter(Boolean)) {
    // git also lists deleted files.
    if (existsSync(join(root, file))) cpSync(join(root, file), join(folder, file));
  }
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
}
