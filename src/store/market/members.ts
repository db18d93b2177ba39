/**
 * Minifigs under several numbers. Every number that is known has an item; an item whose number
 * another minifig names as an alias is a part of that minifig. What was reported under a number
 * stays with its item, so that everything can be told apart again when the alias is taken back.
 * The same on both engines, and whatever order rows come in.
 */

import { compareText } from '../../domain/catalog/numbers.ts';
import { inPrecedence, minifigPrecedence } from '../../domain/catalog/precedence.ts';
import type { Evidence } from '../../domain/market/evidence.ts';

/** Who claims what joining the catalogs of BrickLink and Rebrickable found. */
export const joinSource = 'join';

/** Who claims what a person decided. */
export const operatorSource = 'operator';

/** What an item is part of when nobody describes it, and no minifig names it any more. */
export const nobody = 0;

/** The item of a number. */
export interface Member {
  readonly id: number;
  readonly key: string;
  /** The minifig that it is a part of; null: it is a minifig of its own. */
  readonly partOf: number | null;
  /** Whether any source describes it by this number. */
  readonly isDescribed: boolean;
}

/** A source says that a minifig has another number. */
export interface Claim {
  readonly itemId: number;
  readonly key: string;
  readonly source: string;
}

/** An item that is now a part of something else. */
export interface Regrouping {
  readonly id: number;
  readonly key: string;
  readonly from: number | null;
  readonly to: number | null;
}

/** Works out what members are part of; all that claim them, or are claimed by them, are given. */
export function regroup(members: readonly Member[], claims: readonly Claim[]): Regrouping[] {
  const byId = new Map(members.map((member) => [member.id, member]));
  const parents = chooseParents(members, claims, byId);
  const known = new Map<number, Member>();
  return members.flatMap((member) => {
    const top = topOf(member, parents, known);
    const to = top.id !== member.id ? top.id : member.isDescribed ? null : nobody;
    return to === member.partOf
      ? []
      : [{ id: member.id, key: member.key, from: member.partOf, to }];
  });
}

/**
 * What stood behind the value of a minifig, when parts were still published by themselves: their
 * sales have been held against what was published of them, and are not new any more.
 */
export function wholeEvidence(own: Evidence | null, parts: readonly Evidence[]): Evidence | null {
  if (own === null) return null;
  const until = [own, ...parts].map(({ learnedUntil }) => learnedUntil);
  return { ...own, learnedUntil: Math.max(...until) };
}

/** A member's place below another: by which claim. */
interface Parent {
  readonly source: string;
  readonly claimant: Member;
}

/** Of several minifigs that claim a number, the one with the best source, then the least number. */
function chooseParents(
  members: readonly Member[],
  claims: readonly Claim[],
  byId: ReadonlyMap<number, Member>,
): Map<number, Parent> {
  const claimsOf = Map.groupBy(claims, (claim) => claim.key);
  const parents = new Map<number, Parent>();
  for (const { id, key } of members) {
    const others = (claimsOf.get(key) ?? []).flatMap(({ itemId, source }) => {
      const claimant = itemId === id ? undefined : byId.get(itemId);
      // What a person said of a number waits until somebody describes it again.
      return claimant?.isDescribed ? [{ source, claimant }] : [];
    });
    const best = bestOf(others);
    if (best) parents.set(id, best);
  }
  return parents;
}

/** The minifig at the head of a member, with what is known of others on the way remembered. */
function topOf(
  member: Member,
  parents: ReadonlyMap<number, Parent>,
  known: Map<number, Member>,
): Member {
  const path = new Map<number, Parent>();
  let at = member;
  let top = known.get(at.id);
  while (!top) {
    const parent = parents.get(at.id);
    if (!parent) top = at;
    else if (path.has(at.id)) top = headOf(path, at);
    else {
      path.set(at.id, parent);
      at = parent.claimant;
      top = known.get(at.id);
    }
  }
  for (const id of path.keys()) known.set(id, top);
  return top;
}

/** Where claims go in a circle, the best of them decides. */
function headOf(path: ReadonlyMap<number, Parent>, at: Member): Member {
  const circle = [...path].slice([...path.keys()].indexOf(at.id));
  return bestOf(circle.map(([, claim]) => claim))?.claimant ?? at;
}

function bestOf(parents: readonly Parent[]): Parent | undefined {
  const byKey = [...parents].sort((a, b) => compareText(a.claimant.key, b.claimant.key));
  const order = [operatorSource, ...(minifigPrecedence[0]?.sources ?? [])];
  return inPrecedence(byKey, order)[0];
}
