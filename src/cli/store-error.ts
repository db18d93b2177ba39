/** Errors of a store for people: one sentence and a next step. */

/** The sentence for an error; null when it is not one that a store is known to give. */
export function storeErrorMessage(error: unknown): string | null {
  const { code, errno, message } = error as { [field: string]: unknown };
  if (typeof code !== 'string') return null;
  if (/^unsupported startup parameter/.test(String(message))) return poolerMessage;
  if (code.startsWith('ERR_POSTGRES')) return databaseMessage(code, errno);
  if (/CERT|VERIFY|ALTNAME|ISSUER/.test(code)) {
    return (
      'The certificate of PostgreSQL is not trusted, or is for another host; name its authority ' +
      'with &sslrootcert=FILE, and the host as the certificate does.'
    );
  }
  return fileMessage(code);
}

/** What PgBouncer says has no code of its own. */
const poolerMessage =
  'The pooler in front of PostgreSQL refuses our limits; set its ignore_startup_parameters to ' +
  'statement_timeout, idle_in_transaction_session_timeout.';

function fileMessage(code: string): string | null {
  if (code.startsWith('SQLITE_FULL') || code === 'ENOSPC') {
    return 'The disk is full: nothing of the last batch was written. Make room and run it again.';
  }
  if (['SQLITE_CANTOPEN', 'EACCES', 'ENOTDIR', 'EROFS', 'ENOENT', 'EEXIST'].includes(code)) {
    return 'The data folder cannot be written; check its rights, or choose one with --data.';
  }
  if (code.startsWith('SQLITE_NOTADB') || code.startsWith('SQLITE_CORRUPT')) {
    return 'The data folder does not hold a Brickmark store that can be read.';
  }
  return null;
}

/** By the codes that PostgreSQL gives to its errors. */
const databaseMessages: Readonly<Record<string, string>> = {
  '28000': 'PostgreSQL refuses this role; check the address, and pg_hba.conf of the server.',
  '28P01': 'PostgreSQL refuses the password; check the address of the database.',
  '42704':
    'The address of the database has a setting that PostgreSQL does not know; look behind the ?.',
  '42P06': 'The database has such a schema already; Brickmark needs a database of its own.',
  '3D000': 'There is no such database; make it with createdb, or correct the address.',
  '3F000': "The database has no schema of Brickmark yet; run 'brickmark migrate' first.",
  '42501':
    "The database role may not do this; use another one ('brickmark roles' prints what each may).",
  '53100': 'The disk of the database is full: nothing of the last batch was written. Make room.',
  '53300': 'PostgreSQL has no connection left; raise max_connections, or lower ours.',
  '57014': 'PostgreSQL ended a statement that took too long; try again when it has less to do.',
  '25006': 'The database is read-only: is it a replica? Give the address of the primary.',
  '57P03': 'PostgreSQL is starting or stopping; try again in a moment.',
};

function databaseMessage(code: string, errno: unknown): string | null {
  const known = typeof errno === 'string' ? databaseMessages[errno] : undefined;
  if (known) return known;
  if (code.endsWith('UNANSWERED')) {
    return 'PostgreSQL does not answer; see whether the server, and the way to it, are well.';
  }
  if (/CONNECTION_(REFUSED|FAILED|TIMEOUT)/.test(code)) {
    return 'PostgreSQL cannot be reached; check the address, and whether the server is running.';
  }
  if (code.includes('TLS')) return 'PostgreSQL and Brickmark do not agree on TLS; see sslmode.';
  if (code.includes('CONNECTION_CLOSED')) {
    return 'The connection to PostgreSQL was lost: the last batch may not be in. Run it again.';
  }
  return null;
}
