/** Reads a set picker. */
import type { WebDeps } from '../deps.ts';
import {
  choiceValue,
  type PickerKind,
  pickedLengthMax,
  type SuggestedItem,
} from '../kit/set-picker.tsx';
import type { TypedFields } from '../kit/typed-fields.ts';
import { matchItems } from './find-item.ts';
import { matchSets } from './find-set.ts';
import { matchHeldSets } from './held-sets.ts';

/** The picked item, or the choices if the input is ambiguous. */
export interface Picked {
  readonly item: SuggestedItem | null;
  readonly choices: readonly SuggestedItem[];
}

/** Finds the picked item; otherwise sets the error of the field. */
export async function readSetPicker(
  deps: WebDeps,
  fields: TypedFields,
  { name, ...asked }: Asked & { readonly name: string },
): Promise<Picked> {
  const typed = fields.text(name, pickedLengthMax);
  if (typed === '') return { item: null, choices: [] };
  const matches = await findMatches(deps, typed, asked);
  // A choice only counts for the input it was offered for.
  const isChosen = fields.form.text(`${name}_for`) === typed;
  const choice = isChosen ? fields.form.text(`${name}_choice`) : '';
  const [first, second] = matches;
  const item = matches.find((each) => choiceValue(each) === choice) ?? (second ? null : first);
  if (item) return { item, choices: [] };
  if (!first) fields.fail(name, `${nothing[asked.kind ?? 'set']} matches '${typed}'.`);
  else fields.fail(name, 'More than one matches. Choose one below.');
  return { item: null, choices: matches };
}

/** What may be picked; `held` are sets in the inventory of an account. */
type Asked =
  | { readonly kind?: Exclude<PickerKind, 'held'> }
  | { readonly kind: 'held'; readonly accountId: number };

const nothing: Readonly<Record<PickerKind, string>> = {
  set: 'No set',
  any: 'No set or minifig',
  held: 'No set in your inventory',
};

async function findMatches(deps: WebDeps, typed: string, asked: Asked) {
  if (asked.kind === 'held') return matchHeldSets(deps, asked.accountId, typed);
  if (asked.kind === 'any') return matchItems(deps, typed);
  return (await matchSets(deps, typed)).map((set) => ({ kind: 'set' as const, ...set }));
}
