/** Reads what grades do to values, for lots that have one. */
import { assumedEffects, type Grade, type GradeEffects } from '../../market/grades/grades.ts';
import type { PortfolioData } from './portfolio-data.work.ts';

/** Nothing is read if no lot has a grade. */
export async function readEffects(
  market: Pick<PortfolioData['market'], 'findGradeEffects'>,
  lots: readonly { readonly grade: Grade | null }[],
): Promise<GradeEffects> {
  return lots.some(({ grade }) => grade !== null) ? market.findGradeEffects() : assumedEffects;
}
