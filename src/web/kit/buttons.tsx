/** Buttons that change something. */
import type { ComponentChildren } from 'preact';
import type { PageRequest } from '../page.ts';
import { PostForm } from './fields.tsx';

interface ButtonProps {
  readonly request: Pick<PageRequest, 'formToken' | 'once'>;
  readonly action: string;
  readonly look?: 'plain' | 'link' | 'danger';
  /** What it is done with, for those who cannot see the row of a table that it stands in. */
  readonly of?: string;
}

/** A form that is a single button. */
export function ButtonForm(
  props: ButtonProps & {
    /** What is sent besides, by the names of the fields. */
    readonly fields?: Readonly<Record<string, string>>;
    readonly children: ComponentChildren;
  },
) {
  const { request, action, look, of, fields = {}, children } = props;
  return (
    <PostForm request={request} action={action} class="row">
      {Object.entries(fields).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <button class={look} type="submit">
        {children}
        {of && <span class="visually-hidden">{` ${of}`}</span>}
      </button>
    </PostForm>
  );
}

/** Turns something off, or on again. */
export function SwitchForm({ isOn, ...props }: ButtonProps & { readonly isOn: boolean }) {
  return (
    <ButtonForm {...props} fields={{ to: isOn ? 'off' : 'on' }}>
      {isOn ? 'Turn off' : 'Turn on'}
    </ButtonForm>
  );
}

/** The end of a form: what it does, or the way back without doing it. */
export function SubmitOrCancel(props: {
  readonly look?: 'danger';
  /** Where to go instead. */
  readonly cancel: string;
  readonly children: ComponentChildren;
}) {
  const { look, cancel, children } = props;
  return (
    <p class="row flush">
      <button class={look} type="submit">
        {children}
      </button>
      <a class="button plain" href={cancel}>
        Cancel
      </a>
    </p>
  );
}
