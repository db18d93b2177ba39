/** Pictures of the simulated market are unique, reproducible and contain only shapes. */
import { expect, test } from 'bun:test';
import type { PictureItem } from '../../src/catalog/pictures/picture-item.ts';
import { makeCatalog } from '../market/catalog.ts';
import { makeWorld } from '../market/world.ts';
import { drawItem } from './drawing.ts';
import { drawModel, Model } from './voxels.ts';

const world = makeWorld({
  seed: 3,
  today: Date.UTC(2026, 10, 15),
  size: { sets: 80, minifigs: 300 },
});
const catalog = makeCatalog(world);
const items: readonly PictureItem[] = [
  ...catalog.sets.map(({ facts: { number, title, theme } }) => {
    return { kind: 'set' as const, number, name: title, theme };
  }),
  ...catalog.minifigs.map(({ facts: { number, name, category } }) => {
    return { kind: 'minifig' as const, number, name, theme: category };
  }),
];

test('every item has its own picture, which is always the same', () => {
  const drawings = items.map((item) => drawItem(item, false));
  expect(new Set(drawings).size).toBe(items.length);
  const [first] = items;
  expect(first && drawItem(first, false)).toBe(drawings[0]);
});

test('pictures are small, thumbnails are smaller squares, and neither contain text or links', () => {
  for (const item of items.slice(0, 20)) {
    const svg = drawItem(item, false);
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" viewBox="0 0 240 180">/);
    expect(svg.length).toBeLessThan(16_000);
    const thumb = drawItem(item, true);
    expect(thumb).toContain('viewBox="30 0 180 180"');
    expect(thumb.length).toBeLessThan(svg.length);
    expect(svg).not.toMatch(/NaN|undefined|Infinity|href|<text|<script|<style/);
  }
});

test('hidden faces are not drawn, and half-hidden faces are drawn by half', () => {
  const paths = (model: Model) => drawModel(model, false).match(/M/g)?.length;
  const cube = new Model();
  for (const x of [0, 1])
    for (const y of [0, 1])
      for (const z of [0, 1]) cube.put({ x, y, z, color: '#888888', isSmooth: false });
  expect(paths(cube)).toBe(12);
  const hidden = new Model();
  hidden.put({ x: 0, y: 0, z: 0, color: '#888888', isSmooth: false });
  hidden.put({ x: 1, y: 1, z: 1, color: '#999999', isSmooth: false });
  expect(paths(hidden)).toBe(3);
});
