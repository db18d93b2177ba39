/** Installs Debian packages that tests need, if running as root. */

const lockPath = '/var/lock/brickmark-tests-apt';

/** Does nothing without root or apt-get. */
export function installPackages(...packages: readonly string[]): void {
  if (process.getuid?.() !== 0 || Bun.which('apt-get') === null) return;
  for (const words of [['update'], ['install', '-y', '--no-install-recommends', ...packages]]) {
    // Suites in other lanes may install packages at the same time.
    Bun.spawnSync(['flock', lockPath, 'apt-get', ...words], {
      stdout: 'ignore',
      stderr: 'ignore',
      // Run level 1 keeps packages from starting their services.
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
    });
  }
}
