/** Reads the field that finds a set or minifig. */
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

/** What a picker was given. */
export interface Picked {
  readonly item: SuggestedItem | null;
  readonly choices: readonly SuggestedItem[];
}

/** The item that was picked; what is wrong is said beside the field. */
export async function readSetPicker(
  deps: WebDeps,
  fields: TypedFields,
  { name, ...asked }: Asked & { readonly name: string },
): Promise<Picked> {
  const typed = fields.text(name, pickedLengthMax);
  if (typed === '') return { item: null, choices: [] };
  const matches = await findMatches(deps, typed, asked);
  // A choice was made for what had been typed then.
  const isChosen = fields.form.text(`${name}_for`) === typed;
  const choice = isChosen ? fields.form.text(`${name}_choice`) : '';
  const [first, second] = matches;
  const item = matches.find((each) => choiceValue(each) === choice) ?? (second ? null : first);
  if (item) return { item, choices: [] };
  if (!first) fields.fail(name, `${nothing[asked.kind ?? 'set']} matches '${typed}'.`);
  else fields.fail(name, 'More than one matches. Choose one below.');
  return { item: null, choices: matches };
}

/** What may be picked, and whose sets are meant where they have to be held. */
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
