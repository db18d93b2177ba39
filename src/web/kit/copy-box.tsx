/** Text with a copy button. */

/** A text to copy; without script there is no button. */
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
