/**
 * Groups rejected rows by reason for the web app, with advice. Reasons are written for operators,
 * who know flags and fields; here they are translated into plain words.
 */
import { capitalized, sentence } from '../../kernel/text.ts';
import type { ColumnRole } from '../own-files/column-guess.ts';
import type { Reject } from './report.ts';

export interface RejectGroup {
  readonly title: string;
  /** Empty if there is nothing to do. */
  readonly advice: string;
  readonly count: number;
  /** The first `examplesMax`. */
  readonly examples: readonly RejectExample[];
}

export interface RejectExample {
  readonly where: string;
  /** The rejected value, if the reason quotes it. */
  readonly text: string;
}

const examplesMax = 5;

/** More groups than any file has; further reasons are dropped. */
const groupsMax = 50;

/** Maps reasons that match a pattern to a title, in which `$1` is the first capture. */
interface RejectKind {
  readonly pattern: RegExp;
  readonly title: string;
  readonly advice: string;
  /** The field that is wrong; undefined if it is none, or more than one. */
  readonly role?: ColumnRole;
}

const onlyItems = 'Only sets and minifigs can be in your inventory.';

/** The first match wins. */
const kinds: readonly RejectKind[] = [
  {
    pattern: /is an? (gear item|unsorted lot|item without a type);/,
    title: 'Other items',
    advice: onlyItems,
  },
  {
    pattern: /is a gear; only sets and minifigs can be imported/,
    title: 'Gear',
    advice: onlyItems,
  },
  {
    pattern: /is an? (\w+); only sets and minifigs can be imported/,
    title: '$1s',
    advice: onlyItems,
  },
  {
    pattern: /^set '.*' is not in the catalog/,
    title: 'Sets that are not in the catalog',
    advice: 'Check the numbers. They look like 75192 or 75192-1.',
    role: 'number',
  },
  {
    pattern: /^minifig '.*' is not in the catalog/,
    title: 'Minifigs that are not in the catalog',
    advice: 'Check the numbers. They look like sw0001a or fig-000001.',
    role: 'number',
  },
  {
    pattern: / each is .* the market value of /,
    title: 'Prices far from the market value',
    advice: 'Correct them, or import them if they are right.',
    role: 'price',
  },
  {
    pattern: /^the file says '.*', which is /,
    title: 'Names that fit another set',
    advice: 'Correct the numbers, or import them if they are right.',
    role: 'number',
  },
  { pattern: /^skipped$/, title: 'Skipped by you', advice: '' },
  {
    pattern: /^the status is .* nothing to add$/,
    title: 'Sold or wanted',
    advice: 'Only what you own is added.',
    role: 'status',
  },
  {
    pattern: /nothing to add$/,
    title: 'Quantity 0',
    advice: 'There is nothing to add.',
    role: 'quantity',
  },
  {
    pattern: /^there is no price, and no MSRP/,
    title: 'No price, and no list price',
    advice: 'Enter one price for rows without a price.',
    role: 'price',
  },
  {
    pattern: /^there is no price\b/,
    title: 'No price',
    advice: 'Skipped, because you chose to skip rows without a price.',
    role: 'price',
  },
  {
    pattern: /^there is no (\w+) exchange rate/,
    title: 'No exchange rate for $1',
    advice: 'Write these amounts in US dollars.',
    role: 'price',
  },
  {
    pattern: /^the condition\b|^'condition'/,
    title: 'Condition not recognized',
    advice: 'Use New, Sealed or Used.',
    role: 'condition',
  },
  {
    pattern: /is in the future/,
    title: 'Date in the future',
    advice: 'Correct the date, or choose another order of day and month.',
    role: 'date',
  },
  {
    pattern: /must be a date\b|date must look like|order date is not recognized/,
    title: 'Date not recognized',
    advice: 'Write dates like 2025-12-31.',
    role: 'date',
  },
  {
    pattern: /must be an amount|_usd' must be/,
    title: 'Amount not recognized',
    advice: 'Write amounts like 119.99.',
    role: 'price',
  },
  {
    pattern: /must be a whole number|quantity'? must be/,
    title: 'Quantity not recognized',
    advice: 'Write a whole number, 1 or more.',
    role: 'quantity',
  },
  {
    pattern: /^the order is .*import it once it is paid/,
    title: 'Orders that are not paid yet',
    advice: 'Import the file again once they are paid.',
  },
  { pattern: /^the order is /, title: 'Orders that were canceled or not paid', advice: '' },
  {
    pattern: /^the sale is for .* left in /,
    title: 'Not enough units in your inventory',
    advice: 'Add what you sold to your inventory, then import the file again.',
    role: 'quantity',
  },
  {
    pattern: /^no set number found in|^there is no set number|' is empty$/,
    title: 'No set number',
    advice: 'Add the number to the row, such as 75192-1.',
    role: 'number',
  },
  {
    pattern: / names several sets: /,
    title: 'More than one set number',
    advice: 'Leave only the number of the set in the row.',
    role: 'number',
  },
  {
    pattern: /^the refund is more than was paid/,
    title: 'Refunded',
    advice: 'The refund is more than was paid.',
  },
  {
    pattern: /import an order together with its items|order has no items/,
    title: 'Orders without items, or items without their order',
    advice: 'Choose both files together: the one with the orders, and the one with their items.',
  },
  {
    pattern: /already sold from this lot/,
    title: 'Lots that you already sold from',
    advice: 'Delete the sale first to change the quantity, set or condition.',
  },
  { pattern: /^the line is for another account/, title: 'Rows of another account', advice: '' },
  {
    pattern: /^only collections, lots and sales/,
    title: 'Rows that are not collections, lots or sales',
    advice: '',
  },
  {
    pattern: /^the row has \d+ columns?/,
    title: 'Rows that do not match the header',
    advice: 'Check for missing or extra separators.',
  },
  {
    pattern: /^the limit of .* is reached$/,
    title: 'Your account is full',
    advice: 'Delete what you no longer need, then import the file again.',
  },
  {
    pattern: /^(?:minifig )?'.*' is not in the catalog/,
    title: 'Numbers that are not in the catalog',
    advice: 'Check the numbers. They look like 75192 or sw0001a.',
    role: 'number',
  },
  { pattern: / is listed twice; /, title: 'Listed twice', advice: 'The first one counts.' },
];

export class RejectGroups {
  private readonly found = new Map<string, RejectGroup & { readonly examples: RejectExample[] }>();

  add({ where, reason }: Reject): void {
    const { title, advice } = describeReason(reason);
    const known = this.found.get(title);
    const example = { where, text: quotedValue(reason) };
    if (known) {
      if (known.examples.length < examplesMax) known.examples.push(example);
      this.found.set(title, { ...known, count: known.count + 1 });
    } else if (this.found.size < groupsMax) {
      this.found.set(title, { title, advice, count: 1, examples: [example] });
    }
  }

  /** Largest first. */
  get groups(): RejectGroup[] {
    return [...this.found.values()].sort((a, b) => b.count - a.count);
  }
}

export function groupRejects(rejects: readonly Reject[]): RejectGroup[] {
  const groups = new RejectGroups();
  for (const reject of rejects) groups.add(reject);
  return groups.groups;
}

/** Translates a reason into a group title and advice. */
export function describeReason(reason: string): Omit<RejectKind, 'pattern'> {
  for (const { pattern, title, ...kind } of kinds) {
    const match = pattern.exec(reason);
    if (match) return { title: capitalized(title.replace('$1', match[1] ?? '')), ...kind };
  }
  return { title: commonPart(reason), advice: '' };
}

/** Strips the values of the row and hints about command-line flags from a reason. */
function commonPart(reason: string): string {
  return sentence(
    reason
      .replace(/; [^;]*--.*$/, '')
      .replace(/( at column |, not |: ).*$/, '')
      .replace(/^'(\w+)' (?=must|is missing|is longer)/, '$1 ')
      .replace(/'[^']*'/g, '…'),
  ).replace(/\.$/, '');
}

/** The value that the reason quotes from the row, without the column it is in; empty if none. */
export function quotedValue(reason: string): string {
  if (reason.includes(' is 0, so ')) return '';
  const rest = reason.replace(/^'[^']*' (?=must be|is (?:missing|empty|in the future|longer))/, '');
  const patterns = [
    /, not '(.*)'$/,
    /, not (.+)$/,
    /^is (?:in the future|longer than .*): (.+?)(?:; (?:today is|it is now) .*)?$/,
    // An apostrophe in a word does not end the quotation.
    /'(.*?)'(?!\w)/,
    /(?:no MSRP|units?) of ([\w-]+)/,
  ];
  return patterns.map((pattern) => pattern.exec(rest)?.[1]).find((value) => value) ?? '';
}
