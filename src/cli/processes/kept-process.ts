/** A child process that is started, restarted whenever it ends unexpectedly, and ended. */
import type { HelperFacts } from '../../http/metrics.ts';
import { CommandError } from '../command.ts';
import { type Child, type ChildWatch, startChild } from './child-process.ts';
import type { Environment } from './helper-table.ts';

interface KeptPlan {
  /** For messages, such as `Worker 2`. */
  readonly name: string;
  readonly command: readonly string[];
  /** For its first start, number 0, and the later ones. */
  environment(start: number): Environment;
  say(text: string): void;
  /** Maximum delay before a restart. */
  readonly restartMsMax?: number;
  /** When ending, it is killed after this; default: never. */
  readonly endMs?: number;
  /** Whether the process that starts it replaces one itself. */
  readonly isRestarted?: boolean;
  /** Replaces it if it stands still; default: never. */
  readonly watch?: ChildWatch;
  /** Called with its messages after the first. */
  onMessage?(message: unknown): void;
  /** Called when it has ended, for whatever reason. */
  onExit?(start: number): void;
}

/** The delay before a restart doubles each time. */
const restartMs = { first: 500, most: 30_000 };

/** A process that ran this long resets the delay. */
const healthyMs = 60_000;

/** `R` is what the child reports once it is ready. */
export class KeptProcess<R> {
  /** Null while it does not run. One that could not start stays for the delay. */
  #child: Child<R> | null = null;
  /** Those that finish what they are doing. */
  readonly #leaving = new Set<Child<R>>();
  #starts = 0;
  #waitMs = restartMs.first;
  /** Whether it is restarted. */
  #isKept = false;
  #isStopped = false;

  constructor(private readonly plan: KeptPlan) {}

  get lastStart(): number {
    return this.#starts - 1;
  }

  findFacts(): HelperFacts {
    return this.#child?.findFacts() ?? { silentMs: 0, memoryBytes: 0 };
  }

  /** Starts it if it does not run; resolves to what it reports. Kept from then on. */
  async start(): Promise<R> {
    if (this.#isStopped) throw new Error('The server is ending.');
    this.#child ??= this.#spawn(this.plan.isRestarted === true || this.#starts > 0);
    const child = this.#child;
    const ready = await child.ready.catch(() => {
      throw new CommandError(`${this.plan.name} could not start.`);
    });
    if (this.#child === child) this.#isKept = true;
    return ready;
  }

  /** Starts it in the background, and retries if that fails. */
  keep(): void {
    if (this.#isStopped) return;
    this.#isKept = true;
    this.start().catch(() => {});
  }

  send(message: string): void {
    this.#child?.send(message);
  }

  /** It does not respond: the next start is of a new one. */
  giveUp(): void {
    this.#child?.giveUp();
  }

  /** It can be started again. */
  async end(): Promise<void> {
    await this.#forgetChild()?.end(this.plan.endMs);
  }

  /** Lets it do what it is doing, however long that takes; it can be started again. */
  async finish(): Promise<void> {
    const child = this.#forgetChild();
    if (child) await this.#letFinish(child);
  }

  #forgetChild(): Child<R> | null {
    const child = this.#child;
    this.#child = null;
    this.#isKept = false;
    return child;
  }

  async #letFinish(child: Child<R>): Promise<void> {
    this.#leaving.add(child);
    await child.finish();
    this.#leaving.delete(child);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    const leaving = [...this.#leaving].map((child) => child.end(this.plan.endMs));
    await Promise.all([this.end(), ...leaving]);
  }

  /** Does nothing if it is not running: it then starts anew anyway, or is not wanted yet. */
  async restart(): Promise<void> {
    if (this.#child === null) return;
    await this.end();
    this.keep();
  }

  /** Like `restart`, but the old process works until the new one is ready. */
  async replace(): Promise<void> {
    if (this.#child === null || this.#isStopped) return;
    const next = this.#spawn(false);
    const isReady = await next.ready.then(
      () => !this.#isStopped,
      () => false,
    );
    const old = this.#child;
    this.#child = isReady ? next : null;
    if (old) this.#letFinish(old);
    if (!isReady) next.end(this.plan.endMs);
  }

  #spawn(isRestarted: boolean): Child<R> {
    const start = this.#starts++;
    const startedAt = performance.now();
    const { command, environment, watch, onMessage, onExit } = this.plan;
    // Requests may wait for a process that replaces one.
    const variables = { ...environment(start), BRICKMARK_RESTARTED: isRestarted ? '1' : '' };
    const child = startChild<R>(command, variables, {
      ...(watch && { watch }),
      ...(onMessage && { onMessage }),
    });
    child.exited.then(() => {
      onExit?.(start);
      if (this.#child === child) this.#startAgain(child, performance.now() - startedAt);
    });
    return child;
  }

  async #startAgain(ended: Child<R>, ranMs: number): Promise<void> {
    const { name, say, restartMsMax = restartMs.most } = this.plan;
    if (ranMs > healthyMs) this.#waitMs = restartMs.first;
    const waitMs = this.#waitMs;
    this.#waitMs = Math.min(waitMs * 2, restartMsMax);
    // A request that needs it does not wait, unless it could not start.
    ended.ready.then(() => this.#forget(ended)).catch(() => {});
    if (this.#isKept) say(`${name} ended. Restarting in ${waitMs} ms.`);
    await Bun.sleep(waitMs);
    this.#forget(ended);
    if (this.#isKept && this.#child === null) this.keep();
  }

  #forget(ended: Child<R>): void {
    if (this.#child === ended) this.#child = null;
  }
}
