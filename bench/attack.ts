/**
 * `npm run attack -- NAME`: repeats an attack of SECURITY.md against a server of its own, on this
 * machine and with made-up data, and prints what others noticed. Ends by itself.
 */
import { mcpTools } from './attacks/mcp-tools.ts';
import { photos } from './attacks/photos.ts';
import { slowExports } from './attacks/slow-exports.ts';
import { stillHelpers } from './attacks/still-helpers.ts';
import { stalledUploads, uploads } from './attacks/uploads.ts';

const attacks: Readonly<Record<string, () => Promise<void>>> = {
  'mcp-tools': mcpTools,
  photos,
  'slow-exports': slowExports,
  'stalled-uploads': stalledUploads,
  'still-helpers': stillHelpers,
  uploads,
};

const names = process.argv.slice(2);
const unknown = names.find((name) => !Object.hasOwn(attacks, name));
if (names.length === 0 || unknown !== undefined) {
  console.error(`Usage: npm run attack -- ${Object.keys(attacks).join(' | ')}`);
  process.exit(2);
}
for (const name of names) {
  console.log(`\n${name}`);
  await attacks[name]?.();
}
process.exit(0);
