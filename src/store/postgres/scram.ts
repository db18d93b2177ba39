/** SCRAM verifiers, so that PostgreSQL never sees passwords. */
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';

/** PostgreSQL's default. */
const iterations = 4096;

/**
 * The SCRAM-SHA-256 verifier (RFC 5803) of a password in printable ASCII; other characters would
 * have to be normalized first. The verifier needs no escaping in an SQL literal.
 */
export function scramVerifier(password: string, salt: Uint8Array = randomBytes(16)): string {
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256');
  const keyFor = (whom: string) => createHmac('sha256', salted).update(whom).digest();
  const storedKey = createHash('sha256').update(keyFor('Client Key')).digest('base64');
  const serverKey = keyFor('Server Key').toString('base64');
  const salt64 = Buffer.from(salt).toString('base64');
  return `SCRAM-SHA-256$${iterations}:${salt64}$${storedKey}:${serverKey}`;
}
