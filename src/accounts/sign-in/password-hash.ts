/** Hashes of passwords. */

/** KiB of memory, and passes over it. */
export interface PasswordCost {
  readonly memoryCost: number;
  readonly timeCost: number;
}

/** For Argon2id, recommended by OWASP. */
export const passwordCost: PasswordCost = { memoryCost: 19_456, timeCost: 2 };

export function hashPassword(password: string, cost: PasswordCost): Promise<string> {
  return Bun.password.hash(password, { algorithm: 'argon2id', ...cost });
}

/** The hash of no known password, so that unknown emails take as long as known ones. */
export function unmatchedHash({ memoryCost, timeCost }: PasswordCost): string {
  const zeros = 'A'.repeat(43);
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=1$${zeros}$${zeros}`;
}
