/** Builds segments of the search index from entries. */

import { NumberListsBuilder } from '../../kernel/number-lists.ts';
import { compareText } from '../items/numbers.ts';
import type { SearchEntry } from './search-entry.ts';
import { SearchSegment } from './search-segment.ts';
import { entryRank, nameHash, noYear, wordsOf } from './segment-index.ts';

/** The maximum number of items, as an item's index among the keys is packed with its rank. */
const itemsMax = 2 ** 21;

/** Assigns consecutive IDs to texts. */
class Numbering {
  private readonly ids = new Map<string, number>();

  constructor(readonly texts: string[] = []) {
    for (const [id, text] of texts.entries()) this.ids.set(text, id);
  }

  idOf(text: string): number {
    const known = this.ids.get(text);
    if (known !== undefined) return known;
    this.ids.set(text, this.texts.length);
    return this.texts.push(text) - 1;
  }
}

/** Builds a segment from entries, which may be added in batches. */
export class SegmentBuilder {
  private readonly keys: string[] = [];
  private readonly ranks: number[] = [];
  private readonly names: number[] = [];
  private readonly years: number[] = [];
  private readonly vocabulary = new Numbering(['']);
  private readonly topics = new Numbering();
  private readonly words = new NumberListsBuilder();
  private readonly itemTopics = new NumberListsBuilder();

  add(entry: SearchEntry): void {
    if (this.keys.length === itemsMax) throw new Error(`There are more than ${itemsMax} items.`);
    this.keys.push(entry.key);
    this.ranks.push(entryRank(entry));
    this.names.push(nameHash(entry.name));
    this.years.push(entry.year ?? noYear);
    this.words.begin();
    for (const word of wordsOf(entry)) this.words.push(this.vocabulary.idOf(word));
    // Subthemes precede themes, because the first match counts and they rank higher.
    this.itemTopics.begin();
    for (const text of entry.subthemes) this.itemTopics.push(2 * this.topics.idOf(text));
    for (const text of entry.themes) this.itemTopics.push(2 * this.topics.idOf(text) + 1);
  }

  build(): SearchSegment {
    const { keys, ranks, names, years } = this;
    const byKey = sortedOrder(keys);
    // Packs rank and index into one number each, because sorting numbers is fast.
    const sortable = new Float64Array(keys.length);
    for (let index = 0; index < keys.length; index++) {
      sortable[index] = (ranks[byKey[index] ?? 0] ?? 0) * itemsMax + index;
    }
    sortable.sort();
    const keyIndexes = new Uint32Array(keys.length);
    const items = new Uint32Array(keys.length);
    for (let id = 0; id < keys.length; id++) {
      const index = (sortable[id] ?? 0) % itemsMax;
      keyIndexes[id] = index;
      items[id] = byKey[index] ?? 0;
    }
    // Sorted by code units, which is fast; IDs are then remapped.
    const vocabulary = [...this.vocabulary.texts].sort();
    const wordIds = new Uint32Array(vocabulary.length);
    for (const [id, word] of vocabulary.entries()) wordIds[this.vocabulary.idOf(word)] = id;
    return new SearchSegment({
      keyIndexes,
      ranks: new Float64Array(items.length).map((_, id) => ranks[items[id] ?? 0] ?? 0),
      names: new Uint32Array(items.length).map((_, id) => names[items[id] ?? 0] ?? 0),
      years: new Uint16Array(items.length).map((_, id) => years[items[id] ?? 0] ?? noYear),
      keys: Array.from(byKey, (item) => keys[item] ?? ''),
      vocabulary,
      words: this.words.build(items, wordIds),
      topics: this.topics.texts,
      itemTopics: this.itemTopics.build(items, null),
    });
  }
}

/** The sort order of texts as indexes; linear if they are already sorted. */
function sortedOrder(texts: readonly string[]): Uint32Array {
  const order = new Uint32Array(texts.length).map((_, index) => index);
  for (let index = 1; index < texts.length; index++) {
    if ((texts[index - 1] ?? '') <= (texts[index] ?? '')) continue;
    return order.sort((a, b) => compareText(texts[a] ?? '', texts[b] ?? ''));
  }
  return order;
}

export function segmentOf(entries: Iterable<SearchEntry>): SearchSegment {
  const builder = new SegmentBuilder();
  for (const entry of entries) builder.add(entry);
  return builder.build();
}
