/** What is wrong with a form, field by field. */

/** A fault under the name of its field; nothing when there is none. */
export function nameFault(name: string, fault: string | null): Record<string, string> {
  return fault === null ? {} : { [name]: fault };
}
