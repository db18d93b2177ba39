/** Normalizes the words in a minifig's name, so that names of two catalogs can be compared. */
import { foldText } from '../../kernel/text.ts';

/** Words that do not distinguish minifigs. */
const emptyWords = new Set(
  (
    'a accessories an and by character cmf doll figure for from in lego mini minifig minifigure ' +
    'of on only or overall pattern print printed series stand the to type with without'
  ).split(' '),
);

/** Synonyms between the catalogs, each in the singular. */
const otherWords: ReadonlyMap<string, readonly string[]> = new Map([
  ['airtank', ['air', 'tank']],
  ['armour', ['armor']],
  ['beanie', ['knit', 'cap']],
  ['child', ['kid']],
  ['colour', ['color']],
  ['female', ['woman']],
  ['firefighter', ['fire']],
  ['fireman', ['fire', 'man']],
  ['grey', ['gray']],
  ['jail', ['prison']],
  ['lady', ['woman']],
  ['male', ['man']],
  ['moustache', ['mustache']],
  ['pant', ['leg']],
  ['policeman', ['police', 'man']],
  ['policewoman', ['police', 'woman']],
  ['prisoner', ['criminal']],
  ['racer', ['race']],
  ['racing', ['race']],
  ['spaceman', ['space', 'man']],
  ['top', ['torso']],
  ['tricorne', ['triangle', 'hat']],
  ['trouser', ['leg']],
]);

/** Numbers of parts and molds, such as `3626c` or `6538158`, which differ between catalogs. */
const partNumber = /^\d{4,}[a-z]*\d*$/;

/** Distinct words in the order of the name. */
export function minifigWords(name: string): string[] {
  const words = new Set<string>();
  for (const part of foldText(name)
    .replace(/['’.]/g, '')
    .match(/[a-z0-9]+/g) ?? []) {
    const word = singular(part);
    if (emptyWords.has(part) || emptyWords.has(word) || partNumber.test(part)) continue;
    for (const known of otherWords.get(word) ?? [word]) words.add(known);
  }
  return [...words];
}

function singular(word: string): string {
  return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}
