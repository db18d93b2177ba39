/** Finds or installs programs such as proxies and poolers, and skips suites without them. */
import { describe, test } from 'bun:test';
import { installPackages } from './apt.ts';

/** Each is in a Debian package of its name; Node is installed wherever npm is. */
export type ProgramName =
  | 'nginx'
  | 'caddy'
  | 'haproxy'
  | 'pgbouncer'
  | 'python3'
  | 'restic'
  | 'node'
  | PythonLibraries
  | NameLibrary;

/** A preloaded library that resolves host names from a given file. */
type NameLibrary = 'libnss-wrapper';

/** A Python that can build, check and run the Python client: HTTPX stands for all it needs. */
type PythonLibraries = 'python3-httpx';

const pythonPackages = ['httpx', 'build', 'hatchling', 'jinja2', 'mypy', 'pip', 'venv'].map(
  (name) => `python3-${name}`,
);

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
  const find = () => {
    if (name === 'libnss-wrapper') return findLibrary();
    return name === 'python3-httpx' ? findPython() : Bun.which(name, { PATH });
  };
  const found = find();
  if (found !== null) return found;
  installPackages(...(name === 'python3-httpx' ? pythonPackages : [name]));
  return find();
}

/** Debian's, since another Python that comes first in the PATH does not have Debian's packages. */
function findPython(): string | null {
  const modules = 'import httpx, build, hatchling, jinja2, mypy, pip, venv';
  const isReady = (python: string) =>
    Bun.which(python) !== null &&
    Bun.spawnSync([python, '-c', modules], { stderr: 'ignore' }).success;
  return ['/usr/bin/python3', 'python3'].find(isReady) ?? null;
}

function findLibrary(): string | null {
  const [path] = new Bun.Glob('/usr/lib/*/libnss_wrapper.so').scanSync({ absolute: true });
  return path ?? null;
}
