/** Joining two catalogs: what is joined, what is left to a person, and what never is. */
import { describe, expect, test } from 'bun:test';
import { type CatalogMinifig, joinMinifigs, type MinifigCatalogs } from './minifig-join.ts';

const minifig = (key: string, name: string, more: Partial<CatalogMinifig> = {}) => ({
  key,
  name,
  year: 2014,
  themes: ['Space'],
  ...more,
});

/** Names in both catalogs, so that words are as rare as in large catalogs. */
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

/** The results for the minifigs that a test adds. */
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

  test('join all identical names, each once', () => {
    const { joined, unsure } = joinAmongCrowd({});
    expect(joined.map((pair) => pair.rebrickable.replace('fig-', ''))).toEqual(
      joined.map((pair) => pair.bricklink),
    );
    expect(joined).toHaveLength(crowd.length);
    expect(unsure).toEqual([]);
  });

  test('leave two equally good matches to a person, and name the rival', () => {
    const twin = { ...luke, key: 'sw1a' };
    expect(joinOf({ bricklink: [luke, twin], rebrickable: [lukeThere] })).toMatchObject({
      joined: [],
      unsure: [{ bricklink: 'sw1', rebrickable: 'fig-1', rival: 'sw1a' }],
    });
    const [there, more] = ['fig-1a', 'fig-1b'].map((key) => ({ ...lukeThere, key }));
    if (!there || !more) throw new Error('There must be two.');
    for (const rebrickable of [
      [lukeThere, there],
      [lukeThere, there, more],
    ]) {
      expect(joinOf({ bricklink: [luke], rebrickable })).toMatchObject({
        joined: [],
        unsure: [{ bricklink: 'sw1', rebrickable: 'fig-1', rival: 'fig-1a' }],
      });
    }
  });

  test('name the rival that matches nearly as well, in either order', () => {
    // A word in only one name counts against the pair, by less than the margin.
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

  test('leave two of one set to a person, however different their names', () => {
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

  test('ignore names that share only common words', () => {
    const given = {
      bricklink: [minifig('sw1', 'Luke, Black Legs')],
      rebrickable: [minifig('fig-1', 'Leia, Black Legs')],
    };
    expect(joinOf(given)).toEqual({ joined: [], unsure: [] });
  });

  test('distinguish two by their year', () => {
    const [early, late] = [2013, 2015].map((year) => ({ ...lukeThere, key: `fig-${year}`, year }));
    if (!early || !late) throw new Error('There must be two.');
    const again = { ...luke, key: 'sw2', year: 2015 };
    const given = { bricklink: [{ ...luke, year: 2013 }, again], rebrickable: [early, late] };
    expect(pairsOf(given)).toEqual([
      ['sw1', 'fig-2013'],
      ['sw2', 'fig-2015'],
    ]);
  });

  test('never join minifigs that appeared two years apart, or without a year', () => {
    for (const year of [2012, 2016]) {
      expect(joinOf({ bricklink: [{ ...luke, year }], rebrickable: [lukeThere] })).toEqual({
        joined: [],
        unsure: [],
      });
    }
    for (const there of [lukeThere, { ...lukeThere, year: null }]) {
      expect(pairsOf({ bricklink: [{ ...luke, year: null }], rebrickable: [there] })).toEqual([]);
    }
    expect(pairsOf({ bricklink: [{ ...luke, year: 2015 }], rebrickable: [lukeThere] })).toEqual([
      ['sw1', 'fig-1'],
    ]);
  });

  test.each([
    ['the same year', 0, [['sw1', 'fig-2']]],
    ['adjacent years', 1, [['sw1', 'fig-2']]],
    ['other years', 2, []],
  ])('distinguish two by their category, learned from names of %s', (_, years, joined) => {
    const cities = Array.from({ length: 30 }, (_, index) => {
      const name = `Citizen${index} of Quarter${index}`;
      return {
        here: minifig(`c${index}`, name, { themes: ['Town / City'] }),
        there: minifig(`fig-c${index}`, name, { themes: ['City / Traffic'], year: 2014 + years }),
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
    expect(pairsOf(given).filter(([bricklink]) => bricklink === 'sw1')).toEqual(joined);
  });
});

describe('scores', () => {
  const rare = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => `Rare${from + index}`).join(' ');
  const ofNames = (shared: number, unshared: number) => ({
    bricklink: [minifig('sw1', rare(0, shared))],
    rebrickable: [minifig('fig-1', rare(0, shared + unshared))],
  });
  const fateOf = (given: Given) => {
    const { joined, unsure } = joinOf(given);
    const [pair] = [...joined, ...unsure];
    return [joined.length > 0 ? 'joined' : 'unsure', pair?.by, pair?.score.toFixed(4)];
  };

  // A shared word counts log(122 / 2) = 4.1109, one of only one name −0.3 × log(122) = −1.4412.
  test.each([
    [1, 2, 2014, 'unsure', '4.2285'],
    [2, 5, 2014, 'unsure', '4.0157'],
    [2, 3, 2014, 'unsure', '6.8981'],
    [2, 2, 2014, 'joined', '8.3393'],
    [3, 5, 2014, 'joined', '8.1266'],
    [3, 3, 2015, 'unsure', '5.0090'],
    [3, 1, 2015, 'unsure', '7.8914'],
    [3, 0, 2013, 'joined', '9.3326'],
    [3, 2, null, 'unsure', '7.9502'],
    [3, 1, null, 'joined', '9.3914'],
    // 3.6854, 3.7805 and 3.8393
    [3, 6, 2015, 'unsure', undefined],
    [2, 1, 2015, 'unsure', undefined],
    [2, 2, null, 'unsure', undefined],
  ])(
    'of %d shared words and %d others, with the year %p: %s',
    (shared, others, year, is, score) => {
      const { bricklink, rebrickable } = ofNames(shared, others);
      const dated = rebrickable.map((some) => ({ ...some, year }));
      const by = score && 'names';
      expect(fateOf({ bricklink, rebrickable: dated })).toEqual([is, by, score]);
    },
  );

  test.each([
    // In all of its sets: 6 points.
    [3, 11, 1, 'joined', '0.9794'],
    [1, 6, 1, 'unsure', '-0.0364'],
    // In one of its two sets: 3 points.
    [2, 6, 2, 'joined', '1.0745'],
    [2, 7, 2, 'unsure', '-0.3667'],
  ])('of %d shared words and %d others in one of %d sets: %s', (shared, others, of, is, score) => {
    const { bricklink, rebrickable } = ofNames(shared, others);
    const undated = rebrickable.map((some) => ({ ...some, year: null }));
    // An unknown minifig in the lists, so that the two are not the last ones.
    const listed = { bricklink: ['sw1'], rebrickable: ['fig-1', 'unknown'] };
    const other = { bricklink: ['sw1'], rebrickable: ['fig-crowd0'] };
    const sets = [listed, other].slice(0, of);
    const parted = [{ bricklink: 'sw1', rebrickable: 'fig-crowd0' }];
    expect(fateOf({ bricklink, rebrickable: undated, sets, parted })).toEqual([is, 'sets', score]);
  });

  test.each([
    ['Rare8 Rare9', 'unsure'],
    ['Rare8 Rare9 Planet1', 'joined'],
  ])('need a margin of three points: a rival that also has %s', (more, is) => {
    const { bricklink, rebrickable } = ofNames(4, 0);
    const rival = minifig('fig-2', `${rare(0, 4)} ${more}`);
    expect(fateOf({ bricklink, rebrickable: [...rebrickable, rival] })[0]).toBe(is);
    const reverse = {
      bricklink: [...bricklink, { ...rival, key: 'sw2' }],
      rebrickable,
    };
    expect(fateOf(reverse)[0]).toBe(is);
  });

  test.each([
    ['Rare8', 'unsure'],
    ['Rare8 Planet1', 'joined'],
  ])('need half of that within a set: a rival that also has %s', (more, is) => {
    const { bricklink, rebrickable } = ofNames(4, 0);
    const rival = minifig('fig-2', `${rare(0, 4)} ${more}`);
    const sets = [{ bricklink: ['sw1'], rebrickable: ['fig-1', 'fig-2'] }];
    expect(fateOf({ bricklink, rebrickable: [...rebrickable, rival], sets })[0]).toBe(is);
  });

  test('include the themes, which may make up for words of only one name', () => {
    const citizens = Array.from({ length: 8 }, (_, index) => `Citizen${index} of Quarter${index}`);
    const { bricklink, rebrickable } = ofNames(1, 4);
    const here = { themes: ['Town / City'] };
    const there = { themes: ['City / Traffic'] };
    const { unsure } = joinOf({
      bricklink: [
        ...citizens.map((name, index) => minifig(`c${index}`, name, here)),
        ...bricklink.map((some) => ({ ...some, ...here })),
      ],
      rebrickable: [
        ...citizens.map((name, index) => minifig(`fig-c${index}`, name, there)),
        ...rebrickable.map((some) => ({ ...some, ...there })),
      ],
    });
    expect(unsure).toMatchObject([{ bricklink: 'sw1', rebrickable: 'fig-1', rival: null }]);
  });

  test('candidates are found by the five rarest words of a name', () => {
    // Shared words are in two names, so that the others are rarer.
    const joinedWith = (unshared: number) => {
      const { bricklink: shorter, rebrickable: longer } = ofNames(3, unshared);
      const bricklink = longer.map((some) => ({ ...some, key: 'sw1' }));
      return pairsOf({
        bricklink,
        rebrickable: shorter.map((some) => ({ ...some, key: 'fig-1' })),
      });
    };
    expect(joinedWith(4)).toEqual([['sw1', 'fig-1']]);
    expect(joinedWith(5)).toEqual([]);
  });
});

describe('sets that both catalogs list', () => {
  const chef = minifig('t1', 'Inn Chef - White Torso, Dark Red Legs');
  const sweep = minifig('t2', 'Chimney Sweep of the Inn');
  const [chefThere, sweepThere] = [minifig('fig-1', 'Chef'), minifig('fig-2', 'Sweep, Flat Cap')];
  const set = { bricklink: ['t1', 't2'], rebrickable: ['fig-1', 'fig-2'] };
  const both = { bricklink: [chef, sweep], rebrickable: [chefThere, sweepThere] };

  test('need few common words, and no year', () => {
    expect(pairsOf(both)).toEqual([]);
    const undated = both.bricklink.map((some) => ({ ...some, year: null }));
    for (const given of [both, { ...both, bricklink: undated }]) {
      expect(joinOf({ ...given, sets: [set] }).joined).toMatchObject([
        { bricklink: 't1', rebrickable: 'fig-1', by: 'sets' },
        { bricklink: 't2', rebrickable: 'fig-2', by: 'sets' },
      ]);
    }
  });

  test('join the last two of lists of equal length, whatever their names', () => {
    const odd = { ...both, rebrickable: [chefThere, minifig('fig-2', 'Blue Coat')] };
    expect(pairsOf({ ...odd, sets: [set] })).toContainEqual(['t2', 'fig-2']);
    const longer = { ...set, rebrickable: [...set.rebrickable, 'fig-crowd0'] };
    expect(pairsOf({ ...odd, sets: [longer] })).not.toContainEqual(['t2', 'fig-2']);
  });

  test('join the last two only if they occur together in all of their sets', () => {
    const odd = { ...both, rebrickable: [chefThere, minifig('fig-2', 'Blue Coat')] };
    const elsewhere = {
      bricklink: ['t2', 'crowd0'],
      rebrickable: ['fig-crowd0', 'fig-crowd5', 'fig-crowd6'],
    };
    expect(pairsOf({ ...odd, sets: [set, elsewhere] })).toEqual([['t1', 'fig-1']]);
  });

  test('may resolve the last two of another set', () => {
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

  test('join the last two even if nearly all words differ, also across sets', () => {
    const wordy = (key: string, word: string) =>
      minifig(key, Array.from({ length: 9 }, (_, index) => `${word}${index}`).join(' '));
    const given = {
      bricklink: [chef, wordy('t2', 'Tall'), wordy('t3', 'Slow')],
      rebrickable: [chefThere, wordy('fig-2', 'Wide'), wordy('fig-3', 'Dim')],
    };
    const sets = [
      { bricklink: ['t2', 't3'], rebrickable: ['fig-2', 'fig-3'] },
      { bricklink: ['t1', 't2'], rebrickable: ['fig-1', 'fig-2'] },
    ];
    const all = [
      ['t1', 'fig-1'],
      ['t2', 'fig-2'],
      ['t3', 'fig-3'],
    ];
    expect(pairsOf({ ...given, sets })).toEqual(all);
    expect(pairsOf({ ...given, sets: sets.slice(1) })).toEqual(all.slice(0, 2));
    // Two on either side are too many.
    const third = { bricklink: ['t1', 't2', 't3'], rebrickable: ['fig-1', 'fig-2', 'fig-3'] };
    expect(pairsOf({ ...given, sets: [third] })).toEqual(all.slice(0, 1));
    const parted = [{ bricklink: 't2', rebrickable: 'fig-2' }];
    expect(pairsOf({ ...given, sets: sets.slice(1), parted })).toEqual(all.slice(0, 1));
  });

  test('rule out minifigs that are not in them', () => {
    const there = { ...lukeThere, key: 'fig-9' };
    const listed = [{ bricklink: ['sw1', 'crowd0'], rebrickable: ['fig-1', 'fig-crowd0'] }];
    const elsewhere = { bricklink: [luke], rebrickable: [there, minifig('fig-1', 'Leia')] };
    expect(pairsOf(elsewhere)).toEqual([['sw1', 'fig-9']]);
    expect(pairsOf({ ...elsewhere, sets: listed })).not.toContainEqual(['sw1', 'fig-9']);
    const unlisted = [{ bricklink: ['crowd0'], rebrickable: ['fig-9', 'fig-crowd0'] }];
    expect(pairsOf({ ...elsewhere, sets: unlisted })).toEqual([]);
  });

  test('rule out nothing if only one of the catalogs knows their minifigs', () => {
    const names = { bricklink: [luke], rebrickable: [lukeThere] };
    for (const set of [
      { bricklink: ['sw1'], rebrickable: ['unknown'] },
      { bricklink: ['unknown'], rebrickable: ['fig-1'] },
    ]) {
      expect(joinOf({ ...names, sets: [set] }).joined).toMatchObject([{ by: 'names' }]);
    }
  });

  test('join no two of a list if more are left in the other', () => {
    const wordy = (key: string, word: string) =>
      minifig(key, Array.from({ length: 9 }, (_, index) => `${word}${index}`).join(' '));
    const given = {
      bricklink: [wordy('t1', 'Tall'), wordy('t2', 'Slow'), wordy('t9', 'Dim')],
      rebrickable: [wordy('fig-1', 'Dim'), wordy('fig-2', 'Wide')],
      sets: [
        { bricklink: ['t1', 't2'], rebrickable: ['fig-1', 'fig-2'] },
        { bricklink: ['t9'], rebrickable: ['fig-1'] },
      ],
    };
    expect(pairsOf(given)).toEqual([['t9', 'fig-1']]);
  });

  test('decide between equally good names', () => {
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

test('separated pairs are not joined, by names or by sets, but the next best match may be', () => {
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

test('the order of the input does not matter', () => {
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
