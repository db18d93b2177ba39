/** The input of the valuation engine for an item: merged facts, sales and retail prices. */
import type { MinifigFacts, SetFacts } from '../../catalog/items/catalog.ts';
import {
  type MinifigRecords,
  mergeMinifig,
  mergeSet,
  type SetRecords,
} from '../../catalog/items/merge.ts';
import type { CheckpointUse } from './checkpoint.ts';
import type { MinifigToValue, MinifigValuationFacts, SetToValue } from './estimator.ts';
import type { LearningInputs } from './learning-inputs.ts';
import { setValuationFacts, yearStart } from './valuation-facts.ts';

export function setFacts({ records }: LearningInputs): SetFacts {
  return mergeSet(records as SetRecords);
}

export function minifigFacts({ records }: LearningInputs): MinifigFacts {
  return mergeMinifig(records as MinifigRecords);
}

export function setToValue(
  inputs: LearningInputs,
  facts: SetFacts,
  checkpoints?: CheckpointUse,
): SetToValue {
  const { sales, retailWeeks } = inputs;
  const set = { facts: setValuationFacts(facts), sales, retailWeeks };
  return checkpoints ? { ...set, checkpoints } : set;
}

export function minifigToValue(
  inputs: LearningInputs,
  facts: MinifigFacts,
  checkpoints?: CheckpointUse,
): MinifigToValue {
  const minifig = { facts: minifigValuationFacts(inputs, facts), sales: inputs.sales };
  return checkpoints ? { ...minifig, checkpoints } : minifig;
}

function minifigValuationFacts(inputs: LearningInputs, facts: MinifigFacts): MinifigValuationFacts {
  return {
    category: facts.category,
    releasedAt: yearStart(facts.yearReleased),
    sets: inputs.related.length,
  };
}
