/**
 * The publish stamp. Reading it on every request would cost a round trip, so it is refreshed in the
 * background while requests come in, and before a response if it is too old: no node serves a
 * document that was replaced more than a second ago.
 */
import type { Reader } from './engine.ts';

/** From this age on, the stamp is refreshed in the background. */
const renewMs = 100;

/** From this age on, the stamp must be refreshed first. */
const provenMs = 800;

export class PublishStamp {
  private known = 0;
  private highest = 0;
  private knownAt = Number.NEGATIVE_INFINITY;
  private asking: Promise<number> | null = null;

  constructor(private readonly reader: Reader) {}

  /** The stamp if it is fresh, otherwise a promise of it. */
  get(): number | Promise<number> {
    const age = performance.now() - this.knownAt;
    if (age < renewMs) return this.known;
    const asking = this.ask();
    // A caller that only checks for a fresh stamp drops the promise; an unhandled rejection must
    // not end the process.
    asking.catch(() => {});
    return age < provenMs ? this.known : asking;
  }

  /** The highest stamp so far. */
  get latest(): number {
    return this.highest;
  }

  /** This process has published, so the known stamp is outdated. */
  forget(): void {
    this.knownAt = Number.NEGATIVE_INFINITY;
    this.asking = null;
  }

  private ask(): Promise<number> {
    if (this.asking) return this.asking;
    // The answer is as old as the request.
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

export async function readStamp(server: Reader): Promise<number> {
  const [row] = await server.query<{ value: number }>(
    "SELECT value FROM published.meta WHERE name = 'publish_stamp'",
  );
  return row?.value ?? 0;
}
