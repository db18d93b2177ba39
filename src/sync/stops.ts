/** Sources that refused calls, and are tried at once: somebody has seen to them. */
import type { SyncStore } from '../domain/sync/sync-store.ts';

/** Takes back that a source has stopped. */
export async function liftStop(store: SyncStore, source: string, at: number): Promise<void> {
  const { lastError } = await store.findSource(source);
  if (!lastError?.isStopped) return;
  const lifted = { ...lastError, isStopped: false };
  await store.changeSource(source, (before) => {
    return { ...before, nextAt: at, failures: 0, lastError: lifted };
  });
}
