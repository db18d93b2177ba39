/** Messages about the last action, with undo. */
import type { ComponentChildren } from 'preact';
import type { PageRequest } from '../page.ts';
import { ButtonForm } from './buttons.tsx';

interface Undo {
  readonly action: string;
  readonly fields?: Readonly<Record<string, string>>;
}

/** A short message; a script hides it after a while. */
export function Toast(props: { readonly undo?: Undo; readonly children: ComponentChildren }) {
  const { undo, children } = props;
  return (
    <div class="toast" role="status" data-toast="">
      <span>{children}</span>
      {undo && <ButtonForm {...undo}>Undo</ButtonForm>}
    </div>
  );
}

/** In a form, shown by the script for sent forms once its work takes more than a second. */
export function WaitingToast({ children }: { readonly children: string }) {
  return (
    <div class="toast waiting" role="status">
      <progress aria-label={children} />
      <span>{children}</span>
    </div>
  );
}

/** The toast for the `did` parameter of an address, such as `?did=saved`. */
export function DoneToast(props: {
  readonly request: Pick<PageRequest, 'query'>;
  readonly texts: Readonly<Record<string, string>>;
}) {
  const done = new Map(Object.entries(props.texts)).get(props.request.query.get('did') ?? '');
  return done === undefined ? null : <Toast>{done}</Toast>;
}
