/** The formats that can be imported, by the name an operator types. */
import { feed } from './feed/format.ts';
import type { Format } from './format.ts';

/** Every format, written out. */
export const formats: Readonly<Record<string, Format>> = { feed };
