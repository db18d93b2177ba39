/**
 * `npm run dev`: the demo under `bun --watch`, which starts it again when a file of it changes.
 * The store is kept in `.dev`, so that the key stays. Bun alone would go on watching after Ctrl-C.
 */
await import('../src/main.ts');
process.exit();
