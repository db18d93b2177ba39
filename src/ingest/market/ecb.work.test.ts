/** Rates of the ECB: all kinds of files, missing rates, and broken files. */
import { describe, expect, test } from 'bun:test';
import { gzipSync } from 'node:zlib';
import { type Files, readFiles, rejectsOf } from '../../../test/support/read-format.ts';
import { zip } from '../../../test/support/zip.ts';
import { ecb } from './ecb.work.ts';

/** As `currency date usd`, in order. */
async function ratesIn(files: Files): Promise<string[]> {
  const items = await readFiles(ecb, files);
  return items.flatMap((item) => {
    if (!('where' in item) || !('row' in item.result)) return [];
    const { row } = item.result;
    if (row.kind !== 'fx') throw new Error(`There is a row of ${row.kind}.`);
    const { date, currency, usdPerUnit } = row.rate;
    return [`${currency} ${date} ${Number(usdPerUnit.toPrecision(6))}`];
  });
}

const table = `Date,USD,JPY,CYP,TRL,
2026-11-13,1.25,200,N/A,N/A,
2007-12-31,1.5,150,0.5,1800000,
`;

const space = 'http://www.ecb.int/vocabulary/2002-08-01/eurofxref';
const xml = `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="${space}">
	<gesmes:subject>Reference rates</gesmes:subject>
	<gesmes:Sender>
		<gesmes:name>European Central Bank</gesmes:name>
	</gesmes:Sender>
	<Cube>
		<Cube time='2026-11-13'>
			<Cube currency='USD' rate='1.25'/>
			<Cube currency='JPY' rate='200'/><Cube currency='CYP'/><Cube rate='3'/>
		</Cube>
		<Cube time='2026-11-12'>
			<Cube currency='USD' rate='1.5'/>
			<Cube currency='JPY' rate='150'/></Cube>
	</Cube>
</gesmes:Envelope>
`;

const latest = ['EUR 2026-11-13 1.25', 'JPY 2026-11-13 0.00625'];

describe('rates', () => {
  test('are US dollars per unit, including the euro, without N/A and the last empty column', async () => {
    expect(await ratesIn({ 'eurofxref-hist.csv': table })).toEqual([
      ...latest,
      'EUR 2007-12-31 1.5',
      'JPY 2007-12-31 0.01',
      'CYP 2007-12-31 3',
      'TRL 2007-12-31 8.33333e-7',
    ]);
  });

  test('are the same in XML, whether of one day or of many', async () => {
    const earlier = ['EUR 2026-11-12 1.5', 'JPY 2026-11-12 0.01'];
    expect(await ratesIn({ 'eurofxref-hist-90d.xml': xml })).toEqual([...latest, ...earlier]);
  });

  test('are the same in archives', async () => {
    const packed = zip({ 'eurofxref-hist.csv': table });
    expect(await ratesIn({ 'eurofxref-hist.zip': packed })).toHaveLength(6);
    expect(await ratesIn({ 'eurofxref-daily.xml.gz': gzipSync(xml) })).toHaveLength(4);
  });

  test('of the daily table, with spaces and a long date', async () => {
    const daily = 'Date, USD, JPY, \n13 November 2026, 1.25, 200, \n';
    expect(await ratesIn({ 'eurofxref.csv': daily })).toEqual(latest);
  });
});

describe('rejected is', () => {
  const rejects = async (files: Files) => rejectsOf(await readFiles(ecb, files));

  test('a day without dollars, as a whole', async () => {
    const reason = 'there is no USD rate for this day, so nothing can be converted';
    const text = table.replace('1.25', 'N/A').replace('1.5', '0');
    expect(await rejects({ 'a.csv': text })).toEqual([`a.csv:2: ${reason}`, `a.csv:3: ${reason}`]);
    const days = xml.replace("currency='USD' rate='1.25'", "currency='USD' rate='-1.25'");
    expect(await rejects({ 'a.xml': days })).toEqual([`a.xml:8: ${reason}`]);
  });

  test('only the invalid rate', async () => {
    const text = table.replace('200', '2OO').replace('0.5', '0');
    expect(await rejects({ 'a.csv': text })).toEqual([
      "a.csv:2: 'JPY' must be a rate, not '2OO'",
      "a.csv:3: 'CYP' must be a rate, not '0'",
    ]);
    expect(await ratesIn({ 'a.csv': text })).toHaveLength(4);
  });

  test('an invalid or future date', async () => {
    const text = 'Date,USD\n2026-02-30,1.2\n2026-11-16,1.2\n30 Smarch 2026,1.2\n';
    expect(await rejects({ 'a.csv': text })).toEqual([
      `a.csv:2: 'date' must be a date such as 2026-11-15, not "2026-02-30"`,
      "a.csv:3: 'date' is in the future: 2026-11-16; today is 2026-11-15",
      `a.csv:4: 'date' must be a date such as 2026-11-15, not "30 Smarch 2026"`,
    ]);
  });

  test('an invalid currency code', async () => {
    const text = xml.replaceAll("currency='JPY'", "currency='yen!'");
    expect(await rejects({ 'a.xml': text })).toEqual([
      `a.xml:8: 'currency' must be a code such as EUR, not "yen!"`,
      `a.xml:12: 'currency' must be a code such as EUR, not "yen!"`,
    ]);
  });

  test('a row with too few columns', async () => {
    const text = 'Date,USD,JPY\n2026-11-13,1.25\n2026-11-12,1.5,150\n';
    expect(await rejects({ 'a.csv': text })).toEqual([
      'a.csv:2: the row has 2 columns and the header 3',
    ]);
  });
});

describe('rejected as a whole is', () => {
  const manyRates = Array.from({ length: 501 }, (_, i) => `<Cube currency='${i}' rate='1'/>`).join(
    '',
  );
  const refused: Record<string, [text: string, words: string]> = {
    'an empty file': ['', 'a is empty.'],
    'a table without dollars': ['Date,JPY\n2026-11-13,200\n', "a:1: the header has no 'usd'"],
    'a column that is not a currency': [
      'Date,USD,Weather\n2026-11-13,1.25,fine\n',
      "a:1: the column 'Weather' is not a currency; are these ECB rates?",
    ],
    'a table that ends in a row': [table.slice(0, 60), 'a:3: the file ends in the middle of a row'],
    'XML that is cut': [xml.slice(0, -30), 'a:14: the file ends before its rates do'],
    'XML that is broken': [
      xml.replace("rate='200'", 'rate=200'),
      'a:10: it cannot be read as XML (Unquoted attribute value).',
    ],
    'another XML': ['<html></html>', 'a:1: the file begins with <html>, but ECB rates begin'],
    'XML without rates': ['<gesmes:Envelope></gesmes:Envelope>', 'a has no rates.'],
    'a rate outside a day': [
      "<gesmes:Envelope><Cube><Cube currency='USD' rate='1'/></Cube></gesmes:Envelope>",
      'a:1: a rate has no date.',
    ],
    'a day with too many rates': [
      `<gesmes:Envelope><Cube><Cube time='2026-11-13'>${manyRates}</Cube></Cube></gesmes:Envelope>`,
      'a:1: a day has more than 500 rates.',
    ],
    'XML that is too deep': [
      '<gesmes:Envelope>'.repeat(11),
      'a:1: elements are nested too deeply.',
    ],
    'an element with too many attributes': [
      `<gesmes:Envelope ${Array.from({ length: 21 }, (_, i) => `a${i}='1'`).join(' ')}/>`,
      'a:1: an element has too many attributes.',
    ],
  };
  for (const [what, [text, words]] of Object.entries(refused)) {
    test(what, async () => {
      const paths = ['a'];
      const message = await readFiles(ecb, { a: text }, { paths }).then(
        () => 'nothing is refused',
        (error: Error) => error.message,
      );
      expect(message).toStartWith(words);
    });
  }
});
