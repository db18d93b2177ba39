/** A searchable catalog of one kind: a large base segment, and a small one with changes. */
import type { SearchEntry } from './search-entry.ts';
import type { SearchSegment } from './search-segment.ts';
import { segmentOf } from './segment-builder.ts';

/** Updated in place, without rebuilding the base segment. */
export class SearchCatalog {
  private readonly changed = new Map<string, SearchEntry>();
  private changes: SearchSegment | null = null;

  constructor(private readonly base: SearchSegment) {}

  /** Valid until the next change. */
  get segments(): readonly SearchSegment[] {
    return this.changes ? [this.base, this.changes] : [this.base];
  }

  /** The number of entries that have moved to the segment of changes. */
  get changedCount(): number {
    return this.changed.size;
  }

  /** Adds entries that are new or may have changed. */
  change(entries: Iterable<SearchEntry>): void {
    let isChanged = false;
    for (const entry of entries) {
      // Most publications change only values, which are not searched.
      const holder = this.changed.has(entry.key) ? this.changes : this.base;
      if (holder?.holds(entry)) continue;
      this.base.remove(entry.key);
      this.changed.set(entry.key, entry);
      isChanged = true;
    }
    if (isChanged) this.changes = segmentOf(this.changed.values());
  }
}
