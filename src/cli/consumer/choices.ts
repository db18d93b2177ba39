/** Flags that take one of a few words. */
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
  throw new UsageError(`--${name} is ${all}; got '${typed}'.`);
}
