/** Brick models of the simulated sets, drawn as sprites: one per group of words in titles. */
import { at } from '../../src/kernel/at.ts';
import type { Random } from '../market/random.ts';
import { bricks, type Palette } from './palettes.ts';
import { Model } from './voxels.ts';

/**
 * Models by words of titles, each drawn as its front view. Letters are bricks (see `brickOf`):
 * lower case spans the whole depth, upper case its middle part. A row that ends in `+` is repeated
 * one to three times.
 *
 * A number is the depth of an extruded model. A `turned` model looks the same from the side as from
 * the front (the intersection of both extrusions), so two towers in its view are four in the model.
 */
const sprites = `
turned: Castle, Keep, Citadel, Gatehouse, Fort, Throne Room, Gate, Siege Engine, Temple
r...a...r
rr..y..rr
ss.rrr.ss
ss.mmm.ss+
ssmmgmmss
ssmmmmmss+
ssmmdmmss
ssmmdmmss

turned: Tower, Watchtower, Chapel, Observatory, Forge, Town Hall, Signal Box, Lighthouse
...r...
..rrr..
.rrrrr.
.sssss.
.mmgmm.
.mmmmm.+
.mmgmm.
.mmmmm.+
.mmdmm.
sssdsss

6: Tavern, Library, Market, Bakery, Bookshop, Cinema, Fire House, Clinic, School, Café, Hotel,
Post Office, Corner Shop, Pâtisserie, Workshop, Cabin, Barn, Outpost, Camp
..RRRRRH..
.rrrrrrrr.
.mmmmmmmm.
.mgmgmgmm.+
.ssssssss.+
.mgmgmgmm.
.mmmmmmmm.
aaaaaaaaaa
.sgsgsdss.
.sssssdss.

5: Galleon, Schooner, Raft, Trawler, Shipwreck
...A....A...
..rrr..www..
..rrr..www..
..rrr..www..+
...D....D...
sss.D..D...m
sgsmmmmmmmmm
.aaaaaaaaaa.
..MMMMMMMM..

5: Submarine, Diving Bell, Whale, Kraken
.....H....
....AA....
s.MMMMMMM.
smmgmgmgmm+
s.MMMMMMM.

5: Roadster, Racer, Buggy, Motorbike, Wagon, Rover
...MMMM...
a..GGGGG..
aaMMMMMMMY
MMMAAAAAMM
.kkSSSSkk.
.kk....kk.

5: Crane, Excavator, Truck, Loader, Hauler, Turbine
..AAAAAAA..
.AA.....H..
AA......H..+
.AA...MMMM.
..AA..MGGG.
.AAAA.MMMM.
SSSSSSSSSSY
kk.kk...kk.
kk.kk...kk.

5: Locomotive, Tram, Engine
rrrr....K.
.SS.....K.
.SG..MMMM.+
.SSMAMMMMA
.SSMAMMMMM
KKKKKKKKKK
.kk.kk.kk.
hhhhhhhhhh

turned: Lander, Probe, Reactor, Satellite
...a...
..aaa..
..rrr..
..mgm..
..mmm..+
..mgm..
..rrr..
.ammma.
aa.k.aa

7: Shuttle, Cruiser
A........
AA...GG..
SMMAMMMMM+
rrrrrr...

turned: Station, Habitat, Dock, Hangar, Greenhouse, Harbor
....a....
....h....
...ggg...
..ggggg..
.ggggggg.
.mmmmmmm.+
.aammmaa.
sssssssss

4: Mech
....A....
...SSS...
...AsA...
rmmmmmmmr
rr.mam.rr+
rr.mmm.rr
r..sss..r
..mm.mm..+
..mm.mm..
..ss.ss..

4: Griffin, Raptor, Mammoth, Owl, Fox Den
......A.A.
.....mmmm.
.....mmkmm
A....mmmm.+
.AMMMMMM..
.mmmmmmm..+
..sssss...
..mm.mm...+

7: Dragon
........A..
..aaa..RRR.
..aaaa.RKRR
...aa..RR..+
A.RRRRRRR..
RRRRRRRRR..
.R.SSSSS...
...RR.RR...

turned: Treehouse
..lll..
.lllll.
lllllll
.lrrrl.
..mgm..
..mdm..
.sssss.
...o...+
...o...

turned: Garden, Orchid
.w.....a.
.y.....y.
.l..a..l.
.l..y..l.+
.l..l..l.
.lllllll.
mmmmmmmmm
mmmmmmmmm

5: Bridge
.a.......a.
.a.......a.+
.aA.....Aa.
.a.AA.AA.a.
sssssssssss
..mm...mm..
bbmmbbbmmbb

5: Windmill
w...R...w
aw.RRR.wa
.awRRRwa.
..mwRwm..
..mmkmm..
..mwmwm..
.awmmmwa.
aw.mgm.wa
w.mmmmm.w
..ssdss..
..ssdss..

turned: Balloon
..arwra..
.aarwraa.
aaarwraaa
aaarwraaa+
.aarwraa.
..arwra..
...d.d...
...d.d...
...ooo...

turned: Carousel, Fountain
....a....
...rrr...
..wwwww..
.rrrrrrr.
.w..a..w.+
.w..a..w.
.b.bbb.b.
sssssssss

6: Grotto, Lagoon, Reef, Cove, Waterfall, Canyon
..rr.....
.rrrr....
.mgmHH...
.mmmHHH..+
lHHHbHHl.
HHHHbHHHl
HHHbbbHHH
hbbbbbbhh
`
  .trim()
  .split('\n\n')
  .map((sprite) => {
    const lines = sprite.split('\n');
    const rows = lines.filter((line) => !line.includes(' '));
    const [shape = '', ...words] = lines
      .filter((line) => line.includes(' '))
      .flatMap((line) => line.split(/[:,] ?/));
    return { depth: shape === 'turned' ? null : Number(shape), words, rows };
  });

/** The color of a letter; windows, glass and other fittings have no studs. */
function brickOf(letter: string, palette: Palette): { color: string; isSmooth: boolean } {
  const { main, second, accent, roof } = palette;
  const studded: Readonly<Record<string, string>> = {
    m: main,
    s: second,
    a: accent,
    l: bricks.leaf,
    h: bricks.gray,
    o: bricks.wood,
  };
  const smooth: Readonly<Record<string, string>> = {
    r: roof,
    w: bricks.white,
    k: bricks.black,
    g: bricks.glass,
    d: bricks.darkWood,
    b: bricks.water,
    y: bricks.yellow,
  };
  const color = studded[letter] ?? smooth[letter];
  if (color === undefined) throw new Error(`No brick is called '${letter}'.`);
  return { color, isSmooth: letter in smooth };
}

/** Builds what a title names, or else a random sprite. */
export function buildModel(title: string, random: Random, palette: Palette): Model {
  const named = sprites
    .flatMap((sprite) => sprite.words.map((word) => ({ sprite, word })))
    .filter(({ word }) => word !== '' && title.includes(word))
    .sort((a, b) => b.word.length - a.word.length);
  const { rows, depth } = named[0]?.sprite ?? random.pick(sprites);
  const layers = rows
    .flatMap((row) => {
      const times = row.endsWith('+') ? 1 + random.below(3) : 1;
      return Array<string>(times).fill(row.replace('+', ''));
    })
    .reverse();
  const model = new Model();
  const deep = depth && depth + random.below(3);
  for (const [z, layer] of layers.entries()) {
    if (deep) extrude(model, { layer, z, deep, palette });
    else turn(model, { layer, z, palette });
  }
  return model;
}

interface Layer {
  readonly layer: string;
  readonly z: number;
  readonly palette: Palette;
}

function extrude(model: Model, { layer, z, palette, deep }: Layer & { deep: number }): void {
  for (const [x, letter] of [...layer].entries()) {
    if (letter === '.') continue;
    const small = letter.toLowerCase();
    const inset = letter === small ? 0 : Math.floor((deep - 1) / 3);
    const brick = brickOf(small, palette);
    for (let y = inset; y < deep - inset; y++) model.put({ x, y, z, ...brick });
  }
}

function turn(model: Model, { layer, z, palette }: Layer): void {
  const columns = [...layer].flatMap((letter, x) => (letter === '.' ? [] : [x]));
  const last = Math.max(...columns);
  for (const x of columns) {
    for (const y of columns) {
      const letter = at([...layer], x === last ? y : x);
      model.put({ x, y, z, ...brickOf(letter, palette) });
    }
  }
}
