/** A field for a password, which scripts let people see. */
import { Field, type Typed } from '../kit/fields.tsx';

/** The field, with a button that shows what is typed where scripts are. */
export function PasswordField(props: {
  readonly name?: string;
  readonly label: string;
  readonly typed: Typed;
  readonly hint?: string;
  /** Whether it is being chosen, so that browsers offer a new one. */
  readonly isNew?: boolean;
}) {
  const { name = 'password', label, typed, hint, isNew = false } = props;
  return (
    <div class="password">
      <Field
        name={name}
        label={label}
        type="password"
        typed={typed}
        autocomplete={isNew ? 'new-password' : 'current-password'}
        {...(hint && { hint })}
      />
      <button class="link" type="button" data-shows={`field-${name}`} hidden>
        Show<span class="visually-hidden"> password</span>
      </button>
    </div>
  );
}
