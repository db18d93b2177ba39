/**
 * Matches the minifigs of BrickLink's catalog with those of Rebrickable's. They share no number, so
 * the match is based on the words of their names weighted by rarity, their themes and years, and
 * the sets in which both catalogs list them. Two are joined if each matches the other better, by a
 * margin, than anything else. Deterministic, regardless of the order of its input.
 */
import { at } from '../../kernel/at.ts';
import { compareText } from '../items/numbers.ts';
import { affinityMax, type IndexPair, ThemeAffinity } from '../items/theme-affinity.ts';
import { minifigWords } from './minifig-words.ts';

export interface CatalogMinifig {
  readonly key: string;
  readonly name: string;
  /** The year of its first appearance. */
  readonly year: number | null;
  /** Its category, or the themes of the sets that contain it, such as `City / Police`. */
  readonly themes: readonly string[];
}

/** The keys of the minifigs in one set, per catalog. */
export interface SetLists {
  readonly bricklink: readonly string[];
  readonly rebrickable: readonly string[];
}

/** The keys of two minifigs. */
export interface MinifigPair {
  readonly bricklink: string;
  readonly rebrickable: string;
}

export interface MinifigCatalogs {
  readonly bricklink: readonly CatalogMinifig[];
  readonly rebrickable: readonly CatalogMinifig[];
  /** Sets for which both catalogs list minifigs. */
  readonly sets: readonly SetLists[];
  /** Pairs that are known to be different minifigs. */
  readonly parted: readonly MinifigPair[];
}

export interface FittingPair extends MinifigPair {
  /** `sets` if both catalogs list them in the same set, otherwise `names`. */
  readonly by: 'sets' | 'names';
  readonly score: number;
}

/** A pair in which each is the other's best match, but not clearly enough. */
export interface UnsurePair extends FittingPair {
  /** The key of the closest alternative; null if the score itself is too low. */
  readonly rival: string | null;
}

/** Ordered by BrickLink's key; every minifig is in one pair at most. */
export interface MinifigJoin {
  readonly joined: readonly FittingPair[];
  readonly unsure: readonly UnsurePair[];
}

/**
 * Scores. A word in both names counts for its rarity, its inverse document frequency; a word in
 * only one of them counts against the pair.
 */
const weights = {
  unsharedWord: 0.3,
  sameYear: 3,
  /** Catalogs date some sets a year apart; pairs further apart are not candidates. */
  nextYear: -3,
  unknownYear: -1.5,
  /** For a pair that is always in the same sets; less in proportion otherwise. */
  sameSets: 6,
};

/** Minimum scores and margins; `docs/decisions/catalog.md` has their accuracy. */
const limits = {
  names: { score: 8, margin: 3 },
  /** Within a set that both catalogs list, there are few alternatives. */
  sets: { score: 0, margin: 1.5 },
};

/** Pairs matched by names with a lower score are not worth reviewing. */
const unsureScoreMin = 4;

/** Candidates are looked up by this number of the rarest words in a name. */
const lookupWordsMax = 5;

export function joinMinifigs(catalogs: MinifigCatalogs): MinifigJoin {
  const { joined, unsure } = new Comparison(catalogs).choose();
  const joinedKeys = new Set(joined.flatMap((pair) => [pair.bricklink, pair.rebrickable]));
  const isOpen = (pair: UnsurePair) =>
    !joinedKeys.has(pair.bricklink) &&
    !joinedKeys.has(pair.rebrickable) &&
    (pair.by === 'sets' || pair.score >= unsureScoreMin);
  return { joined: joined.sort(byKey), unsure: unsure.filter(isOpen).sort(byKey) };
}

function byKey(a: MinifigPair, b: MinifigPair): number {
  return compareText(a.bricklink, b.bricklink);
}

/** Both catalogs. Minifigs are identified by their index in the order of keys. */
class Comparison {
  private readonly words = new Words();
  private readonly bricklink: Side;
  private readonly rebrickable: Side;
  private readonly sets: SharedSets;
  private readonly affinity: ThemeAffinity;
  private readonly parted: ReadonlySet<number>;

  constructor({ bricklink, rebrickable, sets, parted }: MinifigCatalogs) {
    const sides = [inOrder(bricklink), inOrder(rebrickable)] as const;
    for (const { name } of sides.flat()) this.words.add(name);
    this.bricklink = new Side(sides[0], this.words);
    this.rebrickable = new Side(sides[1], this.words);
    this.sets = new SharedSets(sets.map((lists) => this.indexesIn(lists)));
    this.affinity = new ThemeAffinity(
      { left: this.bricklink.themes, right: this.rebrickable.themes },
      this.listAlike(),
    );
    this.parted = new Set(
      parted.flatMap((pair) => {
        const [left] = this.bricklink.indexesOf([pair.bricklink]);
        const [right] = this.rebrickable.indexesOf([pair.rebrickable]);
        return left === undefined || right === undefined ? [] : [this.idOf(left, right)];
      }),
    );
  }

  /** Runs in rounds, because matched minifigs are no longer alternatives for others. */
  choose(): { joined: FittingPair[]; unsure: UnsurePair[] } {
    let candidates = [...this.listScored()];
    const partners = new Map<number, number>();
    for (;;) {
      const { sure, unsure } = this.chooseAmong(candidates);
      for (const [left, right] of sure) partners.set(left, right);
      for (const [left, right] of this.sets.leftOver(partners)) {
        if (!this.parted.has(this.idOf(left, right))) partners.set(left, right);
      }
      const rights = new Set(partners.values());
      const open = candidates.filter(
        ({ left, right }) => !partners.has(left) && !rights.has(right),
      );
      if (open.length === candidates.length) {
        return { joined: Array.from(partners, (pair) => this.toPair(pair)), unsure };
      }
      candidates = open;
    }
  }

  private chooseAmong(candidates: readonly Candidate[]) {
    const ofLeft = new BestOf(this.bricklink.size);
    const ofRight = new BestOf(this.rebrickable.size);
    for (const { left, right, score } of candidates) {
      ofLeft.add(left, right, score);
      ofRight.add(right, left, score);
    }
    const sure: IndexPair[] = [];
    const unsure: UnsurePair[] = [];
    for (const [left, right] of ofLeft.firsts()) {
      if (ofRight.first(right) !== left) continue;
      const pair = this.toPair([left, right]);
      const { score, margin } = limits[pair.by];
      const rival = this.rivalOf(ofLeft.second(left), ofRight.second(right));
      const isRivaled = rival !== null && pair.score - rival.score < margin;
      if (!isRivaled && pair.score >= score) sure.push([left, right]);
      else unsure.push({ ...pair, rival: isRivaled ? rival.key : null });
    }
    return { sure, unsure };
  }

  private *listScored(): Generator<Candidate> {
    for (const [left, right] of this.listCandidates()) {
      if (!this.isNegligible(left, right)) yield { left, right, score: this.scoreOf(left, right) };
    }
  }

  private indexesIn({ bricklink, rebrickable }: SetLists): IndexLists {
    const left = this.bricklink.indexesOf(bricklink);
    const right = this.rebrickable.indexesOf(rebrickable);
    const lengths = new Set([bricklink.length, rebrickable.length, left.length, right.length]);
    return { left, right, isPaired: lengths.size === 1 };
  }

  private toPair([left, right]: IndexPair): FittingPair {
    return {
      bricklink: this.bricklink.keyOf(left),
      rebrickable: this.rebrickable.keyOf(right),
      by: this.sets.agreement(left, right) > 0 ? 'sets' : 'names',
      score: this.scoreOf(left, right),
    };
  }

  /** The closest alternative for either of the two. */
  private rivalOf(
    ofLeft: Rival | null,
    ofRight: Rival | null,
  ): { readonly key: string; readonly score: number } | null {
    if (ofRight && (!ofLeft || ofRight.score > ofLeft.score)) {
      return { key: this.bricklink.keyOf(ofRight.partner), score: ofRight.score };
    }
    return ofLeft && { key: this.rebrickable.keyOf(ofLeft.partner), score: ofLeft.score };
  }

  /** Whether a pair can neither be listed nor be a rival, like most pairs with a common word. */
  private isNegligible(left: number, right: number): boolean {
    const scoreMax = this.nameScore(left, right) + weights.sameYear + affinityMax;
    return !this.sets.hasLeft(left) && scoreMax < unsureScoreMin - limits.names.margin;
  }

  private scoreOf(left: number, right: number): number {
    return (
      this.nameScore(left, right) +
      yearScore(this.bricklink.yearOf(left), this.rebrickable.yearOf(right)) +
      this.affinity.of(left, right) +
      weights.sameSets * this.sets.agreement(left, right)
    );
  }

  private nameScore(left: number, right: number): number {
    const ours = this.bricklink.wordsOf(left);
    const theirs = this.rebrickable.wordsOf(right);
    const common = this.words.commonWeight(ours.ids, theirs.ids);
    return common - weights.unsharedWord * (ours.weight + theirs.weight - 2 * common);
  }

  /** Pairs with identical, unique sets of words, from which theme affinities are learned. */
  private listAlike(): IndexPair[] {
    const right = this.rebrickable.byAllWords();
    const pairs: IndexPair[] = [];
    for (const [words, left] of this.bricklink.byAllWords()) {
      const to = right.get(words) ?? null;
      if (left === null || to === null || words === '') continue;
      if (isNear(this.bricklink.yearOf(left), this.rebrickable.yearOf(to))) pairs.push([left, to]);
    }
    return pairs;
  }

  /** A minifig in sets that both catalogs list can only match one in the same sets. */
  private *listCandidates(): Generator<IndexPair> {
    const index = new WordIndex(this.rebrickable, (index) => !this.sets.hasRight(index));
    for (let left = 0; left < this.bricklink.size; left++) {
      const candidates = this.sets.hasLeft(left)
        ? this.sets.partnersOf(left)
        : index.find(this.words.rarest(this.bricklink.wordsOf(left)), this.bricklink.yearOf(left));
      for (const right of candidates) {
        if (!this.parted.has(this.idOf(left, right))) yield [left, right];
      }
    }
  }

  private idOf(left: number, right: number): number {
    return left * this.rebrickable.size + right;
  }
}

/** A fixed order, because floating-point sums depend on it. */
function inOrder(minifigs: readonly CatalogMinifig[]): CatalogMinifig[] {
  return [...minifigs].sort((a, b) => compareText(a.key, b.key));
}

function yearScore(ours: number | null, theirs: number | null): number {
  if (ours === null || theirs === null) return weights.unknownYear;
  return ours === theirs ? weights.sameYear : weights.nextYear;
}

function isNear(ours: number | null, theirs: number | null): boolean {
  return ours !== null && theirs !== null && Math.abs(ours - theirs) <= 1;
}

/** The sorted word IDs of a name, and their total weight. */
interface NameWords {
  readonly ids: Int32Array;
  readonly weight: number;
}

/** The words of all names; all must be added before any is weighted. */
class Words {
  private readonly counts = new Map<string, { readonly id: number; count: number }>();
  private readonly weights: number[] = [];
  private names = 0;

  add(name: string): void {
    this.names++;
    for (const word of minifigWords(name)) {
      this.counts.getOrInsertComputed(word, () => ({ id: this.counts.size, count: 0 })).count++;
    }
  }

  weigh(name: string): NameWords {
    const ids = new Int32Array(minifigWords(name).map((word) => this.idOf(word))).sort();
    return { ids, weight: ids.reduce((sum, id) => sum + this.weightOf(id), 0) };
  }

  commonWeight(a: Int32Array, b: Int32Array): number {
    let sum = 0;
    let [atA, atB] = [0, 0];
    while (atA < a.length && atB < b.length) {
      const id = a[atA] ?? 0;
      const order = id - (b[atB] ?? 0);
      if (order === 0) sum += this.weightOf(id);
      if (order <= 0) atA++;
      else atB++;
    }
    return sum;
  }

  rarest({ ids }: NameWords): number[] {
    // Stable, so that words of the same weight stay in the order of their IDs.
    const sorted = [...ids].sort((a, b) => this.weightOf(b) - this.weightOf(a));
    return sorted.slice(0, lookupWordsMax);
  }

  private idOf(word: string): number {
    const known = this.counts.get(word);
    if (!known) throw new Error(`The word '${word}' was not added.`);
    this.weights[known.id] = Math.log(this.names / known.count);
    return known.id;
  }

  private weightOf(id: number): number {
    return this.weights[id] ?? 0;
  }
}

class Side {
  readonly themes: readonly (readonly string[])[];
  readonly size: number;
  private readonly minifigs: readonly (CatalogMinifig & { readonly words: NameWords })[];
  private readonly indexes: ReadonlyMap<string, number>;

  constructor(minifigs: readonly CatalogMinifig[], words: Words) {
    this.minifigs = minifigs.map((minifig) => ({ ...minifig, words: words.weigh(minifig.name) }));
    this.indexes = new Map(this.minifigs.map(({ key }, index) => [key, index]));
    this.themes = this.minifigs.map(({ themes }) => themes);
    this.size = this.minifigs.length;
  }

  keyOf(index: number): string {
    return at(this.minifigs, index).key;
  }

  yearOf(index: number): number | null {
    return at(this.minifigs, index).year;
  }

  wordsOf(index: number): NameWords {
    return at(this.minifigs, index).words;
  }

  /** Unknown keys are left out. */
  indexesOf(keys: readonly string[]): number[] {
    return keys.flatMap((key) => this.indexes.get(key) ?? []);
  }

  /** By all words of a name; null if several minifigs have exactly these words. */
  byAllWords(): Map<string, number | null> {
    const found = new Map<string, number | null>();
    this.minifigs.forEach(({ words }, index) => {
      const all = words.ids.join(' ');
      found.set(all, found.has(all) ? null : index);
    });
    return found;
  }
}

/** Minifigs by word and year; comparing all pairs of names would take minutes. */
class WordIndex {
  private readonly byWord = new Map<number, Map<number | null, number[]>>();

  constructor(side: Side, isListed: (index: number) => boolean) {
    for (let index = 0; index < side.size; index++) {
      if (!isListed(index)) continue;
      const year = side.yearOf(index);
      for (const word of side.wordsOf(index).ids) {
        const years = this.byWord.getOrInsertComputed(word, () => new Map());
        years.getOrInsertComputed(year, () => []).push(index);
      }
    }
  }

  /** Minifigs with any of the words and about the year, or an unknown one; none without a year. */
  find(words: readonly number[], year: number | null): Set<number> {
    const found = new Set<number>();
    if (year === null) return found;
    for (const word of words) {
      const years = this.byWord.get(word);
      for (const near of [year - 1, year, year + 1, null]) {
        for (const index of years?.get(near) ?? []) found.add(index);
      }
    }
    return found;
  }
}

class SharedSets {
  private readonly left = new Map<number, number>();
  private readonly right = new Map<number, number>();
  private readonly both = new Map<number, Map<number, number>>();
  private readonly lists: readonly IndexLists[];

  constructor(lists: readonly IndexLists[]) {
    this.lists = lists.filter(({ left, right }) => left.length > 0 && right.length > 0);
    for (const { left, right } of this.lists) {
      for (const to of right) count(this.right, to);
      for (const from of left) {
        count(this.left, from);
        const partners = this.both.getOrInsertComputed(from, () => new Map());
        for (const to of right) count(partners, to);
      }
    }
  }

  hasLeft(index: number): boolean {
    return this.left.has(index);
  }

  hasRight(index: number): boolean {
    return this.right.has(index);
  }

  partnersOf(left: number): Iterable<number> {
    return this.both.get(left)?.keys() ?? [];
  }

  /** The share of their sets that both are in, from 0 to 1. */
  agreement(left: number, right: number): number {
    const shared = this.both.get(left)?.get(right) ?? 0;
    if (shared === 0) return 0;
    return shared / Math.max(countOf(this.left, left), countOf(this.right, right));
  }

  /**
   * If two lists have the same length and all but one minifig is joined, the last two must match,
   * provided they always occur together. That may resolve further sets in the next round.
   */
  leftOver(partners: ReadonlyMap<number, number>): IndexPair[] {
    const rights = new Set(partners.values());
    return this.lists.flatMap(({ left, right, isPaired }): IndexPair[] => {
      const [from, ...others] = left.filter((index) => !partners.has(index));
      const [to, ...rest] = right.filter((index) => !rights.has(index));
      if (!isPaired || from === undefined || to === undefined) return [];
      const isLast = others.length + rest.length === 0;
      return isLast && this.agreement(from, to) === 1 ? [[from, to]] : [];
    });
  }
}

interface IndexLists {
  readonly left: readonly number[];
  readonly right: readonly number[];
  /** Whether both lists have the same length and contain only known minifigs. */
  readonly isPaired: boolean;
}

function count(counts: Map<number, number>, index: number): void {
  counts.set(index, countOf(counts, index) + 1);
}

function countOf(counts: ReadonlyMap<number, number>, index: number): number {
  return counts.get(index) ?? 0;
}

interface Candidate {
  readonly left: number;
  readonly right: number;
  readonly score: number;
}

interface Rival {
  readonly partner: number;
  readonly score: number;
}

/** The best and second-best partner of each minifig; -1 if there is none. */
class BestOf {
  private readonly partners: readonly [Int32Array, Int32Array];
  private readonly scores: readonly [Float64Array, Float64Array];

  constructor(size: number) {
    this.partners = [new Int32Array(size).fill(-1), new Int32Array(size).fill(-1)];
    const least = Number.NEGATIVE_INFINITY;
    this.scores = [new Float64Array(size).fill(least), new Float64Array(size).fill(least)];
  }

  add(index: number, partner: number, score: number): void {
    const [firsts, seconds] = this.scores;
    const first = firsts[index] ?? 0;
    if (score > first) {
      this.put(1, index, { partner: this.partners[0][index] ?? -1, score: first });
      this.put(0, index, { partner, score });
    } else if (score > (seconds[index] ?? 0)) this.put(1, index, { partner, score });
  }

  first(index: number): number {
    return this.partners[0][index] ?? -1;
  }

  second(index: number): Rival | null {
    const rival = this.partners[1][index] ?? -1;
    return rival < 0 ? null : { partner: rival, score: this.scores[1][index] ?? 0 };
  }

  *firsts(): Generator<IndexPair> {
    for (const [index, first] of this.partners[0].entries()) if (first >= 0) yield [index, first];
  }

  private put(rank: 0 | 1, index: number, rival: Rival): void {
    this.partners[rank][index] = rival.partner;
    this.scores[rank][index] = rival.score;
  }
}
