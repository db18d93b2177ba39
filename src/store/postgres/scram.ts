/** What PostgreSQL keeps of a password, made here so that it never sees the password itself. */
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';

/** As many as PostgreSQL itself takes. */
const iterations = 4096;

/**
 * The SCRAM-SHA-256 verifier (RFC 5803) of a password in printable ASCII: anything else would have
 * to be normalised first. Its characters mean nothing in a literal of SQL.
 */
export function scramVerifier(password: string, salt: Uint8Array = randomBytes(16)): string {
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256');
  const keyFor = (whom: string) => createHmac('sha256', salted).update(whom).digest();
  const storedKey = createHash('sha256').update(keyFor('Client Key')).digest('base64');
  const serverKey = keyFor('Server Key').toString('base64');
  const salt64 = Buffer.from(salt).toString('base64');
  return `SCRAM-SHA-256$${iterations}:${salt64}$${storedKey}:${serverKey}`;
}
