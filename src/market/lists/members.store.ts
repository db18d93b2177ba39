/**
 * Minifigs with several numbers. Every known number has an item; an item with a number that another
 * minifig has as an alias is a part of that minifig. Rows reported under a number stay with its
 * item, so a removed alias separates them again. The result does not depend on the order of rows.
 */

import { compareText } from '../../catalog/items/numbers.ts';
import { inPrecedence, minifigPrecedence } from '../../catalog/items/precedence.ts';
import type { Evidence } from '../evidence/evidence.ts';

/** The source of aliases found by joining the catalogs of BrickLink and Rebrickable. */
export const joinSource = 'join';

/** The source of aliases that an operator decided. */
export const operatorSource = 'operator';

/** The `partOf` of an item that no source describes and that is no alias any more. */
export const nobody = 0;

/** The item of a minifig number. */
export interface Member {
  readonly id: number;
  readonly key: string;
  /** The minifig that it is a part of; null if it is a minifig itself. */
  readonly partOf: number | null;
  /** Whether any source has a record under this number. */
  readonly isDescribed: boolean;
}

/** An alias: a source says that a minifig has another number. */
export interface Claim {
  readonly itemId: number;
  readonly key: string;
  readonly source: string;
}

/** An item with a changed `partOf`. */
export interface Regrouping {
  readonly id: number;
  readonly key: string;
  readonly from: number | null;
  readonly to: number | null;
}

/**
 * Selects the other items whose sales count for the item with an id: the parts of a minifig, or the
 * minifig that is valued as a set, with its parts.
 */
export const otherNumbersSql = (id: string) =>
  `SELECT part.id FROM published.item AS part WHERE part.part_of = ${id}
   UNION ALL SELECT minifig.id FROM published.item AS minifig WHERE minifig.valued_as = ${id}
   UNION ALL SELECT part.id FROM published.item AS minifig
     JOIN published.item AS part ON part.part_of = minifig.id WHERE minifig.valued_as = ${id}`;

/** Finds the members whose `partOf` changes. Must get all members connected by claims. */
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
 * The evidence of an item including other numbers that were published separately before: their
 * sales were already scored against those publications.
 */
export function wholeEvidence(own: Evidence | null, parts: readonly Evidence[]): Evidence | null {
  if (own === null) return null;
  const until = [own, ...parts].map(({ learnedUntil }) => learnedUntil);
  return { ...own, learnedUntil: Math.max(...until) };
}

/** The claim that makes a member a part of another. */
interface Parent {
  readonly source: string;
  readonly claimant: Member;
}

/** If several minifigs claim a number, the best source wins, then the lowest number. */
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
      // A claim of a minifig without a record has no effect until a source describes it again.
      return claimant?.isDescribed ? [{ source, claimant }] : [];
    });
    const best = bestOf(others);
    if (best) parents.set(id, best);
  }
  return parents;
}

/** The root of a member; memoized for all members on the path. */
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

/** In a cycle of claims, the best claim decides. */
function headOf(path: ReadonlyMap<number, Parent>, at: Member): Member {
  const circle = [...path].slice([...path.keys()].indexOf(at.id));
  return bestOf(circle.map(([, claim]) => claim))?.claimant ?? at;
}

function bestOf(parents: readonly Parent[]): Parent | undefined {
  const byKey = [...parents].sort((a, b) => compareText(a.claimant.key, b.claimant.key));
  const order = [operatorSource, ...(minifigPrecedence[0]?.sources ?? [])];
  return inPrecedence(byKey, order)[0];
}
