/** The input of the valuation engine for an item: merged facts, sales and retail prices. */
import type { MinifigFacts, SetFacts } from '../domain/catalog/catalog.ts';
import {
  type MinifigRecords,
  mergeMinifig,
  mergeSet,
  type SetRecords,
} from '../domain/catalog/merge.ts';
import type {
  MinifigToValue,
  MinifigValuationFacts,
  SetToValue,
} from '../domain/market/estimator.ts';
import type { LearningInputs } from '../domain/market/learning-inputs.ts';
import { setValuationFacts, yearStart } from '../domain/market/valuation-facts.ts';

export function setFacts({ records }: LearningInputs): SetFacts {
  return mergeSet(records as SetRecords);
}

export function minifigFacts({ records }: LearningInputs): MinifigFacts {
  return mergeMinifig(records as MinifigRecords);
}

export function setToValue(inputs: LearningInputs, facts: SetFacts): SetToValue {
  const { sales, retailWeeks } = inputs;
  return { facts: setValuationFacts(facts), sales, retailWeeks };
}

export function minifigToValue(inputs: LearningInputs, facts: MinifigFacts): MinifigToValue {
  return { facts: minifigValuationFacts(inputs, facts), sales: inputs.sales };
}

function minifigValuationFacts(inputs: LearningInputs, facts: MinifigFacts): MinifigValuationFacts {
  return {
    category: facts.category,
    releasedAt: yearStart(facts.yearReleased),
    sets: inputs.related.length,
  };
}
