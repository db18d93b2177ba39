/** What is made of the installation's secret for serving, as far as there is one. */
import { type Config, ConfigError } from '../config.ts';
import { makeSheetSigner, type SheetSigner } from '../domain/account/sheet-link.ts';
import { makeSealer, type Sealer } from '../domain/delivery/seal.ts';
import { findSecretKey } from './secret-file.ts';

/** A sealer, or why there is none: a sentence for the operator. */
export type FoundSealer =
  | { readonly sealer: Sealer; readonly problem: null }
  | { readonly sealer: null; readonly problem: string };

/** A secret file that cannot be used keeps nobody from serving: what needs it is off. */
export function findSealer(
  config: Pick<Config, 'secretFile' | 'dataFolder'>,
  randomBytes: (count: number) => Uint8Array,
): FoundSealer {
  try {
    const key = findSecretKey(config, 'channels');
    if (key !== null) return { sealer: makeSealer(key, randomBytes), problem: null };
    return { sealer: null, problem: 'set BRICKMARK_SECRET_FILE to turn them on.' };
  } catch (error) {
    if (error instanceof ConfigError) return { sealer: null, problem: error.message };
    throw error;
  }
}

/** What signs spreadsheet links; null where there is no secret that can be used. */
export function findSheetSigner(
  config: Pick<Config, 'secretFile' | 'dataFolder'>,
): SheetSigner | null {
  try {
    const key = findSecretKey(config, 'spreadsheet links');
    return key && makeSheetSigner(key);
  } catch (error) {
    if (error instanceof ConfigError) return null;
    throw error;
  }
}
