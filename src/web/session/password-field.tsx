/** A password field with a button that shows the password. */
import { Field } from '../kit/fields.tsx';

/** The button is hidden without scripts. */
export function PasswordField(props: {
  readonly name?: string;
  readonly label: string;
  readonly hint?: string;
  /** Whether browsers should suggest a new password. */
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
