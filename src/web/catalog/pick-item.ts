/** Reads the field that finds a set or minifig. */
import type { WebDeps } from '../deps.ts';
import { choiceValue, type PickerKind, pickedLengthMax } from '../kit/set-picker.tsx';
import type { TypedFields } from '../kit/typed-fields.ts';
import { matchItems, type SuggestedItem } from './find-item.ts';
import { matchSets } from './find-set.ts';

/** What a picker was given. */
export interface Picked {
  readonly item: SuggestedItem | null;
  readonly choices: readonly SuggestedItem[];
}

/** The item that was picked; what is wrong is said beside the field. */
export async function readSetPicker(
  deps: WebDeps,
  fields: TypedFields,
  { name, kind = 'set' }: { readonly name: string; readonly kind?: PickerKind },
): Promise<Picked> {
  const typed = fields.text(name, pickedLengthMax);
  if (typed === '') return { item: null, choices: [] };
  const matches = await findMatches(deps, typed, kind);
  // A choice was made for what had been typed then.
  const isChosen = fields.form.text(`${name}_for`) === typed;
  const choice = isChosen ? fields.form.text(`${name}_choice`) : '';
  const [first, second] = matches;
  const item = matches.find((each) => choiceValue(each) === choice) ?? (second ? null : first);
  if (item) return { item, choices: [] };
  if (!first)
    fields.fail(name, `No ${kind === 'any' ? 'set or minifig' : 'set'} matches '${typed}'.`);
  else fields.fail(name, 'More than one matches. Choose one below.');
  return { item: null, choices: matches };
}

async function findMatches(deps: WebDeps, typed: string, kind: PickerKind) {
  if (kind === 'any') return matchItems(deps, typed);
  return (await matchSets(deps, typed)).map((set) => ({ kind: 'set' as const, ...set }));
}
