/** Reads a set picker. */
import { barcodeKey } from '../../catalog/barcodes/barcode.ts';
import { type ItemKind, itemKey, itemKinds } from '../../catalog/items/numbers.ts';
import type { FormReader } from '../kit/form-reader.ts';
import { choiceValue, type PickerKind, pickedLengthMax } from '../kit/set-picker.tsx';
import type { WebDeps } from '../page.ts';
import { findExact, findHeldItems, suggestItems } from './find-item.ts';

/** The picked item, or the choices if the input is ambiguous; otherwise sets an error. */
export async function readSetPicker(
  deps: WebDeps,
  fields: FormReader,
  { name, ...source }: PickerSource & { readonly name: string },
) {
  const typed = fields.text(name, pickedLengthMax);
  if (typed === '') return { item: null, choices: [] };
  const matches = await findMatches(deps, typed, source);
  // A choice only counts for the input it was offered for.
  const isChosen = fields.form.text(`${name}_for`) === typed;
  const choice = isChosen ? fields.form.text(`${name}_choice`) : '';
  const [first, second] = matches;
  const item = matches.find((each) => choiceValue(each) === choice) ?? (second ? null : first);
  if (item) return { item, choices: [] };
  if (!first) fields.fail(name, `${missing[source.kind ?? 'set']} matches '${typed}'.`);
  else fields.fail(name, 'More than one matches. Choose one below.');
  return { item: null, choices: matches };
}

/** The items to pick from; `held` are those in the inventory of an account. */
type PickerSource =
  | { readonly kind?: Exclude<PickerKind, 'held'> }
  | { readonly kind: 'held'; readonly accountId: number };

const missing: Readonly<Record<PickerKind, string>> = {
  set: 'No set',
  any: 'No set or minifig',
  held: 'No set or minifig in your inventory',
};

const heldMax = 8;

async function suggestHeld(deps: WebDeps, accountId: number, typed: string) {
  const held = await findHeldItems(deps, accountId, { typed, limit: heldMax });
  return held.map(({ kind, number, title, theme }) => ({ kind, number, title, theme, year: null }));
}

/** The items with exactly this number, or else all matching ones. */
async function findMatches(deps: WebDeps, typed: string, source: PickerSource) {
  const kinds: readonly ItemKind[] = (source.kind ?? 'set') === 'set' ? ['set'] : itemKinds;
  const held = source.kind === 'held' ? await suggestHeld(deps, source.accountId, typed) : [];
  const own = held.filter(({ kind, number }) => itemKey(kind, number) === itemKey(kind, typed));
  if (own.length > 0) return own;
  const exact = await Promise.all(kinds.map((kind) => findExact(deps, kind, typed)));
  const found = exact.filter((item) => item !== null);
  if (found.length > 0) return found;
  if (source.kind === 'held' && barcodeKey(typed) === null) return held;
  return (await Promise.all(kinds.map((kind) => suggestItems(deps, kind, typed)))).flat();
}
