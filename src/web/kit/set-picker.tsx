/** A field that finds a set or minifig by number, name or barcode. */
import type { ItemKind } from '../../catalog/items/numbers.ts';
import { withQuery } from './address.ts';
import { Choice, Fault, faultyProps, useTyped } from './fields.tsx';

/** The items to pick from: sets, sets and minifigs, or those in the inventory. */
export type PickerKind = 'set' | 'any' | 'held';

/** A suggested item. The theme of a minifig is `minifig`. */
export interface SuggestedItem {
  readonly kind: ItemKind;
  readonly number: string;
  readonly title: string;
  readonly theme: string;
  readonly year: number | null;
}

export const pickedLengthMax = 200;

/** The field. A script adds suggestions; without it, ambiguous input leads to a select. */
export function SetPicker(props: {
  readonly name: string;
  readonly label: string;
  readonly kind?: PickerKind;
  readonly value?: string;
  /** The matches of ambiguous input. */
  readonly choices?: readonly SuggestedItem[];
  readonly hasFocus?: boolean;
}) {
  const { name, label, kind = 'set', value = '', choices = [] } = props;
  const typed = useTyped();
  const id = `field-${name}`;
  const shown = typed.values[name] ?? value;
  return (
    <>
      <div class="field combobox" data-combobox={withQuery('/search.json', { kind })}>
        <label for={id}>{label}</label>
        <input
          id={id}
          name={name}
          type="text"
          value={shown}
          autocomplete="off"
          placeholder="Number, name or barcode"
          maxlength={pickedLengthMax}
          required
          autofocus={props.hasFocus ?? false}
          {...faultyProps(typed, name)}
        />
        <Fault typed={typed} name={name} />
      </div>
      {choices.length > 0 && (
        <>
          <input type="hidden" name={`${name}_for`} value={shown.trim()} />
          <Choice
            name={`${name}_choice`}
            label="Which one?"
            options={choices.map((item) => [choiceValue(item), choiceText(item)] as const)}
          />
        </>
      )}
    </>
  );
}

export function choiceValue({ kind, number }: SuggestedItem): string {
  return `${kind} ${number}`;
}

export function choiceText({ number, title, theme, year }: SuggestedItem): string {
  const about = [theme, year].filter(Boolean).join(', ');
  return `${number} ${title}${about && ` (${about})`}`;
}
