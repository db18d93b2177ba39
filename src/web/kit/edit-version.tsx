/** Notices that something was changed elsewhere since a form for it was shown. */
import { Notice, useTyped } from './fields.tsx';
import type { TypedFields } from './typed-fields.ts';

/** The same for the same values, and another one for others. */
export function versionOf(values: readonly (string | number | null)[]): string {
  const hash = Bun.SHA256.hash(JSON.stringify(values)) as Uint8Array;
  return Buffer.from(hash).toString('base64url').slice(0, 16);
}

/**
 * Refuses what was typed over values that are not there any more, unless it says what is there
 * now: a form may be sent twice.
 */
export function checkVersion(fields: TypedFields, now: string, typed: string): void {
  const seen = fields.form.text('seen');
  if (seen === '' || seen === now || typed === now) return;
  fields.fail('seen', 'This was changed elsewhere since you opened the page.');
}

/** What a form was shown with, and that this has changed. */
export function VersionField({ version }: { readonly version: string }) {
  const { seen } = useTyped().faults;
  return (
    <>
      {seen && <Notice kind="bad">{`${seen} Saving now overwrites that change.`}</Notice>}
      <input type="hidden" name="seen" value={version} />
    </>
  );
}
