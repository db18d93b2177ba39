/** Numbers that a mistyped one may mean. */

/** Set numbers: digits with an optional variant. */
const digitsPattern = /^(\d{3,7})(-\d{1,2})?$/;

/**
 * The numbers that differ by two swapped digits, one wrong digit, a missing or an extra one, in
 * this order; none if the text is not a set number.
 */
export function nearNumbers(number: string): string[] {
  const [, digits = '', variant = ''] = digitsPattern.exec(number) ?? [];
  const indexes = [...digits].map((_, index) => index);
  const near = [
    ...indexes.map((i) => swapped(digits, i)),
    ...indexes.flatMap((i) => replaced(digits, i, 1)),
    ...indexes.map((i) => digits.slice(0, i) + digits.slice(i + 1)),
    ...(digits === '' ? [] : [...indexes, digits.length]).flatMap((i) => replaced(digits, i, 0)),
  ];
  const unique = new Set(near.filter((each) => each !== digits && !each.startsWith('0')));
  return [...unique].map((each) => each + variant);
}

function swapped(digits: string, at: number): string {
  return (
    digits.slice(0, at) + digits.slice(at + 1, at + 2) + (digits[at] ?? '') + digits.slice(at + 2)
  );
}

/** The numbers with each of the ten digits in place of `count` digits at `at`. */
function replaced(digits: string, at: number, count: number): string[] {
  return [...'0123456789'].map((digit) => digits.slice(0, at) + digit + digits.slice(at + count));
}
