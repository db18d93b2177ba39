/** Finds or installs programs such as proxies and poolers, and skips suites without them. */
import { describe, test } from 'bun:test';
import { installPackages } from './apt.ts';

/** Each is in a Debian package of the same name; Node is installed wherever npm is. */
export type ProgramName =
  | 'nginx'
  | 'caddy'
  | 'haproxy'
  | 'pgbouncer'
  | 'python3'
  | 'node'
  | NameLibrary;

/** A preloaded library that resolves host names from a given file. */
type NameLibrary = 'libnss-wrapper';

/**
 * Suites that need a program. Without it they are skipped under a title that says so, or fail if
 * BRICKMARK_TEST_PROGRAMS is "required", as in CI.
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

/** The path of a program; null if it is missing and cannot be installed. */
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
