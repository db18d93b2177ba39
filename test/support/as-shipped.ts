/**
 * Loaded before suites by `npm test`: what the runner set for their own process alone is taken out
 * of the environment, so that the programs they start run as they do anywhere else. Bun passes on
 * what it was started with itself, unless `spawn` is given an environment.
 */
import { runnerSettings } from '../../scripts/runner-settings.ts';

for (const name of Object.keys(runnerSettings)) delete process.env[name];
