/** A store whose schema is not one that this program works with. */

/** The store is not in the state that this program needs; the message says what to do. */
export class SchemaError extends Error {}

/** The schema is ahead of this program: nothing that it does there would be right. */
export function newerSchema(
  store: 'store' | 'database',
  versions: { readonly found: number; readonly known: number },
): SchemaError {
  return new SchemaError(
    `The ${store} was made by a newer version of Brickmark (schema ${versions.found}; this ` +
      `version has ${versions.known}). Upgrade Brickmark, or restore an older backup.`,
  );
}
