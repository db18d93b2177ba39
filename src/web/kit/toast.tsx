/** What was just done, and the way back. */
import type { ComponentChildren } from 'preact';
import type { PageRequest } from '../page.ts';
import { PostForm } from './fields.tsx';

/** How to take back what was done. */
export interface Undo {
  readonly request: Pick<PageRequest, 'formToken' | 'once'>;
  readonly action: string;
  /** Hidden fields of the form. */
  readonly fields?: Readonly<Record<string, string>>;
}

/** A short message; with script it goes away by itself. */
export function Toast(props: { readonly undo?: Undo; readonly children: ComponentChildren }) {
  const { undo, children } = props;
  return (
    <div class="toast" role="status" data-toast="">
      <span>{children}</span>
      {undo && (
        <PostForm request={undo.request} action={undo.action} class="undo">
          {Object.entries(undo.fields ?? {}).map(([name, value]) => (
            <input key={name} type="hidden" name={name} value={value} />
          ))}
          <button type="submit">Undo</button>
        </PostForm>
      )}
    </div>
  );
}
