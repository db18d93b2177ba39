/** Tries mutants, one at a time, in a copy of the tree that is thrown away. */
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PostgresServer } from '../../test/support/postgres-server.ts';
import type { Mutant } from './mutants.ts';
import { type Engine, enginesOf, Suites } from './suites.ts';

/**
 * What became of a mutant. `slow`: a suite took far longer than it may, which is a mutant that would
 * be noticed; `no program`: no test failed, but the types are wrong, so that it cannot be committed.
 */
export type Fate = 'killed' | 'slow' | 'survived' | 'no program';

/** A mutant that was tried. */
export interface Tried {
  readonly mutant: Mutant;
  readonly fate: Fate;
  /** The test that failed, or how many suites did not. */
  readonly by: string;
}

/** How much processor time one suite may take; the slowest of ours take a quarter of it. */
const suiteSecondsMax = 120;

/** How much processor time all suites of one mutant may take: then it has survived. */
const mutantSecondsMax = 60;

/** How long one test may take on a busy machine. */
const testMsMax = 180_000;

/** How many suites one process runs; the nearest have one of their own. */
const batches = [1, 2, 4, 8];

/** A copy of the tree, and a PostgreSQL that is started when it is first needed. */
export class Trial {
  private readonly folder = mkdtempSync(join(tmpdir(), 'brickmark-mutate-'));
  private readonly suites: Suites;
  private server: Promise<PostgresServer> | null = null;
  private running: Bun.Subprocess | null = null;
  private isStopped = false;
  /** Whether suites pass as they are, by engine and path. */
  private readonly sound = new Map<string, boolean>();

  constructor(root: string) {
    copyTree(root, this.folder);
    this.suites = new Suites(this.folder);
  }

  /** Tries a mutant; the copy is as before afterwards. Null: it was stopped. */
  async run(mutant: Mutant): Promise<Tried | null> {
    const path = join(this.folder, mutant.file);
    writeFileSync(path, mutant.mutated);
    try {
      const tried = await this.judge(mutant, path);
      return this.isStopped ? null : tried;
    } finally {
      writeFileSync(path, mutant.original);
    }
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
    const child = this.running;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      child.kill('SIGKILL');
    }
  }

  private async judge(mutant: Mutant, path: string): Promise<Tried> {
    let count = 0;
    for (const engine of enginesOf(mutant.file)) {
      const suites = this.suites.of(mutant.file, engine);
      let seconds = 0;
      for (let from = 0, n = 0; from < suites.length && seconds < mutantSecondsMax; n++) {
        const some = suites.slice(from, from + (batches[n] ?? batches.at(-1) ?? 1));
        from += some.length;
        const run = await this.test(some, engine);
        seconds += run.seconds;
        count += some.length;
        if (run.failed === null) continue;
        if (this.isStopped) break;
        const suite = run.suite ?? some[0] ?? '';
        writeFileSync(path, mutant.original);
        if (await this.isSound(suite, engine)) {
          return { mutant, fate: run.isSlow ? 'slow' : 'killed', by: `${suite}: ${run.failed}` };
        }
        console.error(`  ${suite} fails on ${engine} as it is, and is left out.`);
        suites.splice(suites.indexOf(suite), 1);
        from -= some.length;
        writeFileSync(path, mutant.mutated);
      }
    }
    const fate = (await this.hasRightTypes()) ? 'survived' : 'no program';
    return { mutant, fate, by: `${count} suites` };
  }

  /** Whether a suite passes without any mutant; asked once for each that killed one. */
  private async isSound(suite: string, engine: Engine): Promise<boolean> {
    const name = `${engine} ${suite}`;
    const known = this.sound.get(name);
    if (known !== undefined) return known;
    const isSound = (await this.test([suite], engine)).failed === null;
    this.sound.set(name, isSound);
    return isSound;
  }

  private async test(suites: readonly string[], engine: Engine) {
    const url = engine === 'PostgreSQL' ? await this.databaseUrl() : undefined;
    const limit = suiteSecondsMax * suites.length;
    // Processor time is what the limit is on: how long a busy machine takes says nothing.
    const words = ['test', '--bail', '--timeout', String(testMsMax)];
    const files = suites.map((suite) => `./${suite}`);
    const limited = ['sh', '-c', `ulimit -t ${limit}; exec "$0" "$@"`];
    const run = await this.spawn([...limited, process.execPath, ...words, ...files], url);
    const failed = /^\(fail\) (.*?)( \[[\d.]+m?s\])?$/m.exec(run.output)?.[1];
    const before = run.output.split('\n(fail) ')[0] ?? '';
    const suite = [...before.matchAll(/^(\S+\.test\.tsx?):$/gm)].at(-1)?.[1];
    const isSlow = run.signal !== null;
    if (run.status === 0) return { failed: null, suite, isSlow, seconds: run.seconds };
    return { failed: failed ?? 'did not load', suite, isSlow, seconds: run.seconds };
  }

  private async hasRightTypes(): Promise<boolean> {
    const tsc = join(this.folder, 'node_modules', '.bin', 'tsc');
    return (await this.spawn([tsc, '--noEmit'], undefined)).status === 0;
  }

  private async spawn(words: readonly string[], url: string | undefined) {
    if (this.isStopped) return { output: '', status: 1, signal: null, seconds: 0 };
    const child = Bun.spawn([...words], {
      cwd: this.folder,
      env: { ...process.env, BRICKMARK_TEST_DATABASE_URL: url, NO_COLOR: '1' },
      stdio: ['ignore', 'ignore', 'pipe'],
      // A group of its own, so that it is ended with all that it started.
      detached: true,
    });
    this.running = child;
    const output = await new Response(child.stderr).text();
    const status = await child.exited;
    this.running = null;
    const seconds = Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1e6;
    return { output, status, signal: child.signalCode, seconds };
  }

  private async databaseUrl(): Promise<string> {
    this.server ??= PostgresServer.launch();
    return (await this.server).url();
  }
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
