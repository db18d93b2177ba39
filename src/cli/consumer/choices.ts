/** Words that cannot be just anything: flags that take one of a few, and numbers of items. */
import { type Arguments, flagText, UsageError } from '../command.ts';

/** The word that was typed after a flag; undefined when it was not given. */
export function flagChoice<const Word extends string>(
  args: Arguments,
  name: string,
  words: readonly Word[],
): Word | undefined {
  const typed = flagText(args, name);
  if (typed === null) return undefined;
  const word = words.find((each) => each === typed);
  if (word !== undefined) return word;
  const all = `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
  throw new UsageError(`--${name} must be ${all}, not '${typed}'.`);
}

/** The number of a set or minifig; addresses take dots alone for a folder. */
export function itemNumber(word = ''): string {
  if (word === '.' || word === '..') throw new UsageError(`'${word}' is not a number.`);
  return word;
}
