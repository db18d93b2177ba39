/** Names of sets and minifigs from the words of their realm. */
import type { Random } from './random.ts';
import {
  accessories,
  adjectives,
  colors,
  garments,
  givenNames,
  places,
  type Realm,
  realmWords,
} from './words.ts';

/** Price bounds of grand and mini sets. */
const grandCents = 25_000;
const miniCents = 1_000;

export function setTitle(random: Random, facts: { realm: Realm; msrpCents: number }): string {
  const title = random.pick(titleForms)(random, facts.realm);
  if (facts.msrpCents >= grandCents && random.chance(0.6)) return `Grand ${title}`;
  if (facts.msrpCents < miniCents && random.chance(0.4)) return `Mini ${title}`;
  return title;
}

type TitleForm = (random: Random, realm: Realm) => string;

const titleForms: readonly TitleForm[] = [
  (random, realm) => `${random.pick(adjectives)} ${build(random, realm)}`,
  (random, realm) => `${random.pick(adjectives)} ${build(random, realm)}`,
  (random, realm) => `${random.pick(places)} ${build(random, realm)}`,
  (random, realm) => `${build(random, realm)} of ${random.pick(places)}`,
  (random, realm) => `${random.pick(givenNames)}'s ${build(random, realm)}`,
  (random, realm) =>
    `${random.pick(givenNames)}'s ${random.pick(adjectives)} ${build(random, realm)}`,
  (random, realm) => `${role(random, realm)}'s ${build(random, realm)}`,
  (random, realm) => `The ${random.pick(adjectives)} ${role(random, realm)}`,
  (random, realm) => `${random.pick(adjectives)} ${build(random, realm)} at ${random.pick(places)}`,
  (random, realm) =>
    `${random.pick(adjectives)} ${build(random, realm)} and ${role(random, realm)}`,
];

/** The color is null if the name does not mention it. */
export function minifigName(random: Random, realm: Realm): { name: string; color: string | null } {
  const color = random.chance(0.6) ? random.pick(colors) : null;
  const who = `${role(random, realm)} ${random.pick(givenNames)}`;
  if (color !== null) return { name: `${who} - ${color} ${random.pick(garments)}`, color };
  const name = random.chance(0.5)
    ? `${who} with ${random.pick(accessories)}`
    : `${random.pick(adjectives)} ${role(random, realm)} in ${random.pick(garments)}`;
  return { name, color };
}

function build(random: Random, realm: Realm): string {
  return random.pick(realmWords[realm].builds);
}

function role(random: Random, realm: Realm): string {
  return random.pick(realmWords[realm].roles);
}
