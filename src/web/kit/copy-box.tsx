/** Something that is taken elsewhere, with a button that copies it. */

/** A text to be copied; the button is there where scripts are (`copy.js`). */
export function CopyBox({ id, text }: { readonly id: string; readonly text: string }) {
  return (
    <div class="copied">
      <pre class="code" id={id}>
        {text}
      </pre>
      <button class="plain" type="button" data-copy={id} hidden>
        Copy
      </button>
    </div>
  );
}
