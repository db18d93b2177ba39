/** Everything of one kind that can be found: most of it in one segment, what changed in another. */
import type { SearchEntry } from './search-entry.ts';
import { type SearchSegment, segmentOf } from './search-segment.ts';

/** What is searched, and brought up to date without being made anew. */
export class SearchCatalog {
  private readonly changed = new Map<string, SearchEntry>();
  private changes: SearchSegment | null = null;

  constructor(private readonly base: SearchSegment) {}

  /** What is searched at this moment; the next change makes it another. */
  get segments(): readonly SearchSegment[] {
    return this.changes ? [this.base, this.changes] : [this.base];
  }

  /** How many entries are not where they would be if it were made anew. */
  get changedCount(): number {
    return this.changed.size;
  }

  /** Takes in entries that are new, or may differ from what they were. */
  change(entries: Iterable<SearchEntry>): void {
    let isChanged = false;
    for (const entry of entries) {
      // Most publications change values, which nobody searches for.
      const holder = this.changed.has(entry.key) ? this.changes : this.base;
      if (holder?.holds(entry)) continue;
      this.base.takeOut(entry.key);
      this.changed.set(entry.key, entry);
      isChanged = true;
    }
    if (isChanged) this.changes = segmentOf(this.changed.values());
  }
}
