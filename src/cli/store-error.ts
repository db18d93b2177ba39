/** Messages for errors of the store: one sentence and a next step. */
import { accessSync, constants, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Names what this user cannot write to, if that is why; else null. */
export function unwritableMessage(error: unknown, folder: string): string | null {
  const { code } = error as { code?: unknown };
  if (!/^(SQLITE_READONLY|SQLITE_CANTOPEN|EACCES|EPERM|EROFS)/.test(String(code))) return null;
  const path = [folder, ...filesOf(folder)].find((path) => !isWritable(path));
  if (path === undefined) return null;
  const owner = statSync(path, { throwIfNoEntry: false })?.uid;
  const user = process.getuid?.();
  const whose = owner === undefined || owner === user ? '' : ` It belongs to user ${owner}.`;
  return (
    `Cannot write to '${path}' as user ${user ?? 'unknown'}.${whose} Run the command as its ` +
    'owner, change its owner and permissions, or use another --data.'
  );
}

function filesOf(folder: string): string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    return [];
  }
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Null for an unknown error. */
export function storeErrorMessage(error: unknown): string | null {
  const { code, errno, message } = error as { [field: string]: unknown };
  if (typeof code !== 'string') return null;
  const pooler = poolerMessages.find(([text]) => String(message).startsWith(text));
  if (pooler) return pooler[1];
  if (code.startsWith('ERR_POSTGRES')) return databaseMessage(code, errno);
  if (/CERT|VERIFY|ALTNAME|ISSUER/.test(code)) {
    return (
      'The certificate of PostgreSQL is not trusted, or is for another host. Set its authority ' +
      'with &sslrootcert=FILE, and use the host name in the certificate.'
    );
  }
  return fileMessage(code);
}

/** Errors of PgBouncer, by how their texts begin: they have no specific codes. */
const poolerMessages = [
  [
    'unsupported startup parameter',
    'The connection pooler rejects startup parameters. Set its ignore_startup_parameters to ' +
      'statement_timeout, idle_in_transaction_session_timeout.',
  ],
  [
    'no more connections allowed',
    'The connection pooler has no connections left. Raise its max_client_conn.',
  ],
] as const;

function fileMessage(code: string): string | null {
  if (code.startsWith('SQLITE_FULL') || code === 'ENOSPC') {
    return 'The disk is full. Free up space and try again.';
  }
  if (['SQLITE_CANTOPEN', 'EACCES', 'ENOTDIR', 'EROFS', 'ENOENT', 'EEXIST'].includes(code)) {
    return 'Cannot write to the data folder. Check its permissions, or use another --data.';
  }
  if (code.startsWith('SQLITE_NOTADB') || code.startsWith('SQLITE_CORRUPT')) {
    return 'The data folder has no readable Brickmark store.';
  }
  return null;
}

/** By SQLSTATE. */
const databaseMessages: Readonly<Record<string, string>> = {
  '28000': "PostgreSQL rejects this role. Check the address and the server's pg_hba.conf.",
  '28P01': 'PostgreSQL rejects the password. Check the database address.',
  '42704':
    'The database address has a parameter unknown to PostgreSQL. Check the part after the ?.',
  '42P06': 'The schema already exists. Brickmark needs its own database.',
  '3D000': 'The database does not exist. Create it with createdb, or correct the address.',
  '3F000': "The database has no Brickmark schema yet. Run 'brickmark migrate' first.",
  '42501':
    "Permission denied for this database role. Run 'brickmark roles' to see what each role can do.",
  '53100': 'The database disk is full. Free up space and try again.',
  '53300': 'PostgreSQL has no connections left. Raise max_connections, or use fewer.',
  '57014':
    'PostgreSQL canceled a statement that took too long. Try again when the database is less busy.',
  '25006': 'The database is read-only, probably a replica. Use the address of the primary.',
  '57P03': 'PostgreSQL is starting or stopping. Try again in a moment.',
};

function databaseMessage(code: string, errno: unknown): string | null {
  const known = typeof errno === 'string' ? databaseMessages[errno] : undefined;
  if (known) return known;
  if (code.endsWith('UNANSWERED')) {
    return 'PostgreSQL does not respond. Check the server and the network.';
  }
  if (/CONNECTION_(REFUSED|FAILED|TIMEOUT)/.test(code)) {
    return 'Cannot connect to PostgreSQL. Check the address, and that the server is running.';
  }
  if (code.includes('TLS')) return 'TLS connection to PostgreSQL failed. Check sslmode.';
  if (code.includes('CONNECTION_CLOSED')) {
    return 'Lost the connection to PostgreSQL; the last batch may be missing. Try again.';
  }
  return null;
}
