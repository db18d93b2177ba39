/** The simulated themes by realm, which determines their words. */
import { foldText } from '../../src/kernel/text.ts';
import type { Realm } from './words.ts';

export interface Theme {
  readonly index: number;
  readonly name: string;
  readonly subthemes: readonly string[];
  readonly realm: Realm;
  /** Three letters, for minifig numbers. */
  readonly code: string;
}

type ThemeRow = readonly [name: string, realm: Realm, ...subthemes: string[]];

/** The first three letters must be unique, because they are the codes. */
const rows: readonly ThemeRow[] = [
  ['Emberkeep', 'fantasy', 'Dragonwatch', 'Ashen Crown', 'Hollow King'],
  ['Moonhaven Station', 'space', 'Outer Ring', 'Deep Drill'],
  ['Saltwind Corsairs', 'sea', 'Ghost Tide', 'Treasure Isles'],
  ['Château Lumière', 'town', 'Grand Façade', 'Rooftops'],
  ['Clockwork Alley', 'machine', 'Brass Works'],
  ['Juniper Falls', 'town', 'Lakeside', 'School Days', 'Market Square'],
  ['Starling Rescue', 'town', 'Air Wing', 'Night Shift'],
  ['Deepwater Nine', 'sea', 'Abyss'],
  ['Thornwood', 'fantasy', 'Briar Folk', 'Witchlight'],
  ['Iron Orchard', 'machine'],
  ['Rallye Zéphyr', 'machine', 'Grand Prix', 'Desert Stage'],
  ['Sunscar Desert', 'wild', 'Lost Temples'],
  ['Frostfell', 'fantasy', 'Ice Giants'],
  ['Neon Harbor', 'space', 'Undercity', 'Midnight Run'],
  ['Copperline Railway', 'machine', 'Mountain Line', 'Freight Yard'],
  ['Petal & Vine', 'wild', 'Bouquets', 'Bonsai Shelf'],
  ['Kite Kingdom', 'fantasy'],
  ['Mossback Valley', 'wild', 'Great Lizards', 'Ranger Post'],
  ['Gearhead Garage', 'machine', 'Vintage', 'Drag Strip'],
  ['Lantern Street', 'town', 'Corner Shops', 'Festival'],
  ['Sky Nomads', 'space', 'Cloud Docks'],
  ['Puzzlewick Manor', 'town', 'Secret Rooms'],
  ['Pocket Colossus', 'machine'],
  ['Orbit Couriers', 'space', 'Express', 'Salvage'],
  ['Wyrmguard', 'fantasy', 'Storm Riders', 'Runestones'],
  ['Jardin Étoilé', 'wild', 'Orangerie'],
  ['Thunder Circuit', 'machine', 'Hypercars'],
  ['Marrow Bay', 'sea', 'Whaling Days', 'Lighthouse Keepers'],
  ['Hearth & Holly', 'town', 'Winter Fair', 'Advent'],
  ['Paper Lion Theatre', 'fantasy', 'Shadow Plays'],
  ['Robo Ranch', 'space'],
  ['Glacier Patrol', 'wild', 'Base Camp'],
  ['Obsidian Order', 'fantasy', 'Inquisitors'],
  ['Critter Corner', 'wild', 'Pond Life', 'Pets'],
  ['Velvet Arcade', 'town', 'High Scores'],
  ['Windmill County', 'wild', 'Harvest'],
  ['Quartz Canyon', 'machine', 'Crystal Rush'],
  ['Nimbus Academy', 'fantasy', 'First Year', 'Forbidden Wing'],
  ['Bramble Court', 'town'],
  ['Atlas Expedition', 'sea', 'Polar Leg', 'Jungle Leg'],
];

/** By index. */
export const themes: readonly Theme[] = rows.map(([name, realm, ...subthemes], index) => ({
  index,
  name,
  subthemes,
  realm,
  code: foldText(name).slice(0, 3),
}));
