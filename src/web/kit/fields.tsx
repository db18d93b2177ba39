/** Forms: every field with its label, its hint, and what is wrong with it beside it. */

import { type ComponentChildren, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { PageRequest } from '../page.ts';

/** What was typed, and what is wrong with it, by the name of the field. */
export interface Typed {
  readonly values: Readonly<Record<string, string>>;
  readonly faults: Readonly<Record<string, string>>;
}

/** A form that nobody has filled in yet. */
export const untyped: Typed = { values: {}, faults: {} };

/** How many of these fields are filled in. */
export function countTyped({ values }: Typed, names: readonly string[]): number {
  return names.filter((name) => (values[name] ?? '') !== '').length;
}

/** Whether nothing is wrong with what was typed. */
export function isGood({ faults }: Typed): boolean {
  return Object.keys(faults).length === 0;
}

/** The status of a page with a form: whether it was refused. */
export function statusOf(typed: Typed): 200 | 400 {
  return isGood(typed) ? 200 : 400;
}

/** A form that was rejected, to be shown again. */
export interface FormOutcome {
  readonly typed?: Typed;
  /** What was wrong besides the fields. */
  readonly message?: string | undefined;
  /** Other than what `statusOf` says of the fields. */
  readonly status?: number;
}

/** What was typed into the form that a field is in. */
const FormTyped = createContext<Typed>(untyped);

/** What is to stand in the fields of a form again; null where nothing is. */
const DraftValues = createContext<Typed['values'] | null>(null);

/** The values and faults of the form that a field is in. The values of a draft come first. */
export function useTyped(): Typed {
  const { values, faults } = useContext(FormTyped);
  const draft = useContext(DraftValues);
  return { values: draft ? { ...values, ...draft } : values, faults };
}

/** A form that asks for something: what is typed becomes part of the address. */
export function QueryForm(props: {
  readonly action: string;
  readonly class: string;
  readonly typed?: Typed;
  readonly children: ComponentChildren;
}) {
  const { action, typed = untyped, children } = props;
  return (
    <form action={action} class={props.class}>
      <FormTyped.Provider value={typed}>{children}</FormTyped.Provider>
    </form>
  );
}

/** A form that changes something. */
export function PostForm(props: {
  readonly request: Pick<PageRequest, 'formToken' | 'once'> & Partial<Pick<PageRequest, 'draft'>>;
  readonly action: string;
  /** What was typed into its fields before. */
  readonly typed?: Typed;
  readonly class?: string;
  readonly isUpload?: boolean;
  readonly children: ComponentChildren;
}) {
  const { request, action, typed = untyped, isUpload = false, children } = props;
  const draft = request.draft?.action === action ? request.draft : null;
  return (
    <form
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

/** Marks a field that something is wrong with; whoever comes back starts at the first one. */
export function faultyProps(typed: Typed, name: string, hint?: string): object {
  const id = `field-${name}`;
  if (!typed.faults[name]) return hint ? { 'aria-describedby': `${id}-hint` } : {};
  const isFirst = Object.keys(typed.faults)[0] === name;
  const about = hint ? `${id}-fault ${id}-hint` : `${id}-fault`;
  return { 'aria-invalid': 'true', autofocus: isFirst, 'aria-describedby': about };
}

/** What is wrong with a field, beside it; its id is told to the field. */
export function Fault({ typed, name }: { readonly typed: Typed; readonly name: string }) {
  const fault = typed.faults[name];
  if (!fault) return null;
  return (
    <span class="fault" id={`field-${name}-fault`} role="alert">
      {fault}
    </span>
  );
}

/** A field below its label, with what is wrong with it and a hint below. */
function Labeled(props: {
  readonly name: string;
  readonly label: string;
  readonly typed: Typed;
  readonly hint?: string | undefined;
  readonly children: ComponentChildren;
}) {
  const { name, label, typed, hint, children } = props;
  const id = `field-${name}`;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children}
      <Fault typed={typed} name={name} />
      {hint && (
        <span class="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
    </div>
  );
}

/** A field for a line of text. */
export function Field(props: {
  readonly name: string;
  readonly label: string;
  readonly type?: 'text' | 'email' | 'password' | 'date' | 'search' | 'time' | 'url';
  readonly hint?: string;
  readonly value?: string;
  readonly autocomplete?: string;
  readonly inputmode?: 'decimal' | 'numeric';
  readonly placeholder?: string;
  readonly isRequired?: boolean;
  readonly maxlength?: number;
  /** Whether whoever comes to the page starts here. */
  readonly hasFocus?: boolean;
}) {
  const { name, label, hint, type = 'text' } = props;
  const typed = useTyped();
  const shown = type === 'password' ? undefined : (typed.values[name] ?? props.value);
  return (
    <Labeled name={name} label={label} typed={typed} hint={hint}>
      <input
        id={`field-${name}`}
        name={name}
        // The types tell inputs apart by this word; what follows is common to all of ours.
        {...({ type } as { type: 'text' })}
        value={shown}
        autocomplete={props.autocomplete ?? 'off'}
        inputmode={props.inputmode}
        placeholder={props.placeholder}
        required={props.isRequired ?? false}
        maxlength={props.maxlength}
        autofocus={props.hasFocus ?? false}
        {...faultyProps(typed, name, hint)}
      />
    </Labeled>
  );
}

/** A field in a cell of a table; the label is for those who cannot see the name of the column. */
export function CellField(props: {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly inputmode?: 'decimal';
  readonly maxlength?: number;
}) {
  const { name, label, value, inputmode, maxlength = 20 } = props;
  const typed = useTyped();
  return (
    <div class="field">
      <input
        type="text"
        name={name}
        aria-label={label}
        value={typed.values[name] ?? value}
        autocomplete="off"
        inputmode={inputmode}
        maxlength={maxlength}
        {...faultyProps(typed, name)}
      />
      <Fault typed={typed} name={name} />
    </div>
  );
}

/** Values to choose from, each with its text. */
export type Options = readonly (readonly [value: string, text: string])[];

/** Texts by their values, after one that leaves it open. */
export function anyOf(texts: Readonly<Record<string, string>>): Options {
  return [['', 'Any'], ...Object.entries(texts)];
}

/** A field with a few choices, and maybe more of them under headings. */
export function Choice(props: {
  readonly name: string;
  readonly label: string;
  readonly options: Options;
  readonly groups?: readonly { readonly label: string; readonly options: Options }[];
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

function OptionList(props: { readonly options: Options; readonly chosen: string | undefined }) {
  const { options, chosen } = props;
  return (
    <>
      {options.map(([value, text]) => (
        <option
          key={value}
          // What is shown is sent unless something else is said.
          value={value === text ? undefined : value}
          selected={value === chosen}
        >
          {text}
        </option>
      ))}
    </>
  );
}

/** A field for several lines of text. */
export function TextArea(props: {
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  readonly rows: number;
  readonly maxlength: number;
}) {
  const { name, label, hint, rows, maxlength } = props;
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
        {`\n${typed.values[name] ?? ''}`}
      </textarea>
    </Labeled>
  );
}

/** A field for a file. */
export function FileField({ label }: { readonly label: string }) {
  const typed = useTyped();
  return (
    <Labeled name="file" label={label} typed={typed}>
      <input id="field-file" name="file" type="file" {...faultyProps(typed, 'file')} />
    </Labeled>
  );
}

/** Something to be read before the rest. */
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

/** A box with its label, and what is wrong with leaving it empty. */
export function Checkbox(props: { readonly name: string; readonly label: string }) {
  const { name, label } = props;
  const typed = useTyped();
  const id = `field-${name}`;
  // A box that is not ticked is not sent: a draft has all that are.
  const values = useContext(DraftValues) ?? typed.values;
  return (
    <div class="field">
      <label class="tick" for={id}>
        <input
          id={id}
          name={name}
          type="checkbox"
          value="yes"
          checked={Boolean(values[name])}
          {...faultyProps(typed, name)}
        />
        {label}
      </label>
      <Fault typed={typed} name={name} />
    </div>
  );
}
