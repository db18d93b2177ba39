/** Request validation: exact values, or a 400 that says what is wrong. */
import { expect, test } from 'bun:test';
import { accountNoticeKinds } from '../accounts/notices/account-notice.ts';
import { allEndpoints, type EndpointName } from './all-endpoints.ts';
import { ApiError } from './errors.ts';
import { compileInput, type InputReader, inputOf } from './input.ts';

const readers = new Map(
  Object.entries(allEndpoints).map(([name, endpoint]) => [name, compileInput(endpoint)]),
);

function reader(name: EndpointName): InputReader {
  const found = readers.get(name);
  if (!found) throw new Error(`There is no endpoint ${name}.`);
  return found;
}

/** The message of the 400 that reading ends with. */
function refusal(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    expect(error.code).toBe('BadRequest');
    return error.message;
  }
  return 'it was read';
}

test.each([
  ['searchSets', 'q=castle', { q: 'castle', limit: 50, offset: 0 }],
  ['searchSets', 'q=castle&limit=1&offset=0', { q: 'castle', limit: 1, offset: 0 }],
  ['searchSets', 'offset=1000000000&limit=250&q=ab', { q: 'ab', limit: 250, offset: 1e9 }],
  ['searchSets', 'q=caf%C3%A9+noir%20%2B', { q: 'café noir +', limit: 50, offset: 0 }],
  ['searchSets', 'q=a%26b%3Dc', { q: 'a&b=c', limit: 50, offset: 0 }],
  ['searchSets', 'q=a=b', { q: 'a=b', limit: 50, offset: 0 }],
  ['searchSets', '&q=ab&&', { q: 'ab', limit: 50, offset: 0 }],
  ['searchSets', '%71=ab', { q: 'ab', limit: 50, offset: 0 }],
  ['listThemes', '', {}],
  ['getSetHistory', '', { condition: 'sealed' }],
  ['getSetHistory', 'condition=used', { condition: 'used' }],
  ['getAnalytics', 'period=30d', { period: '30d' }],
  ['listEntries', 'brickfolio_id=7', { brickfolio_id: 7, limit: 50, offset: 0 }],
  ['findRetailPrices', 'upc=673419000017', { upc: '673419000017' }],
  ['listRetailWatch', 'asin=B1,B2&changed_within=24h', { asin: 'B1,B2', changed_within: '24h' }],
  ['getMaxBuy', 'set=1', { set: '1', share: 0.8, margin_pct: 25 }],
  [
    'getMaxBuy',
    'minifig=a&channel=fba',
    { minifig: 'a', channel: 'fba', share: 0.8, margin_pct: 25 },
  ],
  ['listRetailWatch', 'since=2026-11-15T12:00:00%2B02:00', { since: '2026-11-15T12:00:00+02:00' }],
] as const)('the query of %s reads %p', (name, search, values) => {
  expect(reader(name).readQuery(search)).toEqual({ ...values });
});

test.each([
  ['1e1', '1e1'],
  ['0x10', '0x10'],
  ['+5', ' 5'],
  ['%2B5', '+5'],
  ['-1', '-1'],
  ['1.0', '1.0'],
  ['', ''],
  ['0', '0'],
  ['251', '251'],
  ['%205', ' 5'],
  ['5%20', '5 '],
  ['%D9%A5', '٥'],
  ['five', 'five'],
  ['NaN', 'NaN'],
  ['99999999999999999999', '99999999999999999999'],
])('a limit of %p is refused', (raw, shown) => {
  const expected = 'a whole number from 1 to 250, in plain digits';
  expect(refusal(() => reader('searchSets').readQuery(`q=ab&limit=${raw}`))).toBe(
    `The query parameter 'limit' must be ${expected}; got '${shown}'.`,
  );
});

test.each(['-1', '1e3', '0x10', '1.0', '', '٥', 'Infinity'])(
  'an offset of %p is refused',
  (raw) => {
    const expected = 'a whole number, 0 or more, in plain digits';
    expect(refusal(() => reader('listSales').readQuery(`offset=${raw}`))).toBe(
      `The query parameter 'offset' must be ${expected}; got '${raw}'.`,
    );
  },
);

/** Whole numbers, the largest that a number holds exactly, and larger ones with their digits. */
const wide = [
  ['007', 7],
  ['9007199254740991', Number.MAX_SAFE_INTEGER],
  [`${'0'.repeat(30)}9007199254740991`, Number.MAX_SAFE_INTEGER],
  ['9007199254740992', '9007199254740992'],
  ['9007199254740993', '9007199254740993'],
  ['9223372036854775808', '9223372036854775808'],
  [`0${'9'.repeat(400)}`, '9'.repeat(400)],
] as const;

test.each(wide)('%s is an offset and an ID, exactly', (raw, value) => {
  expect(reader('listSales').readQuery(`offset=${raw}`)).toEqual({ limit: 50, offset: value });
  const query = reader('listEntries').readQuery(`brickfolio_id=${raw}`);
  expect(query).toEqual({ brickfolio_id: value, limit: 50, offset: 0 });
});

test.each([
  'share=0.5',
  'share=0.95',
  'share=0.8125',
  'share=00.5',
  'margin_pct=0',
  'margin_pct=500',
  'margin_pct=12.34',
])('a number may be %p', (search) => {
  const [name = '', raw = ''] = search.split('=');
  const read = reader('getMaxBuy').readQuery(`set=75192&${search}`);
  expect(read).toMatchObject({ set: '75192', [name]: Number(raw) });
});

test.each([
  ['1e-1', '1e-1'],
  ['.8', '.8'],
  ['0.', '0.'],
  ['+0.8', ' 0.8'],
  ['-0.8', '-0.8'],
  ['0,8', '0,8'],
  ['', ''],
  ['0.80001', '0.80001'],
  ['0.4999', '0.4999'],
  ['0.9501', '0.9501'],
  ['NaN', 'NaN'],
  ['0x1', '0x1'],
])('a share of %p is refused', (raw, shown) => {
  expect(refusal(() => reader('getMaxBuy').readQuery(`share=${raw}`))).toBe(
    "The query parameter 'share' must be a number from 0.5 to 0.95 with at most 4 decimals; " +
      `got '${shown}'.`,
  );
});

test.each(['0', '000', '-1', '1.0'])('a collection id of %p is refused', (raw) => {
  const read = () => reader('listEntries').readQuery(`brickfolio_id=${raw}`);
  expect(refusal(read)).toContain(
    "'brickfolio_id' must be a whole number, 1 or more, in plain digits",
  );
});

test('changed_within can have any number of digits', () => {
  const text = `${'9'.repeat(5000)}d`;
  expect(reader('listRetailWatch').readQuery(`changed_within=${text}`)).toEqual({
    changed_within: text,
  });
});

test.each([
  ['searchSets', 'q=ab&limt=3', "Unknown query parameter 'limt'; did you mean 'limit'?"],
  ['searchSets', 'Q=ab', "Unknown query parameter 'Q'; did you mean 'q'?"],
  ['searchSets', 'q=ab&=3', "Unknown query parameter ''; use one of q, limit, offset."],
  ['searchSets', 'toString=1', "Unknown query parameter 'toString'; use one of q, limit, offset."],
  ['listDeals', 'min_roi=20', "Unknown query parameter 'min_roi'; did you mean 'min_roi_pct'?"],
  ['findRetailPrices', 'set_number=1', "Unknown query parameter 'set_number'; did you mean 'set'?"],
  [
    'getSetHistory',
    'conditon=used',
    "Unknown query parameter 'conditon'; did you mean 'condition'?",
  ],
  ['listThemes', 'page=2', "Unknown query parameter 'page'; there are none here."],
  ['getSet', 'a%0Ab=1', "Unknown query parameter 'a\\u000ab'; there are none here."],
] as const)(
  'at %s, %p is refused, with the parameter and a suggestion or all names',
  (name, search, message) => {
    expect(refusal(() => reader(name).readQuery(search))).toBe(message);
  },
);

test('a long unknown name is not echoed whole', () => {
  const message = refusal(() => reader('getSet').readQuery(`${'x'.repeat(5000)}=1`));
  expect(message).toBe(`Unknown query parameter '${'x'.repeat(40)}…'; there are none here.`);
});

test.each([
  ['searchSets', 'q=ab&q=cd', 'q', "'ab' and 'cd'"],
  ['searchSets', 'q=ab&q=ab', 'q', "'ab' and 'ab'"],
  ['searchSets', 'q=ab&limit=1&limit=2', 'limit', "'1' and '2'"],
  ['searchSets', 'q=ab&%71=cd', 'q', "'ab' and 'cd'"],
  ['getSetHistory', 'condition=used&condition=x', 'condition', "'used' and 'x'"],
] as const)('at %s, the repeated parameter in %p is refused', (name, search, parameter, got) => {
  expect(refusal(() => reader(name).readQuery(search))).toBe(
    `The query parameter '${parameter}' must be given once; got ${got}.`,
  );
});

const searchTerm = '2 to 500 characters besides spaces, without control characters';
const identifier = '1 to 64 characters, without control characters';
const list = '1 to 100 values separated by commas, none of them empty';
const hundredOne = Array.from({ length: 101 }, () => 'a').join(',');

test.each([
  ['searchSets', 'q=a', 'q', searchTerm, 'a'],
  ['searchSets', 'q=', 'q', searchTerm, ''],
  ['searchSets', 'q', 'q', searchTerm, ''],
  ['searchSets', `q=${'a'.repeat(501)}`, 'q', searchTerm, `${'a'.repeat(40)}…`],
  ['searchSets', 'q=a%00b', 'q', searchTerm, 'a\\u0000b'],
  ['getSetHistory', 'condition=new', 'condition', 'one of sealed, used', 'new'],
  ['getSetHistory', 'condition=SEALED', 'condition', 'one of sealed, used', 'SEALED'],
  ['getAnalytics', 'period=7d', 'period', 'one of 30d, 90d, 1y', '7d'],
  ['findRetailPrices', 'set=', 'set', identifier, ''],
  ['findRetailPrices', `upc=${'1'.repeat(65)}`, 'upc', identifier, `${'1'.repeat(40)}…`],
  ['findRetailPrices', 'asin=a%7Fb', 'asin', identifier, 'a\\u007fb'],
  ['listRetailWatch', 'asin=a,,b', 'asin', list, 'a,,b'],
  ['listRetailWatch', 'upc=a,', 'upc', list, 'a,'],
  ['listRetailWatch', `asin=${hundredOne}`, 'asin', list, `${hundredOne.slice(0, 40)}…`],
] as const)(
  'at %s, %p is refused, saying what is expected',
  (name, search, parameter, expected, got) => {
    expect(refusal(() => reader(name).readQuery(search))).toBe(
      `The query parameter '${parameter}' must be ${expected}; got '${got}'.`,
    );
  },
);

test.each(['24', 'h', '24s', '1e3h', '-1h', '1.5h', '24H', ''])(
  '%p is not a valid changed_within',
  (text) => {
    expect(refusal(() => reader('listRetailWatch').readQuery(`changed_within=${text}`))).toContain(
      "'changed_within' must be digits followed by m, h or d",
    );
  },
);

test.each(['yesterday', '2026-11-15', '2026-11-15T12:00:00', '2026-02-30T00:00:00Z'])(
  '%p is not a valid since',
  (text) => {
    expect(refusal(() => reader('listRetailWatch').readQuery(`since=${text}`))).toContain(
      "'since' must be an instant such as 2026-11-15T12:00:00Z",
    );
  },
);

test('a missing required parameter is named', () => {
  expect(refusal(() => reader('searchSets').readQuery(''))).toBe(
    `The query parameter 'q' is missing; it must be ${searchTerm}.`,
  );
  expect(refusal(() => reader('searchSets').readQuery('limit=5'))).toBe(
    `The query parameter 'q' is missing; it must be ${searchTerm}.`,
  );
  expect(refusal(() => reader('findRetailPrices').readQuery(''))).toBe(
    'Give at least one query parameter of set, asin, upc.',
  );
});

test.each([
  ['q=%', "The query parameter 'q' must be percent-encoded UTF-8; got '%'."],
  ['q=%zz', "The query parameter 'q' must be percent-encoded UTF-8; got '%zz'."],
  ['q=%ff', "The query parameter 'q' must be percent-encoded UTF-8; got '%ff'."],
  ['q=caf%C3', "The query parameter 'q' must be percent-encoded UTF-8; got 'caf%C3'."],
  ['q=%ED%A0%80', "The query parameter 'q' must be percent-encoded UTF-8; got '%ED%A0%80'."],
  ['q=ab&limit=%', "The query parameter 'limit' must be percent-encoded UTF-8; got '%'."],
  ['%ff=ab', "The query string must be percent-encoded UTF-8; got '%ff'."],
])('the query %p is refused for its encoding', (search, message) => {
  expect(refusal(() => reader('searchSets').readQuery(search))).toBe(message);
});

test('a path parameter is decoded, and a plus in a path is a plus', () => {
  const read = (segment: string) => reader('getSet').readPath({ number: segment });
  expect(read('75192-1')).toEqual({ number: '75192-1' });
  expect(read('a%2Fb+c%20d')).toEqual({ number: 'a/b+c d' });
});

test.each([
  ['%ff', "The path parameter 'number' must be percent-encoded UTF-8; got '%ff'."],
  ['', `The path parameter 'number' must be ${identifier}; got ''.`],
  ['a%0Ab', `The path parameter 'number' must be ${identifier}; got 'a\\u000ab'.`],
  ['a%C2%80b', `The path parameter 'number' must be ${identifier}; got 'a\\u0080b'.`],
  ['x'.repeat(65), `The path parameter 'number' must be ${identifier}; got '${'x'.repeat(40)}…'.`],
])('the path segment %p is refused', (segment, message) => {
  expect(refusal(() => reader('getMinifig').readPath({ number: segment }))).toBe(message);
});

test('a batch body with one list or both is read', () => {
  const read = (body: object) => reader('getBatch').readBody(JSON.stringify(body));
  expect(read({ sets: ['75192'] })).toEqual({ sets: ['75192'] });
  expect(read({ sets: ['1'], minifigs: ['a', 'a'] })).toEqual({
    sets: ['1'],
    minifigs: ['a', 'a'],
  });
});

test('a list that is null is empty', () => {
  const read = (body: object) => reader('getBatch').readBody(JSON.stringify(body));
  expect(read({ sets: ['75192'], minifigs: null })).toEqual({ sets: ['75192'], minifigs: null });
  expect(read({ sets: null, minifigs: ['a'] })).toEqual({ sets: null, minifigs: ['a'] });
});

const notAnObject = 'The body must be a JSON object with sets and minifigs; got';
const noJson = 'The body is not valid JSON at line';

test.each([
  ['nothing', ' ', 'The body is empty; send a JSON object.'],
  [
    'a text that is not JSON',
    '{sets:[1]}',
    `${noJson} 1, column 2: expected a name in double quotes or '}', not 'sets'.`,
  ],
  [
    'JSON that is cut off',
    '{"sets":["75192"\n',
    `${noJson} 2, column 1: it ends where ',' or ']' should be.`,
  ],
  [
    'a name given twice',
    '{"sets":["1"],\n "sets" :["2"]}',
    "The body has the name 'sets' twice in one object, the second time at line 2, column 2; " +
      'send it once.',
  ],
  [
    'a name given twice, once with an escape',
    '{"minifigs":["1"],"minifi\\u0067s":["2"]}',
    "The body has the name 'minifigs' twice in one object, the second time at line 1, " +
      'column 19; send it once.',
  ],
  ['nothing but lists', '['.repeat(20_000) + ']'.repeat(20_000), `${notAnObject} an array.`],
  ['a list', '["75192"]', `${notAnObject} an array.`],
  ['null', 'null', `${notAnObject} null.`],
  ['a number', '75192', `${notAnObject} 75192.`],
  ['a misspelt list', '{"set":[]}', "Unknown property 'set' in the body; did you mean 'sets'?"],
  [
    'a third list',
    '{"sets":["1"],"minifig":[]}',
    "Unknown property 'minifig' in the body; did you mean 'minifigs'?",
  ],
  ['no list', '{"sets":"75192"}', `In the body, 'sets' must be an array or null; got "75192".`],
  [
    'a number that is no text',
    '{"sets":["1",75192]}',
    `In the body, 'sets.1' must be a string of ${identifier}; got 75192.`,
  ],
])('a batch body with %s is refused', (_, text, message) => {
  expect(refusal(() => reader('getBatch').readBody(text))).toBe(message);
});

test.each([
  ['empty', '', '""'],
  ['too long', 'x'.repeat(65), `"${'x'.repeat(40)}…"`],
  ['unprintable', 'a\u0000b', '"a\\u0000b"'],
])('a batch body with an identifier that is %s is refused, with its location', (_, number, got) => {
  const text = JSON.stringify({ minifigs: ['a', number] });
  expect(refusal(() => reader('getBatch').readBody(text))).toBe(
    `In the body, 'minifigs.1' must be a string of ${identifier}; got ${got}.`,
  );
});

test('a lone surrogate in an escape is refused, a pair is not', () => {
  const read = (text: string) => refusal(() => reader('getBatch').readBody(text));
  const problem = 'contains a lone surrogate; got';
  expect(read('{"sets":["1","a\\ud800"]}')).toBe(`In the body, 'sets.1' ${problem} "a\\ud800".`);
  expect(read('{"minifigs":["\\uDC00b"]}')).toBe(
    `In the body, 'minifigs.0' ${problem} "\\udc00b".`,
  );
  expect(read('{"s\\ud800":["1"]}')).toStartWith("Unknown property 's\\ud800' in the body");
  expect(read('{"sets":["\\ud83e\\uddf1"]}')).toBe('it was read');
});

test('a list that is too long is refused with its limit and its length', () => {
  const body = { name: 'x', url: 'https://example.com/', notices: Array(9).fill('quota.reached') };
  const { length } = accountNoticeKinds;
  expect(refusal(() => reader('createWebhook').readBody(JSON.stringify(body)))).toBe(
    `In the body, 'notices' must have at most ${length} items; got 9.`,
  );
});

test.each([
  ['{}', "'items' is missing"],
  ['{"items":[]}', "'items' must not be empty"],
  ['{"items":[3]}', "'items.0' must be an object; got 3"],
  [
    '{"items":[{"set":"1","quantity":0}]}',
    "'items.0.quantity' must be a whole number from 1 to 10000; got 0",
  ],
  [
    '{"items":[{"set":"1","condition":"new"}]}',
    `'items.0.condition' must be one of sealed, used; got "new"`,
  ],
  [
    '{"items":[{"set":"1"}],"share":2}',
    "'share' must be a number from 0.5 to 0.95 with at most 4 decimals; got 2",
  ],
])('a box of %s is refused, with the value', (text, problem) => {
  expect(refusal(() => reader('evaluateBox').readBody(text))).toBe(`In the body, ${problem}.`);
});

test('an endpoint is compiled once, on first use', () => {
  let compiled = 0;
  const { params, query, body } = allEndpoints.searchSets;
  const endpoint = {
    params,
    body,
    get query() {
      compiled++;
      return query;
    },
  };
  const [first, second] = [inputOf(endpoint), inputOf(endpoint)];
  expect(compiled).toBe(0);
  expect(first.readQuery('q=ab')).toEqual(second.readQuery('q=ab'));
  expect(first.readQuery('q=ab&limit=5')).toEqual({ q: 'ab', limit: 5, offset: 0 });
  expect(compiled).toBe(1);
});

test('a flag of the wrong type is rejected with the values it can have', () => {
  const message = 'In the body, \'is_on\' must be true or false; got "yes".';
  expect(refusal(() => reader('changeWebhook').readBody('{"is_on":"yes"}'))).toBe(message);
});
