/**
 * Minifigs of an earlier version that name each other in every way: twice, in chains, in circles.
 * Written as the tables of that version, which are the same on both engines.
 */
import fc from 'fast-check';
import { nobody, regroup } from '../../src/store/market/members.ts';

/** What an earlier version knows: minifigs that are described, and the numbers that each names. */
export interface OldClaims {
  readonly minifigs: readonly { readonly id: number; readonly key: string }[];
  readonly aliases: readonly {
    readonly key: string;
    readonly itemId: number;
    readonly source: string;
  }[];
}

/** Numbers of a group; the last two are only ever named, and nobody describes them. */
const letters = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
const describedCount = 5;

const sources = ['feed', 'bricklink', 'bricklink-list', 'rebrickable', 'aaa', 'zzz'];

const anyGroup = fc.uniqueArray(
  fc.record({
    claimant: fc.nat({ max: describedCount - 1 }),
    letter: fc.constantFrom(...letters),
    source: fc.constantFrom(...sources),
  }),
  { maxLength: 8, selector: ({ claimant, letter, source }) => `${claimant} ${letter} ${source}` },
);

/** Many groups of minifigs, none of which knows of another. */
export const anyOldClaims: fc.Arbitrary<OldClaims> = fc
  .array(anyGroup, { minLength: 20, maxLength: 40 })
  .map((groups) => ({
    minifigs: groups.flatMap((_, group) =>
      letters.slice(0, describedCount).map((letter, index) => ({
        id: group * describedCount + index + 1,
        key: `${group}${letter}`,
      })),
    ),
    aliases: groups.flatMap((claims, group) =>
      claims.map(({ claimant, letter, source }) => ({
        key: `${group}${letter}`,
        source,
        itemId: group * describedCount + claimant + 1,
      })),
    ),
  }));

/** The lines that put them into the tables of an engine. */
export function oldClaimsSql(
  { minifigs, aliases }: OldClaims,
  tables: { readonly item: string; readonly record: string; readonly alias: string },
): string {
  const lines = minifigs.map(
    ({ id, key }) =>
      `INSERT INTO ${tables.item} VALUES (${id}, 'minifig', '${key}', '${key}', 3, 3, NULL);
       INSERT INTO ${tables.record} VALUES (${id}, 'feed', '{}');`,
  );
  const named = aliases.map(
    ({ key, itemId, source }) =>
      `INSERT INTO ${tables.alias} VALUES ('${key}', ${itemId}, '${source}');`,
  );
  return [...lines, ...named].join('\n');
}

/** Whom each number belongs to, by key, as an import decides it that comes upon all of them. */
export function ownersOf({ minifigs, aliases }: OldClaims): Record<string, string> {
  const known = new Set(minifigs.map(({ key }) => key));
  const named = new Set(aliases.map(({ key }) => key).filter((key) => !known.has(key)));
  const members = [
    ...minifigs.map((minifig) => ({ ...minifig, partOf: null, isDescribed: true })),
    ...[...named].map((key, index) => ({
      id: minifigs.length + index + 1,
      key,
      partOf: null,
      isDescribed: false,
    })),
  ];
  const keys = new Map(members.map(({ id, key }) => [id, key]));
  const owners = Object.fromEntries(members.map(({ key }) => [key, key]));
  for (const { key, to } of regroup(members, aliases)) {
    owners[key] = to === null || to === nobody ? key : (keys.get(to) ?? '');
  }
  return owners;
}
