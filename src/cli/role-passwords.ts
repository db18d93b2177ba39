/** Reads the passwords of roles from a file, where neither `ps` nor a shell's history has them. */
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { type RolePasswords, roleNames } from '../store/postgres/roles.ts';
import { CommandError, type Context } from './command.ts';

/** Printable ASCII: beyond it, programs do not agree on what the same password is. */
const line = new RegExp(`^(${roleNames.join('|')})=([\\x20-\\x7e]{1,200})$`);

/** The passwords in a file (`-`: standard input). No message shows what a line holds. */
export async function readRolePasswords(path: string, context: Context): Promise<RolePasswords> {
  const passwords: Record<string, string> = {};
  const content = path === '-' ? await text(context.stdin) : readText(path);
  for (const [index, written] of content.split(/\r?\n/).entries()) {
    if (written === '') continue;
    const [, name = '', password = ''] = line.exec(written) ?? [];
    if (password === '' || Object.hasOwn(passwords, name)) {
      throw new CommandError(
        `Line ${index + 1} of the password file is wrong; write ROLE=PASSWORD once for each of ` +
          `${roleNames.join(', ')}, with 1 to 200 letters, digits or signs of ASCII.`,
      );
    }
    passwords[name] = password;
  }
  return passwords;
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw new CommandError(`The file '${path}' cannot be read; check --password-file.`);
  }
}
