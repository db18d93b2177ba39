/**
 * Rejects short and common passwords. There are no rules about character classes, which make
 * passwords harder to remember but no harder to guess.
 */
import { emailKey } from '../people/email.ts';

/** Shorter passwords can be guessed; longer ones only cost time to hash. */
const lengthMin = 10;
const lengthMax = 256;

/** Common passwords without the digits that people append, in lower case. */
const commonWords = new Set(
  (
    'abc access admin administrator angel asdf azerty baseball basketball batman brickmark ' +
    'change changeit changeme charlie chocolate computer daniel default dragon football freedom ' +
    'google guest hello helloworld hunter iloveu iloveyou internet jennifer jessica jordan ' +
    'killer lego legoland letmein login lovely loveme master michael minecraft monkey mypassword ' +
    'naruto ninja nothing pass passw password passwort pokemon princess qazwsx qwerty secret ' +
    'shadow soccer starwars sunshine superman temp test testing trustno welcome whatever'
  ).split(' '),
);

/** The orders of the alphabet, of digits and of keyboards. */
const orders = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  'qwertyuiopasdfghjklzxcvbnm',
  '1q2w3e4r5t6y7u8i9o0p',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm',
].flatMap((order) => [order, [...order].reverse().join('')]);

/** Shorter runs also occur in words. */
const runMin = 3;

/** Maximum number of characters outside runs in a rejected password. */
const outsideRunsMax = 2;

const tooEasy = 'This password is easy to guess. Try a few unrelated words.';

/** Why a password is rejected; null if it is accepted. */
export function passwordProblem(password: string, email: string): string | null {
  const { length } = [...password];
  if (length < lengthMin) return `Use at least ${lengthMin} characters.`;
  if (length > lengthMax) return `Use at most ${lengthMax} characters.`;
  const lower = password.toLowerCase();
  if (isLikeEmail(lower, emailKey(email))) return 'The password cannot be your email.';
  return isRepeated(lower) || isInOrder(lower) || isCommonWord(lower) ? tooEasy : null;
}

/** Whether it is the email address or its local part, with few extra characters. */
function isLikeEmail(lower: string, email: string): boolean {
  const [name = ''] = email.split('@', 1);
  const isLike = (part: string) => lower.includes(part) && lower.length - part.length < 4;
  return isLike(email) || isLike(name);
}

/** Whether it repeats a few characters, such as `abcabcabca`. */
function isRepeated(lower: string): boolean {
  return new Set(lower).size <= 3 || /^(.{1,8})\1+$/su.test(lower);
}

/** Whether it consists of runs such as `12345` and `qwert`. */
function isInOrder(lower: string): boolean {
  let outside = 0;
  for (let at = 0; at < lower.length; ) {
    const run = runLength(lower, at);
    if (run === 0) outside++;
    at += run || 1;
  }
  return outside <= outsideRunsMax;
}

/** The length of the run that starts here; 0 for none. */
function runLength(lower: string, at: number): number {
  let length = runMin;
  while (at + length <= lower.length && isRun(lower.slice(at, at + length))) length++;
  return length === runMin ? 0 : length - 1;
}

function isRun(part: string): boolean {
  return orders.some((order) => order.includes(part));
}

const lookAlikes: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '@': 'a',
  $: 's',
  '!': 'i',
};

/** Whether it is a common word, possibly with digits and signs around or instead of letters. */
function isCommonWord(lower: string): boolean {
  const inner = lower.replace(/^[^a-z]+|[^a-z]+$/g, '');
  const word = inner.replace(/[^a-z]/g, (sign) => lookAlikes[sign] ?? '');
  return commonWords.has(word);
}
