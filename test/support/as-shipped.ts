/**
 * Preloaded by `npm test`: removes from the environment what the runner set only for this process,
 * so that child processes run as they do elsewhere. Without an explicit `env`, `Bun.spawn` passes
 * the environment that Bun itself was started with.
 */
import { runnerSettings } from '../../scripts/runner-settings.ts';

for (const name of Object.keys(runnerSettings)) delete process.env[name];
