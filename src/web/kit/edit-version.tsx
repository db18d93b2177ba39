/** Detects that something changed since the form for it was opened. */
import { Notice, useTyped } from './fields.tsx';
import type { FormReader } from './form-reader.ts';

export function versionOf(values: readonly (string | number | boolean | null)[]): string {
  const hash = Bun.SHA256.hash(JSON.stringify(values)) as Uint8Array;
  return Buffer.from(hash).toString('base64url').slice(0, 16);
}

/** Rejects a form whose values changed since it was opened. */
export function checkVersion(fields: FormReader, now: string): void {
  const seen = fields.form.text('seen');
  if (seen === '' || seen === now) return;
  fields.fail('seen', 'This was changed elsewhere since you opened the page.');
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
