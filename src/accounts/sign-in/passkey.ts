/** Passkeys: keys of devices that sign in without a password. */

export interface Passkey {
  readonly id: number;
  readonly accountId: number;
  readonly name: string;
  /** As browsers send it, in base64url. */
  readonly credentialId: string;
  readonly publicKey: Uint8Array;
  /** How often it was used, as far as the device counts. */
  readonly counter: number;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
}

export type NewPasskey = Omit<Passkey, 'id' | 'accountId' | 'lastUsedAt'>;

/** Passkeys of an account. */
export const passkeysMax = 10;
