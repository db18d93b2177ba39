/**
 * The rooms of `src` in their order, and the tiers of files: the only place that says what a path
 * means to the rules of the project. A file in no room breaks every rule that asks, so that no rule
 * overlooks a file that was moved.
 */

/**
 * A room imports those before it. Rooms from `catalog` to `sync` contain everything about their
 * nouns; `http` and `mcp` are what doors are built on.
 */
const rooms = [
  'kernel',
  'store/sql',
  'contract',
  'catalog',
  'market',
  'accounts',
  'buying',
  'publish',
  'alerts',
  'portfolio',
  'ingest',
  'sync',
  'store',
  'http',
  'mcp',
  'config.ts',
  'api',
  'web',
  'cli',
  'main.ts',
] as const;
export type Room = (typeof rooms)[number];

/**
 * Rules are pure. What a store file does is part of a transaction, work uses the store, files or
 * the network. Doors are the API, pages and commands.
 */
export type Tier = 'rules' | 'store' | 'work' | 'below' | 'door' | 'wiring';

const tiers: Readonly<Partial<Record<Room, Tier>>> = {
  'store/sql': 'store',
  store: 'store',
  http: 'below',
  mcp: 'below',
  api: 'door',
  web: 'door',
  cli: 'door',
  'config.ts': 'wiring',
  'main.ts': 'wiring',
};

export interface RoomAndTier {
  readonly room: Room;
  readonly tier: Tier;
  /** The position of the room. */
  readonly order: number;
}

/** Where a file of `src` belongs. In rooms of nouns, its ending says its tier. */
export function roomAndTier(path: string): RoomAndTier {
  const [, folder = '', inner = ''] = path.split('/');
  const room =
    rooms.find((name) => name === `${folder}/${inner}`) ?? rooms.find((name) => name === folder);
  if (room === undefined) throw new Error(`${path} is in no room of test/support/rooms.ts.`);
  return { room, tier: tiers[room] ?? endingOf(path), order: rooms.indexOf(room) };
}

function endingOf(path: string): Tier {
  if (/\.store\.(?:test\.)?ts$/.test(path)) return 'store';
  return /\.work\.(?:test\.)?ts$/.test(path) ? 'work' : 'rules';
}
