/**
 * Copies each new edition of the bulk files to a folder or bucket of the operator: first the files,
 * then the manifest that names them, so that readers of the manifest never find half an edition.
 * One process at a time.
 */
import { createHash } from 'node:crypto';
import { presentManifest } from '../../contract/plus/bulk.ts';
import { Lease } from '../../kernel/lease.ts';
import { StoreBusyError } from '../../kernel/store-errors.ts';
import { type Clock, secondMs } from '../../kernel/time.ts';
import type { BulkFile } from '../../market/published/bulk.ts';
import type { MarketPublishing } from '../publishing.store.ts';
import type { BulkMaking, BulkReading } from './bulk.store.ts';
import {
  type BulkExport,
  editionOf,
  exportedName,
  manifestName,
  notExported,
  outdatedNames,
  retryAtOf,
} from './bulk-export.ts';
import type { BulkTarget } from './bulk-target.work.ts';

/** Another process takes over this long after the holder died. */
const leaseMs = 30 * secondMs;

/** Pause between checks for a new edition. */
const checkMs = 5 * secondMs;

/** Pause while an import is writing. */
const busyMs = secondMs / 4;

/** Thrown to end a copy when the process is stopped. */
class StoppedError extends Error {}

export interface ExportWork {
  readonly store: Pick<BulkReading, 'listBulkFiles' | 'readBulkChunk' | 'findBulkExport'> &
    Pick<BulkMaking, 'saveBulkExport'> &
    Pick<MarketPublishing, 'takeLease'>;
  readonly target: BulkTarget;
  readonly clock: Clock;
  /** Names this process among those that share the store. */
  readonly holder: string;
  /** For failures of the target, which are also in the store, and of the store. */
  onFailure(error: unknown): void;
}

/** Returns a function that stops it after the current part of a file. Null: nothing is copied. */
export function startBulkExport(
  target: BulkTarget | null,
  work: Omit<ExportWork, 'target'>,
): () => Promise<void> {
  const stopping = Promise.withResolvers<void>();
  const exporter = target && new BulkExporter({ ...work, target });
  const run = async () => {
    if (!exporter) return forgetExport(work.store).catch(work.onFailure);
    while (!exporter.isStopped) {
      await exporter.step().catch(ignoreBusy).catch(work.onFailure);
      await Promise.race([stopping.promise, Bun.sleep(checkMs)]);
    }
  };
  const running = run();
  return async () => {
    if (exporter) exporter.isStopped = true;
    stopping.resolve();
    await running;
  };
}

/** Failures of a target that is no longer used are no longer shown. */
async function forgetExport({ findBulkExport, saveBulkExport }: ExportWork['store']) {
  if (await findBulkExport()) await saveBulkExport(null);
}

export class BulkExporter {
  isStopped = false;
  private readonly lease: Lease;

  constructor(private readonly work: ExportWork) {
    const { store, clock, holder } = work;
    this.lease = new Lease(store, clock, { name: 'bulk-export', holder, leaseMs });
  }

  /** Copies the latest edition if it is new. A failure is recorded, and retried later. */
  async step(): Promise<void> {
    const { store, clock, target } = this.work;
    const [latest, ...rest] = latestOf(await store.listBulkFiles());
    const found = await store.findBulkExport();
    const state = found?.target === target.name ? found : notExported(target.name);
    if (!latest || state.edition === editionOf(latest) || clock() < retryAtOf(state)) return;
    if (!(await this.lease.take())) return;
    try {
      await this.save(await this.attempt([latest, ...rest], state));
    } finally {
      await this.lease.release();
    }
  }

  /** Waits for an import that is writing, so that nothing is copied twice because of it. */
  private async save(state: BulkExport): Promise<void> {
    for (;;) {
      try {
        return await this.work.store.saveBulkExport(state);
      } catch (error) {
        if (!(error instanceof StoreBusyError) || this.isStopped) throw error;
        await Bun.sleep(busyMs);
      }
    }
  }

  private async attempt(files: Edition, state: BulkExport): Promise<BulkExport> {
    const { clock, target, onFailure } = this.work;
    try {
      await this.copy(files);
      return { ...notExported(target.name), edition: editionOf(files[0]), exportedAt: clock() };
    } catch (error) {
      if (error instanceof StoppedError) return state;
      onFailure(error);
      const { failures } = state;
      return { ...state, failures: failures + 1, failedAt: clock(), error: textOf(error) };
    }
  }

  private async copy(files: Edition): Promise<void> {
    const { target } = this.work;
    const previous = editionIn(await target.read(manifestName));
    for (const file of files) await target.write(exportedName(file), this.partsOf(file));
    await this.proceed();
    await target.write(manifestName, textParts(presentManifest(files)));
    const kept = [editionOf(files[0]), previous ?? ''];
    for (const name of outdatedNames(await target.list(), kept)) {
      await this.proceed();
      await target.remove(name);
    }
  }

  private async *partsOf({ id, type, sha256 }: BulkFile): AsyncGenerator<Uint8Array> {
    const hash = createHash('sha256');
    for (let index = 0; ; index++) {
      await this.proceed();
      const part = await this.work.store.readBulkChunk(id, index);
      if (part === null) break;
      hash.update(part);
      yield part;
    }
    if (hash.digest('hex') !== sha256) throw new Error(`The file of ${type} was replaced.`);
  }

  /** Throws if the process is stopping, or another one has taken over. */
  private async proceed(): Promise<void> {
    if (this.isStopped) throw new StoppedError();
    await this.lease.keep().catch(ignoreBusy);
  }
}

/** An import is writing; the lease is renewed, or the copy made, a little later. */
function ignoreBusy(error: unknown): void {
  if (!(error instanceof StoreBusyError)) throw error;
}

type Edition = readonly [BulkFile, ...BulkFile[]];

function latestOf(files: readonly BulkFile[]): BulkFile[] {
  return files.filter(({ createdAt }) => createdAt === files[0]?.createdAt);
}

/** The edition of a manifest; null if there is none, or it is not ours. */
function editionIn(manifest: string | null): string | null {
  try {
    const { edition } = JSON.parse(manifest ?? '{}');
    return typeof edition === 'string' ? edition : null;
  } catch {
    return null;
  }
}

async function* textParts(text: string): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text);
}

/** With the code, which is often more telling than the message of an S3 server. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as { code?: unknown };
  const hasCode = typeof code !== 'string' || error.message.startsWith(code);
  return hasCode ? error.message : `${code}: ${error.message}`;
}
