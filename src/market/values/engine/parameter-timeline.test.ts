/** Each month has its own parameters, and a version names their content. */
import { describe, expect, test } from 'bun:test';
import { stored } from '../../../../test/support/valuation.ts';
import { areOwnParameters, ParameterTimeline, storeParameters } from './parameter-timeline.ts';
import { defaultParameters, type Parameters } from './parameters.ts';

const may = 2026 * 12 + 4;

/** Parameters with another ratio for minifigs. */
function withMinifigs(base: number): Pick<Parameters, 'usedRatio'> {
  const { set, minifig } = defaultParameters.usedRatio;
  return { usedRatio: { set, minifig: { ...minifig, base } } };
}

describe('a timeline of parameters', () => {
  const timeline = new ParameterTimeline([stored(may), stored(may + 1, withMinifigs(-0.5))]);
  const baseAt = (month: number) => timeline.at(month).parameters.usedRatio.minifig.base;

  test('has the parameters of each month, and the last ones afterwards', () => {
    expect(timeline.at(may).version).toBe(stored(may).version);
    expect([may, may + 1, may + 2, may + 900].map(baseAt)).toEqual([-0.05, -0.5, -0.5, -0.5]);
  });

  test('has defaults before the first month', () => {
    expect(timeline.at(may - 1).parameters).toBe(defaultParameters);
    expect(timeline.at(0).version).toStartWith('1970-01-');
    expect(new ParameterTimeline([]).at(may).parameters).toBe(defaultParameters);
  });

  test('has no gap, and no month twice', () => {
    expect(() => new ParameterTimeline([stored(may), stored(may + 2)])).toThrow('gap');
    expect(() => new ParameterTimeline([stored(may), stored(may)])).toThrow('gap');
    expect(() => new ParameterTimeline([stored(may), stored(may - 1)])).toThrow('gap');
  });

  test('can be continued', () => {
    const growing = new ParameterTimeline([stored(may)]);
    const named = { version: 'next', parameters: defaultParameters };
    growing.add(may + 1, named);
    expect(growing.at(may + 1)).toBe(named);
    expect(growing.at(may).version).toBe(stored(may).version);
  });
});

describe('a version', () => {
  test('names month and content, and can be read again', () => {
    const { month, version, body } = storeParameters(may, defaultParameters);
    expect(month).toBe(may);
    expect(version).toMatch(/^2026-05-[0-9a-f]{8}$/);
    expect(JSON.parse(body)).toEqual({ engine: 'brickmark-7', ...defaultParameters });
    expect(areOwnParameters({ body })).toBeTrue();
    const other = JSON.stringify({ engine: 'another', ...defaultParameters });
    expect(areOwnParameters({ body: other })).toBeFalse();
  });

  test('depends on the content only', () => {
    const other = { ...defaultParameters, ...withMinifigs(-0.0500001) };
    const version = storeParameters(may, defaultParameters).version;
    expect(storeParameters(may, { ...defaultParameters }).version).toBe(version);
    expect(storeParameters(may, other).version).not.toBe(version);
    expect(storeParameters(may + 1, defaultParameters).version).not.toBe(version);
  });
});
