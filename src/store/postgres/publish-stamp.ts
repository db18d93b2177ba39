/**
 * The number of the latest publication. Asking for it on every request would cost a round trip, so
 * it is asked for in the background while requests come, and before an answer when the last look
 * was long ago: no node shows a document that was replaced more than a second before.
 */
import type { Reader } from './engine.ts';

/** After this the stamp is asked for again while the known one is still used. */
const renewMs = 100;

/** After this the known stamp proves nothing any more. */
const provenMs = 800;

/** Knows the stamp. */
export class PublishStamp {
  private known = 0;
  private highest = 0;
  private knownAt = Number.NEGATIVE_INFINITY;
  private asking: Promise<number> | null = null;

  constructor(private readonly reader: Reader) {}

  /** The stamp at once while it is proven; else a promise of it. */
  get(): number | Promise<number> {
    const age = performance.now() - this.knownAt;
    if (age < renewMs) return this.known;
    const asking = this.ask();
    // Whoever only looks whether it is known at once drops the promise, and must not end the
    // process with it. What fails fails for those who wait for it.
    asking.catch(() => {});
    return age < provenMs ? this.known : asking;
  }

  /** The latest that was ever told. */
  get latest(): number {
    return this.highest;
  }

  /** This process has published: what is known is outdated. */
  forget(): void {
    this.knownAt = Number.NEGATIVE_INFINITY;
    this.asking = null;
  }

  private ask(): Promise<number> {
    if (this.asking) return this.asking;
    // What is told is as old as the question.
    const askedAt = performance.now();
    const asking: Promise<number> = readStamp(this.reader)
      .then((stamp) => {
        this.highest = Math.max(this.highest, stamp);
        if (this.asking === asking) {
          this.known = stamp;
          this.knownAt = askedAt;
        }
        return stamp;
      })
      .finally(() => {
        if (this.asking === asking) this.asking = null;
      });
    this.asking = asking;
    return asking;
  }
}

/** The number of the latest publication that a server knows. */
export async function readStamp(server: Reader): Promise<number> {
  const [row] = await server.query<{ value: number }>(
    "SELECT value FROM published.meta WHERE name = 'publish_stamp'",
  );
  return row?.value ?? 0;
}
