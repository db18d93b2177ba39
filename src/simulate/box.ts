/** Boxes of sets: about as large and heavy as their pieces need. */
import type { Box } from '../domain/catalog/catalog.ts';
import type { Random } from './random.ts';

/** The box of a set; null, or a number of it null, where the source has not measured it. */
export function makeBox(
  random: Random,
  set: { readonly pieces: number; readonly weightLbs: number },
): Box | null {
  if (random.chance(0.12)) return null;
  const cubicInches = 15 + set.pieces * 0.6;
  const unit = Math.cbrt(cubicInches / (shape.width * shape.height * shape.depth));
  const inches = (side: number) => Math.round(unit * side * random.between(0.94, 1.06) * 10) / 10;
  return {
    widthIn: inches(shape.width),
    heightIn: inches(shape.height),
    depthIn: inches(shape.depth),
    weightLbs: random.chance(0.96) ? set.weightLbs : null,
  };
}

/** Boxes are wide and flat: the proportions of their sides. */
const shape = { width: 1.5, height: 1, depth: 0.3 };
