/** Drawings of the made-up market: no two alike, always the same, and nothing but shapes. */
import { expect, test } from 'bun:test';
import type { PictureItem } from '../../domain/catalog/picture-item.ts';
import { makeCatalog } from '../catalog.ts';
import { makeWorld } from '../world.ts';
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

test('no two items look alike, and each looks the same every time', () => {
  const drawings = items.map((item) => drawItem(item, false));
  expect(new Set(drawings).size).toBe(items.length);
  const [first] = items;
  expect(first && drawItem(first, false)).toBe(drawings[0]);
});

test('a drawing is small, a thumbnail a smaller square, and has neither text nor links of its own', () => {
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

test('what is hidden is not drawn, and half of what is half hidden', () => {
  const paths = (model: Model) => drawModel(model, false).match(/M/g)?.length;
  const cube = new Model();
  cube.fill({ at: [0, 0, 0], size: [2, 2, 2] }, '#888888');
  expect(paths(cube)).toBe(12);
  const hidden = new Model();
  hidden.put(0, 0, 0, '#888888');
  hidden.put(1, 1, 1, '#999999');
  expect(paths(hidden)).toBe(3);
});
