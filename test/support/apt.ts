/** Programs that tests need and a machine may lack: as root on Debian they are installed. */

const lockPath = '/var/lock/brickmark-tests-apt';

/** Installs packages of Debian; does nothing where that cannot be done. */
export function installPackages(...packages: readonly string[]): void {
  if (process.getuid?.() !== 0 || Bun.which('apt-get') === null) return;
  for (const words of [['update'], ['install', '-y', '--no-install-recommends', ...packages]]) {
    // Suites in other lanes may install something, too: one after the other.
    Bun.spawnSync(['flock', lockPath, 'apt-get', ...words], {
      stdout: 'ignore',
      stderr: 'ignore',
      // At this run level nothing that is installed is started.
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
    });
  }
}
