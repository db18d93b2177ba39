/** A field for a password, which scripts let people see. */
import { Field } from '../kit/fields.tsx';

/** The field, with a button that shows what is typed where scripts are. */
export function PasswordField(props: {
  readonly name?: string;
  readonly label: string;
  readonly hint?: string;
  /** Whether it is being chosen, so that browsers offer a new one. */
  readonly isNew?: boolean;
}) {
  const { name = 'password', label, hint, isNew = false } = props;
  return (
    <div class="password">
      <Field
        name={name}
        label={label}
        type="password"
        autocomplete={isNew ? 'new-password' : 'current-password'}
        {...(hint && { hint })}
      />
      <button class="link" type="button" data-shows={`field-${name}`} hidden>
        Show<span class="visually-hidden"> password</span>
      </button>
    </div>
  );
}
