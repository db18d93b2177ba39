/** Real programs around Brickmark, found or installed: proxies, poolers, what runs examples. */
import { describe, test } from 'bun:test';
import { installPackages } from './apt.ts';

/** Debian has each in a package of the same name; Node is there already wherever npm is. */
export type ProgramName =
  | 'nginx'
  | 'caddy'
  | 'haproxy'
  | 'pgbouncer'
  | 'python3'
  | 'node'
  | NameLibrary;

/** Lets a program that it is loaded into find names in a file of its own. */
type NameLibrary = 'libnss-wrapper';

/**
 * Suites of a real program. Where it is not found they are skipped under a title that says so, or
 * fail where it is required, as in CI.
 */
export function describeWith(
  name: ProgramName,
  title: string,
  suites: (program: string) => void,
): void {
  const program = findProgram(name);
  if (program !== null) {
    describe(title, () => suites(program));
    return;
  }
  test.skipIf(process.env.BRICKMARK_TEST_PROGRAMS !== 'required')(
    `NOT RUN, since ${name} was not found: ${title}`,
    () => {
      throw new Error(`${name} is required here, and could not be installed.`);
    },
  );
}

/** Where a program is; null when it is not there and cannot be installed. */
function findProgram(name: ProgramName): string | null {
  const PATH = `${process.env.PATH}:/usr/local/sbin:/usr/sbin`;
  const find = () => (name === 'libnss-wrapper' ? findLibrary() : Bun.which(name, { PATH }));
  const found = find();
  if (found !== null) return found;
  installPackages(name);
  return find();
}

function findLibrary(): string | null {
  const [path] = new Bun.Glob('/usr/lib/*/libnss_wrapper.so').scanSync({ absolute: true });
  return path ?? null;
}
