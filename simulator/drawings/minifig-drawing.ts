/** Draws a simulated minifig, with the clothes and things that its name mentions. */
import type { Random } from '../market/random.ts';
import { colors } from '../market/words.ts';
import { bricks } from './palettes.ts';
import type { DrawingStyle } from './set-drawing.ts';
import { shade } from './voxels.ts';

/** Colors that names of minifigs mention. */
const namedColors: Readonly<Record<string, string>> = {
  Red: '#c9332b',
  Blue: '#2f6fb3',
  Black: '#343840',
  White: '#eef0f0',
  'Dark Green': '#2f6b3a',
  'Sand Blue': '#7d95ac',
  'Dark Red': '#7d2428',
  Tan: '#d8c08f',
  'Bright Yellow': '#f5c518',
  Orange: '#ea7a22',
  Lavender: '#a893d6',
  Teal: '#26908b',
  'Pearl Gold': '#c79a3a',
  'Flat Silver': '#a2a9b0',
  'Reddish Brown': '#74452c',
  'Light Gray': '#b9c0c4',
};

const skins = ['#f7cf3d', '#f7cf3d', '#e8b98f', '#b97a50', '#8a5636', '#f3d2b3'];
const hairColors = ['#3a2a20', '#6e4626', '#c98f3b', '#1f2126', '#a43d22', '#d9d4c8', '#e2b84e'];
const legColors = ['#343840', '#2f4a73', '#74452c', '#656d74', '#d8c08f', '#3d5a42', '#7d2428'];

/** Hats and hair in two colors; the head is 44 wide, its top at y = 40. */
const headgear: Readonly<Record<string, (color: string, trim: string) => string>> = {
  hair: (c) =>
    `<path fill="${c}" d="M94 52c-2-22 12-28 26-28s28 6 26 28l-5 2c-2-12-9-12-21-12s-19` +
    ' 0-21 12z"/>',
  longHair: (c) =>
    `<path fill="${c}" d="M92 74c-4-32 6-50 28-50s32 18 28 50l-7 4V54c-8-8-34-8-42 0v24z"/>`,
  cap: (c, t) =>
    `<path fill="${c}" d="M96 46c0-16 8-22 24-22s24 6 24 22z"/>` +
    `<rect x="90" y="43" width="60" height="7" rx="3" fill="${t}"/>`,
  helmet: (c, t) =>
    `<path fill="${c}" d="M95 66V44c0-14 10-20 25-20s25 6 25 20v22h-8V50h-34v16z"/>` +
    `<rect x="117" y="14" width="6" height="14" rx="3" fill="${t}"/>`,
  pointed: (c, t) =>
    `<path fill="${c}" d="M120 2l24 44H96z"/><rect x="88" y="43" width="64" height="7" ` +
    `rx="3" fill="${c}"/><path fill="${t}" d="M101 37h38l4 7H97z"/>`,
  beanie: (c) =>
    `<circle cx="120" cy="22" r="9" fill="${c}"/><path fill="${c}" d="M97 50c-2-16 9-22` +
    ' 23-22s25 6 23 22c-8-6-38-6-46 0z"/>',
  brim: (c, t) =>
    `<path fill="${c}" d="M96 48V34h48v14z"/><path fill="${c}" d="M88 50c20 6 44 6 64 ` +
    `0l-4-6H92z"/><rect x="96" y="38" width="48" height="5" fill="${t}"/>`,
  crown: (c, t) =>
    `<path fill="${t}" d="M98 34l4-14 9 9 9-13 9 13 9-9 4 14v12H98z"/>` +
    `<rect x="97" y="43" width="46" height="6" rx="2" fill="${c}"/>`,
  bald: () => '',
};

/** Headgear by role; other roles get a random one. */
const byRole: readonly (readonly [role: RegExp, worn: string])[] = [
  [/Queen|Mayor/, 'crown'],
  [/Wizard|Witch|Alchemist/, 'pointed'],
  [/Knight|Guard|Squire|Firefighter|Diver|Pilot|Miner/, 'helmet'],
  [/Captain|Detective|Explorer|Archaeologist|Ranger|Farmer/, 'brim'],
  [/Mechanic|Driver|Conductor|Courier|Baker|Chef/, 'cap'],
  [/Fisher|Sailor|Smuggler/, 'beanie'],
];

const mouths = [
  'M110 70q10 9 20 0',
  'M111 71h18',
  'M110 72q8 6 20-2',
  'M112 73q8-6 16 0',
  'M112 69q8 12 16 0z',
];

const faceExtras: readonly string[] = [
  '',
  '',
  '<g fill="none" stroke="#2b2f36" stroke-width="2"><circle cx="111" cy="60" r="6"/>' +
    '<circle cx="129" cy="60" r="6"/><path d="M117 60h6"/></g>',
  '<path fill="#00000055" d="M99 70c4 14 38 14 42 0v8c-4 8-38 8-42 0z"/>',
  '<path fill="none" stroke="#2b2f36" stroke-width="2" d="M106 53l8-2M126 51l8 2"/>',
  '<path fill="#2b2f36" d="M104 55h12v9h-12zM98 56l44-2v2z"/>',
  '<g fill="#d9552c66"><circle cx="105" cy="67" r="4"/><circle cx="135" cy="67" r="4"/></g>',
];

/** Prints on the torso, from y = 84 to 128. */
const patterns: readonly ((trim: string, dark: string) => string)[] = [
  (t) =>
    `<path stroke="${t}" stroke-width="3" d="M120 86v40"/>` +
    `<g fill="${t}"><circle cx="127" cy="96" r="2"/><circle cx="127" cy="107" r="2"/>` +
    '<circle cx="127" cy="118" r="2"/></g>',
  (t, d) =>
    `<path fill="${t}" d="M110 84h20l-10 18z"/><path fill="${d}" d="M117 86h6l2 24-5 6-5-6z"/>`,
  (t) => `<path fill="${t}" d="M95 98h50l2 8H93z"/>`,
  (t) => `<path fill="${t}" d="M120 92l4 9 10 1-8 6 3 10-9-6-9 6 3-10-8-6 10-1z"/>`,
  (t, d) =>
    `<path fill="${t}" d="M104 84h32l2 44h-36z"/><path fill="${d}" d="M104 108h32v3h-32z"/>`,
  (t) => `<path fill="${t}" d="M98 84l44 36v8L94 90z"/>`,
  (t, d) =>
    `<path fill="${d}" d="M92 118h56v8H91z"/><rect x="114" y="117" width="12" ` +
    `height="10" fill="${t}"/>`,
  (t) =>
    `<path fill="none" stroke="${t}" stroke-width="4" d="M99 92q21 14 42 0M97 104q23 14 46 0"/>`,
];

/** Things in the right hand, near (166, 122). */
const held: Readonly<Record<string, string>> = {
  Lantern:
    '<path fill="none" stroke="#2b2f36" stroke-width="2" d="M160 124a8 8 0 0 1 16 0"/>' +
    '<rect x="160" y="124" width="16" height="22" rx="3" fill="#f5c518" ' +
    'stroke="#2b2f36" stroke-width="2"/>',
  Map:
    '<path fill="#e8d9a8" stroke="#8a6a34" d="M156 108l10 3 10-3 10 3v24l-10-3-10 ' +
    '3-10-3z"/><path stroke="#c9332b" fill="none" stroke-dasharray="3 2" d="M160 128q8-14' +
    ' 20-10"/>',
  Wrench: '<path fill="#a2a9b0" d="M164 100a8 8 0 1 1 8 10l-2 38h-6l1-40z"/>',
  Telescope: '<path fill="#c79a3a" d="M154 130l34-26 6 8-36 26z"/>',
  Satchel:
    '<path fill="none" stroke="#5d3b22" stroke-width="3" d="M158 126q8-18 18 0"/>' +
    '<rect x="154" y="126" width="26" height="20" rx="4" fill="#8a5a34"/>',
  Sword:
    '<path fill="#c4cad0" d="M165 60l4 8v52h-8V68z"/><path fill="#8a5a34" d="M154 ' +
    '120h22v5h-22zM162 125h6v12h-6z"/>',
  Camera:
    '<rect x="152" y="114" width="32" height="22" rx="4" fill="#343840"/>' +
    '<circle cx="168" cy="125" r="7" fill="#8fd0ea"/>',
  Teapot:
    '<path fill="#c9332b" d="M156 122h24l4 18h-32zM184 126l10-6-6 14z"/>' +
    '<circle cx="168" cy="119" r="4" fill="#7d2428"/>',
  Compass:
    '<circle cx="168" cy="126" r="13" fill="#f2f3f2" stroke="#c79a3a" ' +
    'stroke-width="4"/><path fill="#c9332b" d="M168 116l4 10h-8z"/>',
  Owl:
    '<ellipse cx="168" cy="112" rx="12" ry="16" fill="#8a5a34"/>' +
    '<circle cx="163" cy="106" r="4" fill="#fff"/><circle cx="173" cy="106" r="4" ' +
    'fill="#fff"/><path fill="#f5c518" d="M165 111h6l-3 5z"/>',
  Accordion:
    '<path fill="#c9332b" d="M150 112h8v30h-8zM182 112h8v30h-8z"/>' +
    '<path fill="#f2f3f2" d="M158 115l4 24 4-24 4 24 4-24 4 24 4-24v24h-24z"/>',
  Umbrella:
    '<path fill="#2f6fb3" d="M142 78a26 24 0 0 1 52 0q-6-6-13 0-6-6-13 0-7-6-13 ' +
    '0-7-6-13 0z"/><path stroke="#2b2f36" stroke-width="3" d="M168 76v60"/>',
  Toolbox:
    '<rect x="150" y="126" width="36" height="20" rx="2" fill="#c9332b"/>' +
    '<path fill="none" stroke="#343840" stroke-width="3" d="M160 126v-7h16v7"/>',
  Scroll:
    '<path fill="#efe3bd" d="M156 106h22v32h-22z"/><path fill="#d8c08f" d="M152 ' +
    '102h30v6h-30zM152 136h30v6h-30z"/>',
  'Fishing Rod':
    '<path fill="none" stroke="#5d3b22" stroke-width="3" d="M160 140l28-96"/>' +
    '<path fill="none" stroke="#656d74" d="M188 44q14 30 4 60"/>',
  Crystal:
    '<path fill="#8f7be0" d="M168 96l10 18-10 26-10-26z"/>' +
    '<path fill="#c3b8f2" d="M168 96l10 18h-20z"/>',
};

/** SVG elements. */
export function drawMinifig(name: string, { random, palette }: DrawingStyle): string {
  const { accent, roof, main } = palette;
  const named = [...colors].sort((a, b) => b.length - a.length).find((c) => name.includes(c));
  const torso = (named && namedColors[named]) ?? random.pick([accent, roof, main]);
  const trim = random.pick([bricks.white, bricks.yellow, accent, roof, bricks.black, '#2a9d8f']);
  const skin = random.pick(skins);
  const hair = random.pick([...hairColors, accent, roof]);
  const parts = [
    /Cloak|Robe/.test(name) ? `<path fill="${shade(torso, 0.7)}" d="M96 86h48l24 78H72z"/>` : '',
    drawLegs(random.pick(legColors), random.chance(0.3) ? trim : null),
    drawTorso({ torso, skin, pattern: random.pick(patterns)(trim, shade(torso, 0.6)) }),
    drawHead(random, skin),
    wear(random, name)(hair, random.pick([trim, accent, bricks.gold])),
    Object.entries(held).find(([thing]) => name.includes(thing))?.[1] ?? '',
  ];
  const shadow = '<ellipse cx="120" cy="170" rx="46" ry="5" fill="#00000022"/>';
  return shadow + parts.join('');
}

function wear(random: Random, name: string): (color: string, trim: string) => string {
  const any = random.pick(Object.values(headgear));
  const worn = byRole.find(([role]) => role.test(name))?.[1];
  return (worn && headgear[worn]) || any;
}

function drawLegs(color: string, trim: string | null): string {
  const belt = trim === null ? '' : `<rect x="92" y="128" width="56" height="4" fill="${trim}"/>`;
  return (
    `<rect x="92" y="126" width="56" height="9" rx="2" fill="${shade(color, 0.85)}"/>${belt}` +
    `<path fill="${color}" d="M92 134h27v34H90zM121 134h27l2 34h-29z"/>` +
    `<path fill="${shade(color, 0.8)}" d="M90 162h29v6H90zM121 162h29v6h-29z"/>`
  );
}

function drawTorso({
  torso,
  skin,
  pattern,
}: {
  torso: string;
  skin: string;
  pattern: string;
}): string {
  const sleeve = shade(torso, 0.86);
  return (
    `<path fill="${sleeve}" d="M96 87l-9 3-15 30 10 5 16-24zM144 87l9 3 15 30-10 5-16-24z"/>` +
    `<circle cx="75" cy="126" r="7" fill="${skin}"/><circle cx="165" cy="126" r="7" ` +
    `fill="${skin}"/>` +
    `<path fill="${torso}" d="M98 84h44l6 44H92z"/>${pattern}`
  );
}

function drawHead(random: Random, skin: string): string {
  const mouth = random.pick(mouths);
  return (
    `<rect x="112" y="78" width="16" height="8" fill="${shade(skin, 0.85)}"/>` +
    `<rect x="110" y="34" width="20" height="9" rx="3" fill="${shade(skin, 0.92)}"/>` +
    `<rect x="98" y="40" width="44" height="40" rx="11" fill="${skin}"/>` +
    '<g fill="#2b2f36"><circle cx="111" cy="60" r="3"/><circle cx="129" cy="60" r="3"/></g>' +
    `<path fill="${mouth.endsWith('z') ? '#fff' : 'none'}" stroke="#2b2f36" ` +
    `stroke-width="2" d="${mouth}"/>` +
    random.pick(faceExtras)
  );
}
