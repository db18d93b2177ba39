/** Two catalogs become one: what is joined, what is left to a person, and what never is. */
import { describe, expect, test } from 'bun:test';
import { type CatalogMinifig, joinMinifigs, type MinifigCatalogs } from './minifig-join.ts';

const minifig = (key: string, name: string, more: Partial<CatalogMinifig> = {}) => ({
  key,
  name,
  year: 2014,
  themes: ['Space'],
  ...more,
});

/** Names that both catalogs have, so that words are as rare as they are in large catalogs. */
const crowd = Array.from({ length: 60 }, (_, index) => {
  const name = `Hero${index} of Planet${index % 12}, Black Legs`;
  return {
    bricklink: minifig(`crowd${index}`, name),
    rebrickable: minifig(`fig-crowd${index}`, name),
  };
});

type Given = Partial<MinifigCatalogs>;

const joinAmongCrowd = ({ bricklink = [], rebrickable = [], sets = [], parted = [] }: Given) =>
  joinMinifigs({
    bricklink: [...crowd.map((both) => both.bricklink), ...bricklink],
    rebrickable: [...crowd.map((both) => both.rebrickable), ...rebrickable],
    sets,
    parted,
  });

/** What became of the minifigs that a test adds. */
const joinOf = (given: Given) => {
  const ours = new Set(given.bricklink?.map(({ key }) => key));
  const { joined, unsure } = joinAmongCrowd(given);
  return {
    joined: joined.filter((pair) => ours.has(pair.bricklink)),
    unsure: unsure.filter((pair) => ours.has(pair.bricklink)),
  };
};

const pairsOf = (given: Given) =>
  joinOf(given).joined.map((pair) => [pair.bricklink, pair.rebrickable]);

const luke = minifig('sw1', 'Luke Skywalker (Tatooine) - White Trousers');
const lukeThere = minifig('fig-1', 'Luke Skywalker, Tatooine, White Pants');

describe('names alone', () => {
  test('join two minifigs that share rare words and a year', () => {
    expect(joinOf({ bricklink: [luke], rebrickable: [lukeThere] })).toEqual({
      joined: [{ bricklink: 'sw1', rebrickable: 'fig-1', by: 'names', score: expect.any(Number) }],
      unsure: [],
    });
  });

  test('join all that is alike, each once', () => {
    const { joined, unsure } = joinAmongCrowd({});
    expect(joined.map((pair) => pair.rebrickable.replace('fig-', ''))).toEqual(
      joined.map((pair) => pair.bricklink),
    );
    expect(joined).toHaveLength(crowd.length);
    expect(unsure).toEqual([]);
  });

  test('leave two that fit equally well to a person, and name the rival', () => {
    const twin = { ...luke, key: 'sw1a' };
    expect(joinOf({ bricklink: [luke, twin], rebrickable: [lukeThere] })).toMatchObject({
      joined: [],
      unsure: [{ bricklink: 'sw1', rebrickable: 'fig-1', rival: 'sw1a' }],
    });
    const there = { ...lukeThere, key: 'fig-1a' };
    expect(joinOf({ bricklink: [luke], rebrickable: [lukeThere, there] })).toMatchObject({
      joined: [],
      unsure: [{ bricklink: 'sw1', rebrickable: 'fig-1', rival: 'fig-1a' }],
    });
  });

  test('name the rival that fits nearly as well, whichever of the two is looked at first', () => {
    // A word that only one name has counts against the pair, by less than the margin.
    const near = { ...lukeThere, name: `${lukeThere.name}, Cape` };
    for (const [best, next] of [
      ['fig-1', 'fig-2'],
      ['fig-2', 'fig-1'],
    ] as const) {
      const rebrickable = [
        { ...lukeThere, key: best },
        { ...near, key: next },
      ];
      expect(joinOf({ bricklink: [luke], rebrickable })).toMatchObject({
        joined: [],
        unsure: [{ bricklink: 'sw1', rebrickable: best, rival: next }],
      });
    }
  });

  test('leave two of one set to a person, however differently they are called', () => {
    const given = {
      bricklink: [minifig('sw1', 'Alpha')],
      rebrickable: [minifig('fig-1', 'Gamma Delta Epsilon Eta')],
      sets: [{ bricklink: ['sw1', 'crowd0'], rebrickable: ['fig-1'] }],
    };
    expect(joinOf(given).unsure).toMatchObject([{ rebrickable: 'fig-1', by: 'sets' }]);
  });

  test('leave a name with too little in common to a person, without a rival', () => {
    const given = {
      bricklink: [minifig('sw1', 'Luke Skywalker with Cape')],
      rebrickable: [minifig('fig-1', 'Luke Skywalker, Hoth Parka')],
    };
    expect(joinOf(given)).toMatchObject({ joined: [], unsure: [{ rival: null }] });
  });

  test('say nothing of names with only common words in common', () => {
    const given = {
      bricklink: [minifig('sw1', 'Luke, Black Legs')],
      rebrickable: [minifig('fig-1', 'Leia, Black Legs')],
    };
    expect(joinOf(given)).toEqual({ joined: [], unsure: [] });
  });

  test('tell by the year which of two it is', () => {
    const [early, late] = [2013, 2015].map((year) => ({ ...lukeThere, key: `fig-${year}`, year }));
    if (!early || !late) throw new Error('There are two.');
    const again = { ...luke, key: 'sw2', year: 2015 };
    const given = { bricklink: [{ ...luke, year: 2013 }, again], rebrickable: [early, late] };
    expect(pairsOf(given)).toEqual([
      ['sw1', 'fig-2013'],
      ['sw2', 'fig-2015'],
    ]);
  });

  test('never join what appeared two years apart, nor what has no year', () => {
    for (const year of [2012, 2016]) {
      expect(joinOf({ bricklink: [{ ...luke, year }], rebrickable: [lukeThere] })).toEqual({
        joined: [],
        unsure: [],
      });
    }
    expect(pairsOf({ bricklink: [{ ...luke, year: null }], rebrickable: [lukeThere] })).toEqual([]);
    expect(pairsOf({ bricklink: [{ ...luke, year: 2015 }], rebrickable: [lukeThere] })).toEqual([
      ['sw1', 'fig-1'],
    ]);
  });

  test('tell by what goes with its category which of two it is', () => {
    const cities = Array.from({ length: 30 }, (_, index) => {
      const name = `Citizen${index} of Quarter${index}`;
      return {
        here: minifig(`c${index}`, name, { themes: ['Town / City'] }),
        there: minifig(`fig-c${index}`, name, { themes: ['City / Traffic'] }),
      };
    });
    const given = {
      bricklink: [...cities.map(({ here }) => here), { ...luke, themes: ['Town / City'] }],
      rebrickable: [
        ...cities.map(({ there }) => there),
        lukeThere,
        { ...lukeThere, key: 'fig-2', themes: ['City / Traffic'] },
      ],
    };
    expect(pairsOf(given).at(-1)).toEqual(['sw1', 'fig-2']);
  });
});

describe('sets that both catalogs list', () => {
  const chef = minifig('t1', 'Inn Chef - White Torso, Dark Red Legs');
  const sweep = minifig('t2', 'Chimney Sweep of the Inn');
  const [chefThere, sweepThere] = [minifig('fig-1', 'Chef'), minifig('fig-2', 'Sweep, Flat Cap')];
  const set = { bricklink: ['t1', 't2'], rebrickable: ['fig-1', 'fig-2'] };
  const both = { bricklink: [chef, sweep], rebrickable: [chefThere, sweepThere] };

  test('need few words, and no year', () => {
    expect(pairsOf(both)).toEqual([]);
    const undated = both.bricklink.map((some) => ({ ...some, year: null }));
    for (const given of [both, { ...both, bricklink: undated }]) {
      expect(joinOf({ ...given, sets: [set] }).joined).toMatchObject([
        { bricklink: 't1', rebrickable: 'fig-1', by: 'sets' },
        { bricklink: 't2', rebrickable: 'fig-2', by: 'sets' },
      ]);
    }
  });

  test('join the last two of lists of one length, whatever their names', () => {
    const odd = { ...both, rebrickable: [chefThere, minifig('fig-2', 'Blue Coat')] };
    expect(pairsOf({ ...odd, sets: [set] })).toContainEqual(['t2', 'fig-2']);
    const longer = { ...set, rebrickable: [...set.rebrickable, 'fig-crowd0'] };
    expect(pairsOf({ ...odd, sets: [longer] })).not.toContainEqual(['t2', 'fig-2']);
  });

  test('join the last two only where they are together in all of their sets', () => {
    const odd = { ...both, rebrickable: [chefThere, minifig('fig-2', 'Blue Coat')] };
    const elsewhere = {
      bricklink: ['t2', 'crowd0'],
      rebrickable: ['fig-crowd0', 'fig-crowd5', 'fig-crowd6'],
    };
    expect(pairsOf({ ...odd, sets: [set, elsewhere] })).toEqual([['t1', 'fig-1']]);
  });

  test('may leave the last two of another set over', () => {
    const given = {
      bricklink: [chef, minifig('t2', 'Queasy'), minifig('t3', 'Ticket')],
      rebrickable: [chefThere, minifig('fig-2', 'Blue'), minifig('fig-3', 'Purple')],
    };
    const second = { bricklink: ['t2', 't3'], rebrickable: ['fig-2', 'fig-3'] };
    const first = { bricklink: ['t1', 't2'], rebrickable: ['fig-1', 'fig-2'] };
    for (const sets of [
      [first, second],
      [second, first],
    ]) {
      expect(pairsOf({ ...given, sets })).toEqual([
        ['t1', 'fig-1'],
        ['t2', 'fig-2'],
        ['t3', 'fig-3'],
      ]);
    }
  });

  test('rule out what is not in them', () => {
    const there = { ...lukeThere, key: 'fig-9' };
    const listed = [{ bricklink: ['sw1', 'crowd0'], rebrickable: ['fig-1', 'fig-crowd0'] }];
    const elsewhere = { bricklink: [luke], rebrickable: [there, minifig('fig-1', 'Leia')] };
    expect(pairsOf(elsewhere)).toEqual([['sw1', 'fig-9']]);
    expect(pairsOf({ ...elsewhere, sets: listed })).not.toContainEqual(['sw1', 'fig-9']);
    const unlisted = [{ bricklink: ['crowd0'], rebrickable: ['fig-9', 'fig-crowd0'] }];
    expect(pairsOf({ ...elsewhere, sets: unlisted })).toEqual([]);
  });

  test('decide between names that fit equally well', () => {
    const twin = { ...luke, key: 'sw1a' };
    const given = {
      bricklink: [luke, twin],
      rebrickable: [lukeThere, { ...lukeThere, key: 'fig-1a' }],
      sets: [
        { bricklink: ['sw1'], rebrickable: ['fig-1a'] },
        { bricklink: ['sw1a'], rebrickable: ['fig-1'] },
      ],
    };
    expect(pairsOf(given)).toEqual([
      ['sw1', 'fig-1a'],
      ['sw1a', 'fig-1'],
    ]);
  });
});

test('what was parted is not joined, by names or by sets, and what fits next may be', () => {
  const parted = [
    { bricklink: 'sw1', rebrickable: 'fig-1' },
    { bricklink: 'unknown', rebrickable: 'fig-1' },
  ];
  const given = { bricklink: [luke], rebrickable: [lukeThere], parted };
  const sets = [{ bricklink: ['sw1'], rebrickable: ['fig-1'] }];
  expect(pairsOf(given)).toEqual([]);
  expect(pairsOf({ ...given, sets })).toEqual([]);
  const next = { ...lukeThere, key: 'fig-2' };
  expect(pairsOf({ ...given, rebrickable: [lukeThere, next] })).toEqual([['sw1', 'fig-2']]);
});

test('the order in which everything is given does not matter', () => {
  const given = {
    bricklink: [luke, { ...luke, key: 'sw1a' }, minifig('t1', 'Chef')],
    rebrickable: [lukeThere, minifig('fig-2', 'Chef, White Torso')],
    sets: [{ bricklink: ['t1'], rebrickable: ['fig-2'] }],
  };
  const forth = joinAmongCrowd(given);
  const back = joinMinifigs({
    bricklink: [...given.bricklink, ...crowd.map((both) => both.bricklink)].reverse(),
    rebrickable: [...given.rebrickable, ...crowd.map((both) => both.rebrickable)].reverse(),
    sets: given.sets,
    parted: [],
  });
  expect(back).toEqual(forth);
});

test('empty catalogs have nothing to join', () => {
  const nothing = { bricklink: [], rebrickable: [], sets: [], parted: [] };
  expect(joinMinifigs(nothing)).toEqual({ joined: [], unsure: [] });
});
