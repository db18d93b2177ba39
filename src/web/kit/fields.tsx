/** Forms and their fields, each with its label, hint and error. */

import { type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { PageRequest, RejectedForm } from '../page.ts';
import { inDollars } from './format.ts';

/** The input of a form and its errors, by field name. */
export type Typed = Pick<RejectedForm, 'values' | 'faults'>;

export const untyped: Typed = { values: {}, faults: {} };

export function isGood({ faults }: Typed): boolean {
  return Object.keys(faults).length === 0;
}

export function statusOf(typed: Typed): 200 | 400 {
  return isGood(typed) ? 200 : 400;
}

const FormTyped = createContext<Typed>(untyped);

/** The request that the page answers, which `Layout` provides for the forms in it. */
export const FormRequest = createContext<
  Pick<PageRequest, 'formToken' | 'once' | 'draft' | 'rejected'>
>({ formToken: '', once: '', draft: null });

/** The draft of the surrounding form; null if there is none. */
const DraftValues = createContext<Typed['values'] | null>(null);

/** The input of the surrounding form. Values of a draft come first. */
export function useTyped(): Typed {
  const { values, faults } = useContext(FormTyped);
  const draft = useContext(DraftValues);
  return { values: draft ? { ...values, ...draft } : values, faults };
}

/** A GET form: its values become part of the address. */
export function QueryForm(props: {
  readonly action: string;
  readonly class: string;
  /** A description for screen readers. */
  readonly label?: string | undefined;
  readonly typed: Typed;
  readonly children: ComponentChildren;
}) {
  const { action, label, typed, children } = props;
  return (
    <form action={action} class={props.class} aria-label={label}>
      <FormTyped.Provider value={typed}>{children}</FormTyped.Provider>
    </form>
  );
}

export function PostForm(props: {
  readonly action: string;
  /** The initial input, unless the form was just rejected. */
  readonly typed?: Typed;
  readonly class?: string;
  /** For fields outside of it. */
  readonly id?: string;
  readonly isUpload?: boolean;
  readonly children: ComponentChildren;
}) {
  const { action, isUpload = false, children } = props;
  const request = useContext(FormRequest);
  const draft = request.draft?.action === action ? request.draft : null;
  const isRejected = request.rejected?.action === action.split('?', 1)[0];
  const typed = (isRejected ? request.rejected : props.typed) ?? untyped;
  return (
    <form
      id={props.id}
      method="post"
      action={action}
      class={props.class ?? 'stack'}
      enctype={isUpload ? 'multipart/form-data' : undefined}
    >
      <input type="hidden" name="token" value={request.formToken} />
      <input type="hidden" name="once" value={request.once} />
      {draft && (
        <div class="notice warn" role="status" id="draft">
          {draftTexts[draft.reason]}
        </div>
      )}
      <FormTyped.Provider value={typed}>
        <DraftValues.Provider value={draft?.values ?? null}>{children}</DraftValues.Provider>
      </FormTyped.Provider>
    </form>
  );
}

const draftTexts: Readonly<Record<NonNullable<PageRequest['draft']>['reason'], string>> = {
  'signed out': 'You were signed out before this was saved. Review your entries and save.',
  'too old': 'Nothing was saved, because this page was out of date. Review your entries and save.',
};

/** The attributes of a field with an error; the first one gets the focus. */
export function faultyProps(typed: Typed, name: string, hint?: string): object {
  const id = `field-${name}`;
  if (!typed.faults[name]) return hint ? { 'aria-describedby': `${id}-hint` } : {};
  const isFirst = Object.keys(typed.faults)[0] === name;
  const about = hint ? `${id}-fault ${id}-hint` : `${id}-fault`;
  return { 'aria-invalid': 'true', autofocus: isFirst, 'aria-describedby': about };
}

/** The error of a field, which `faultyProps` refers to. */
export function Fault({ typed, name }: { readonly typed: Typed; readonly name: string }) {
  const fault = typed.faults[name];
  if (!fault) return null;
  return (
    <span class="fault" id={`field-${name}-fault`} role="alert">
      {fault}
    </span>
  );
}

/** Marks the unit of a label, and leaves names in it as they are. */
function unitInDollars(label: string): string {
  return label.endsWith('($)') ? `${label.slice(0, -3)}${inDollars('($)')}` : label;
}

/** Phones show a keyboard with digits for amounts. */
function keyboardOf(label: string): 'decimal' | undefined {
  return label.endsWith('($)') ? 'decimal' : undefined;
}

function Labeled(props: {
  readonly name: string;
  readonly label: string;
  readonly isTypedLabel?: boolean | undefined;
  readonly typed: Typed;
  readonly hint?: string | undefined;
  readonly children: ComponentChildren;
}) {
  const { name, label, isTypedLabel = false, typed, hint, children } = props;
  const id = `field-${name}`;
  return (
    <div class="field">
      <label for={id}>{isTypedLabel ? label : unitInDollars(label)}</label>
      {children}
      <Fault typed={typed} name={name} />
      {hint && (
        <span class="hint" id={`${id}-hint`}>
          {inDollars(hint)}
        </span>
      )}
    </div>
  );
}

export function Field(props: {
  readonly name: string;
  readonly label: string;
  /** Whether a user chose the label, which is then shown as it is. */
  readonly isTypedLabel?: boolean;
  readonly type?: 'text' | 'email' | 'password' | 'date' | 'search' | 'time' | 'url';
  readonly hint?: string;
  readonly value?: string;
  readonly autocomplete?: string;
  readonly inputmode?: 'decimal' | 'numeric';
  readonly placeholder?: string;
  readonly isRequired?: boolean;
  readonly maxlength?: number;
  readonly hasFocus?: boolean;
}) {
  const { name, label, isTypedLabel, hint, type = 'text' } = props;
  const typed = useTyped();
  const shown = type === 'password' ? undefined : (typed.values[name] ?? props.value);
  return (
    <Labeled name={name} label={label} isTypedLabel={isTypedLabel} typed={typed} hint={hint}>
      <input
        id={`field-${name}`}
        name={name}
        // TypeScript has a type per kind of input; ours share all attributes below.
        {...({ type } as { type: 'text' })}
        value={shown}
        autocomplete={props.autocomplete ?? 'off'}
        inputmode={props.inputmode ?? keyboardOf(label)}
        placeholder={props.placeholder}
        required={props.isRequired ?? false}
        maxlength={props.maxlength}
        autofocus={props.hasFocus ?? false}
        {...faultyProps(typed, name, hint)}
      />
    </Labeled>
  );
}

/** A field in a table cell; its label is for screen readers. */
export function CellField(props: {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly inputmode?: 'decimal' | 'numeric';
  readonly maxlength?: number;
  readonly placeholder?: string;
}) {
  const { name, label, value, inputmode, maxlength = 20, placeholder } = props;
  const typed = useTyped();
  return (
    <div class="field">
      <input
        type="text"
        name={name}
        aria-label={unitInDollars(label)}
        value={typed.values[name] ?? value}
        autocomplete="off"
        inputmode={inputmode ?? keyboardOf(label)}
        maxlength={maxlength}
        placeholder={placeholder}
        {...faultyProps(typed, name)}
      />
      <Fault typed={typed} name={name} />
    </div>
  );
}

/** A select in a table cell; its label is for screen readers. */
export function CellChoice(props: {
  readonly name: string;
  readonly label: string;
  readonly options: ChoiceOptions;
  readonly value: string;
}) {
  const { name, label, options, value } = props;
  const typed = useTyped();
  return (
    <div class="field">
      <select name={name} aria-label={label} {...faultyProps(typed, name)}>
        <OptionList options={options} chosen={typed.values[name] ?? value} />
      </select>
      <Fault typed={typed} name={name} />
    </div>
  );
}

export type ChoiceOptions = readonly (readonly [value: string, text: string])[];

export function anyOf(texts: Readonly<Record<string, string>>): ChoiceOptions {
  return [['', 'Any'], ...Object.entries(texts)];
}

export function Choice(props: {
  readonly name: string;
  readonly label: string;
  readonly options: ChoiceOptions;
  readonly groups?: readonly { readonly label: string; readonly options: ChoiceOptions }[];
  readonly value?: string;
}) {
  const { name, label, options, groups = [] } = props;
  const typed = useTyped();
  const chosen = typed.values[name] ?? props.value;
  return (
    <Labeled name={name} label={label} typed={typed}>
      <select id={`field-${name}`} name={name} {...faultyProps(typed, name)}>
        <OptionList options={options} chosen={chosen} />
        {groups
          .filter((group) => group.options.length > 0)
          .map((group) => (
            <optgroup key={group.label} label={group.label}>
              <OptionList options={group.options} chosen={chosen} />
            </optgroup>
          ))}
      </select>
    </Labeled>
  );
}

function OptionList(props: {
  readonly options: ChoiceOptions;
  readonly chosen: string | undefined;
}) {
  return (
    <>
      {props.options.map(([value, text]) => (
        <option
          key={value}
          // Without a value, browsers send the text.
          value={value === text ? undefined : value}
          selected={value === props.chosen}
        >
          {text}
        </option>
      ))}
    </>
  );
}

export function TextArea(props: {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly rows: number;
  readonly maxlength: number;
  readonly value?: string;
}) {
  const { name, label, hint, rows, maxlength, value = '' } = props;
  const typed = useTyped();
  return (
    <Labeled name={name} label={label} typed={typed} hint={hint}>
      <textarea
        id={`field-${name}`}
        name={name}
        rows={rows}
        maxlength={maxlength}
        spellcheck={false}
        autocomplete="off"
        {...faultyProps(typed, name, hint)}
      >
        {/* The first line break after the tag is not part of the text. */}
        {`\n${typed.values[name] ?? value}`}
      </textarea>
    </Labeled>
  );
}

export function FileField(props: {
  readonly label: string;
  readonly hint?: string;
  /** The types of files that browsers offer. */
  readonly accept?: string;
  readonly isMultiple?: boolean;
}) {
  const { label, hint, accept, isMultiple = false } = props;
  const typed = useTyped();
  return (
    <Labeled name="file" label={label} typed={typed} hint={hint}>
      <input
        id="field-file"
        name="file"
        type="file"
        accept={accept}
        multiple={isMultiple}
        {...faultyProps(typed, 'file', hint)}
      />
    </Labeled>
  );
}

export function Notice(props: {
  readonly kind?: 'good' | 'bad' | 'warn';
  readonly children: ComponentChildren;
}) {
  const { kind = 'good', children } = props;
  return (
    <div class={`notice ${kind}`} role={kind === 'bad' ? 'alert' : 'status'}>
      {children}
    </div>
  );
}

export function Checkbox(props: {
  readonly name: string;
  readonly label: string;
  /** Initially. */
  readonly isTicked?: boolean;
}) {
  const { name, label, isTicked = false } = props;
  const typed = useTyped();
  const id = `field-${name}`;
  // Browsers send only checked boxes, so a draft has all of them.
  const values = useContext(DraftValues) ?? typed.values;
  const isEmpty = Object.keys(values).length === 0;
  return (
    <div class="field">
      <label class="tick" for={id}>
        <input
          id={id}
          name={name}
          type="checkbox"
          value="yes"
          checked={isEmpty ? isTicked : Boolean(values[name])}
          {...faultyProps(typed, name)}
        />
        {label}
      </label>
      <Fault typed={typed} name={name} />
    </div>
  );
}

/** The version that a form was opened with, and a notice if it has changed. */
export function VersionField({ version }: { readonly version: string }) {
  const { seen } = useTyped().faults;
  return (
    <>
      {seen && <Notice kind="bad">{`${seen} Saving now overwrites that change.`}</Notice>}
      <input type="hidden" name="seen" value={version} />
    </>
  );
}
