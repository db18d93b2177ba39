/**
 * Finds out which minifigs of BrickLink's catalog are which of Rebrickable's. They have no number
 * in common, so the words of their names are compared, the rare ones above all; where they belong
 * and when they appeared; and the sets that both catalogs list them in. Two are joined when each
 * fits the other better, by a margin, than anything else does. Depends on nothing but what it is
 * given, in whatever order that comes.
 */
import { minifigWords } from './minifig-words.ts';
import { compareText } from './numbers.ts';
import { affinityMax, type PlacePair, ThemeAffinity } from './theme-affinity.ts';

/** A minifig as one of the catalogs has it. */
export interface CatalogMinifig {
  readonly key: string;
  readonly name: string;
  /** When it appeared first. */
  readonly year: number | null;
  /** Its category, or the themes of the sets that it is in, such as `City / Police`. */
  readonly themes: readonly string[];
}

/** The minifigs of one set, by key, as each catalog lists them. */
export interface SetLists {
  readonly bricklink: readonly string[];
  readonly rebrickable: readonly string[];
}

/** A minifig of each catalog, by key. */
export interface MinifigPair {
  readonly bricklink: string;
  readonly rebrickable: string;
}

/** What is compared. */
export interface MinifigCatalogs {
  readonly bricklink: readonly CatalogMinifig[];
  readonly rebrickable: readonly CatalogMinifig[];
  /** The sets whose minifigs both catalogs list. */
  readonly sets: readonly SetLists[];
  /** Pairs that are known not to be one minifig. */
  readonly parted: readonly MinifigPair[];
}

/** How well a pair fits. */
export interface FittingPair extends MinifigPair {
  /** Whether both catalogs list them in the same set, or only their names tell. */
  readonly by: 'sets' | 'names';
  readonly score: number;
}

/** A pair in which each fits the other best, but not well enough. */
export interface UnsurePair extends FittingPair {
  /** What fits nearly as well, by key; null when names have too little in common. */
  readonly rival: string | null;
}

/** The result, in order of BrickLink's key; every minifig is in one pair at most. */
export interface MinifigJoin {
  readonly joined: readonly FittingPair[];
  readonly unsure: readonly UnsurePair[];
}

/**
 * What counts how much. A word that both names have counts for its rarity (the logarithm of how
 * many names there are to one that has it); one that only one of them has, against it.
 */
const weights = {
  unsharedWord: 0.3,
  sameYear: 3,
  /** Catalogs date some sets a year apart. What is further apart is no candidate. */
  nextYear: -3,
  unknownYear: -1.5,
  /** Both are in the same sets, as far as both catalogs list them. */
  sameSets: 6,
};

/** What a pair has to reach. `docs/decisions/catalog.md` says how often that is right. */
const limits = {
  /** Names alone. */
  names: { score: 8, margin: 3 },
  /** In a set that both catalogs list there is little else that it could be. */
  sets: { score: 0, margin: 1.5 },
};

/** Pairs by name alone below this are not worth anybody's time. */
const unsureScoreMin = 4;

/** The words of a name that candidates are looked for by: its rarest. */
const wordsAsked = 5;

/** Joins two catalogs. */
export function joinMinifigs(catalogs: MinifigCatalogs): MinifigJoin {
  const { joined, unsure } = new Comparison(catalogs).choose();
  const taken = new Set(joined.flatMap((pair) => [pair.bricklink, pair.rebrickable]));
  const isOpen = (pair: UnsurePair) =>
    !taken.has(pair.bricklink) &&
    !taken.has(pair.rebrickable) &&
    (pair.by === 'sets' || pair.score >= unsureScoreMin);
  return { joined: joined.sort(byKey), unsure: unsure.filter(isOpen).sort(byKey) };
}

function byKey(a: MinifigPair, b: MinifigPair): number {
  return compareText(a.bricklink, b.bricklink);
}

/** Two catalogs side by side. Minifigs go by their place in the order of keys. */
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
    this.sets = new SharedSets(sets.map((lists) => this.placesIn(lists)));
    this.affinity = new ThemeAffinity(
      { left: this.bricklink.themes, right: this.rebrickable.themes },
      this.listAlike(),
    );
    this.parted = new Set(
      parted.flatMap((pair) => {
        const [left] = this.bricklink.placesOf([pair.bricklink]);
        const [right] = this.rebrickable.placesOf([pair.rebrickable]);
        return left === undefined || right === undefined ? [] : [this.idOf(left, right)];
      }),
    );
  }

  /** In rounds: what has found its partner is no rival of the others any more. */
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
        return { joined: Array.from(partners, (pair) => this.fitting(pair)), unsure };
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
    const sure: PlacePair[] = [];
    const unsure: UnsurePair[] = [];
    for (const [left, right] of ofLeft.firsts()) {
      if (ofRight.first(right) !== left) continue;
      const pair = this.fitting([left, right]);
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
      if (!this.isHopeless(left, right)) yield { left, right, score: this.scoreOf(left, right) };
    }
  }

  private placesIn({ bricklink, rebrickable }: SetLists): PlaceLists {
    const left = this.bricklink.placesOf(bricklink);
    const right = this.rebrickable.placesOf(rebrickable);
    const lengths = new Set([bricklink.length, rebrickable.length, left.length, right.length]);
    return { left, right, isPaired: lengths.size === 1 };
  }

  private fitting([left, right]: PlacePair): FittingPair {
    return {
      bricklink: this.bricklink.keyOf(left),
      rebrickable: this.rebrickable.keyOf(right),
      by: this.sets.agreement(left, right) > 0 ? 'sets' : 'names',
      score: this.scoreOf(left, right),
    };
  }

  /** What fits one of the two nearly as well as the other does. */
  private rivalOf(
    ofLeft: Rival | null,
    ofRight: Rival | null,
  ): { readonly key: string; readonly score: number } | null {
    if (ofRight && (!ofLeft || ofRight.score > ofLeft.score)) {
      return { key: this.bricklink.keyOf(ofRight.place), score: ofRight.score };
    }
    return ofLeft && { key: this.rebrickable.keyOf(ofLeft.place), score: ofLeft.score };
  }

  /** Neither to be listed, nor a rival of what is: most pairs with a word in common. */
  private isHopeless(left: number, right: number): boolean {
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

  /** Pairs with the same words, which nothing else has: what belongs together is learned here. */
  private listAlike(): PlacePair[] {
    const right = this.rebrickable.byAllWords();
    const pairs: PlacePair[] = [];
    for (const [words, left] of this.bricklink.byAllWords()) {
      const to = right.get(words) ?? null;
      if (left === null || to === null || words === '') continue;
      if (isNear(this.bricklink.yearOf(left), this.rebrickable.yearOf(to))) pairs.push([left, to]);
    }
    return pairs;
  }

  /** A minifig that is in sets that both catalogs list can only be one that is there, too. */
  private *listCandidates(): Generator<PlacePair> {
    const index = new WordIndex(this.rebrickable, (place) => !this.sets.hasRight(place));
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

/** Sums of fractions depend on their order, so that is always the same. */
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

/** The words of a name, by id and in order of that; and how much they weigh together. */
interface NameWords {
  readonly ids: Int32Array;
  readonly weight: number;
}

/** The words of all names. All are added before any is weighed. */
class Words {
  private readonly counts = new Map<string, { readonly id: number; count: number }>();
  private readonly weights: number[] = [];
  private names = 0;

  add(name: string): void {
    this.names++;
    for (const word of minifigWords(name)) {
      const known = this.counts.get(word);
      if (known) known.count++;
      else this.counts.set(word, { id: this.counts.size, count: 1 });
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
      if (order >= 0) atB++;
    }
    return sum;
  }

  rarest({ ids }: NameWords): number[] {
    const sorted = [...ids].sort((a, b) => this.weightOf(b) - this.weightOf(a) || a - b);
    return sorted.slice(0, wordsAsked);
  }

  private idOf(word: string): number {
    const { id, count } = this.counts.get(word) ?? { id: -1, count: 1 };
    this.weights[id] = Math.log(this.names / count);
    return id;
  }

  private weightOf(id: number): number {
    return this.weights[id] ?? 0;
  }
}

const noWords: NameWords = { ids: new Int32Array(), weight: 0 };

/** One of the catalogs. */
class Side {
  readonly themes: readonly (readonly string[])[];
  readonly size: number;
  private readonly minifigs: readonly (CatalogMinifig & { readonly words: NameWords })[];
  private readonly places: ReadonlyMap<string, number>;

  constructor(minifigs: readonly CatalogMinifig[], words: Words) {
    this.minifigs = minifigs.map((minifig) => ({ ...minifig, words: words.weigh(minifig.name) }));
    this.places = new Map(this.minifigs.map(({ key }, place) => [key, place]));
    this.themes = this.minifigs.map(({ themes }) => themes);
    this.size = this.minifigs.length;
  }

  keyOf(place: number): string {
    return this.minifigs[place]?.key ?? '';
  }

  yearOf(place: number): number | null {
    return this.minifigs[place]?.year ?? null;
  }

  wordsOf(place: number): NameWords {
    return this.minifigs[place]?.words ?? noWords;
  }

  /** Keys that are not here are left out. */
  placesOf(keys: readonly string[]): number[] {
    return keys.flatMap((key) => this.places.get(key) ?? []);
  }

  /** The minifig with exactly these words; null when there are several. */
  byAllWords(): Map<string, number | null> {
    const found = new Map<string, number | null>();
    this.minifigs.forEach(({ words }, place) => {
      const all = words.ids.join(' ');
      found.set(all, found.has(all) ? null : place);
    });
    return found;
  }
}

/** Minifigs by word and year: to compare every name with every other would take minutes. */
class WordIndex {
  private readonly places = new Map<number, Map<number | null, number[]>>();

  constructor(side: Side, isListed: (place: number) => boolean) {
    for (let place = 0; place < side.size; place++) {
      if (!isListed(place)) continue;
      const year = side.yearOf(place);
      for (const word of side.wordsOf(place).ids) {
        const years = this.places.get(word) ?? new Map<number | null, number[]>();
        this.places.set(word, years);
        const places = years.get(year);
        if (places) places.push(place);
        else years.set(year, [place]);
      }
    }
  }

  /** All with one of the words, of about that year or of no known one; none without a year. */
  find(words: readonly number[], year: number | null): Set<number> {
    const found = new Set<number>();
    if (year === null) return found;
    for (const word of words) {
      const years = this.places.get(word);
      for (const near of [year - 1, year, year + 1, null]) {
        for (const place of years?.get(near) ?? []) found.add(place);
      }
    }
    return found;
  }
}

/** Sets as both catalogs list them. */
class SharedSets {
  private readonly left = new Map<number, number>();
  private readonly right = new Map<number, number>();
  private readonly both = new Map<number, Map<number, number>>();
  private readonly lists: readonly PlaceLists[];

  constructor(lists: readonly PlaceLists[]) {
    this.lists = lists.filter(({ left, right }) => left.length > 0 && right.length > 0);
    for (const { left, right } of this.lists) {
      for (const to of right) count(this.right, to);
      for (const from of left) {
        count(this.left, from);
        const partners = this.both.get(from) ?? new Map<number, number>();
        this.both.set(from, partners);
        for (const to of right) count(partners, to);
      }
    }
  }

  hasLeft(place: number): boolean {
    return this.left.has(place);
  }

  hasRight(place: number): boolean {
    return this.right.has(place);
  }

  partnersOf(left: number): Iterable<number> {
    return this.both.get(left)?.keys() ?? [];
  }

  /** In how many of the sets of either the other is, too: from 0 to 1. */
  agreement(left: number, right: number): number {
    const shared = this.both.get(left)?.get(right) ?? 0;
    if (shared === 0) return 0;
    return shared / Math.max(this.left.get(left) ?? 0, this.right.get(right) ?? 0);
  }

  /**
   * Where lists are of one length and all but one are joined, the last two must be one as well, if
   * they are together wherever either of them is. That may leave two over in another set.
   */
  *leftOver(partners: ReadonlyMap<number, number>): Generator<PlacePair> {
    const joined = { left: new Set(partners.keys()), right: new Set(partners.values()) };
    const paired = this.lists.filter(({ isPaired }) => isPaired);
    let before: number;
    do {
      before = joined.left.size;
      for (const lists of paired) {
        const [from, ...others] = lists.left.filter((place) => !joined.left.has(place));
        const [to, ...rest] = lists.right.filter((place) => !joined.right.has(place));
        if (from === undefined || to === undefined || others.length + rest.length > 0) continue;
        if (this.agreement(from, to) < 1) continue;
        joined.left.add(from);
        joined.right.add(to);
        yield [from, to];
      }
    } while (joined.left.size > before);
  }
}

interface PlaceLists {
  readonly left: readonly number[];
  readonly right: readonly number[];
  /** Whether both catalogs list as many, all of which are known. */
  readonly isPaired: boolean;
}

function count(counts: Map<number, number>, place: number): void {
  counts.set(place, (counts.get(place) ?? 0) + 1);
}

interface Candidate {
  readonly left: number;
  readonly right: number;
  readonly score: number;
}

interface Rival {
  readonly place: number;
  readonly score: number;
}

/** The best partner of each minifig, and the second best; -1 where there is none. */
class BestOf {
  private readonly places: readonly [Int32Array, Int32Array];
  private readonly scores: readonly [Float64Array, Float64Array];

  constructor(size: number) {
    this.places = [new Int32Array(size).fill(-1), new Int32Array(size).fill(-1)];
    const least = Number.NEGATIVE_INFINITY;
    this.scores = [new Float64Array(size).fill(least), new Float64Array(size).fill(least)];
  }

  add(place: number, partner: number, score: number): void {
    const [firsts, seconds] = this.scores;
    const first = firsts[place] ?? 0;
    if (score > first) {
      this.put(1, place, { place: this.places[0][place] ?? -1, score: first });
      this.put(0, place, { place: partner, score });
    } else if (score > (seconds[place] ?? 0)) this.put(1, place, { place: partner, score });
  }

  first(place: number): number {
    return this.places[0][place] ?? -1;
  }

  second(place: number): Rival | null {
    const rival = this.places[1][place] ?? -1;
    return rival < 0 ? null : { place: rival, score: this.scores[1][place] ?? 0 };
  }

  *firsts(): Generator<PlacePair> {
    for (const [place, first] of this.places[0].entries()) if (first >= 0) yield [place, first];
  }

  private put(rank: 0 | 1, place: number, rival: Rival): void {
    this.places[rank][place] = rival.place;
    this.scores[rank][place] = rival.score;
  }
}
