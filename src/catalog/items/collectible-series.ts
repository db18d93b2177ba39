/**
 * The figures of collectible series. BrickLink numbers them by a code of the series, other catalogs
 * by the number on the bag: its `col24-1` is 71037-1.
 */

/** BrickLink's codes, and the numbers on the bags. */
const numbers: Readonly<Record<string, string>> = {
  col01: '8683',
  col02: '8684',
  col03: '8803',
  col04: '8804',
  col05: '8805',
  col06: '8827',
  col07: '8831',
  col08: '8833',
  col09: '71000',
  col10: '71001',
  col11: '71002',
  col12: '71007',
  col13: '71008',
  col14: '71010',
  col15: '71011',
  col16: '71013',
  col17: '71018',
  col18: '71021',
  col19: '71025',
  col20: '71027',
  col21: '71029',
  col22: '71032',
  col23: '71034',
  col24: '71037',
  col25: '71045',
  col26: '71046',
  col27: '71048',
  coldfb: '71014',
  coldis: '71012',
  coldis2: '71024',
  coldis100: '71038',
  coldnd: '71047',
  colf1rc: '71049',
  colhp: '71022',
  colhp2: '71028',
  collt: '71030',
  colmar: '71031',
  colmar2: '71039',
  colsh: '71026',
  colsim: '71005',
  colsim2: '71009',
  colspi: '71050',
  coltgb: '8909',
  coltlbm: '71017',
  coltlbm2: '71020',
  coltlm: '71004',
  coltlm2: '71023',
  coltlnm: '71019',
  coltm: '71033',
  coluni1: '41775',
};

/** Figures that other catalogs count differently: in 71001, 17 and 18 are the series. */
const exceptions: Readonly<Record<string, string>> = { 'col10-17': '71001-19' };

const bags: ReadonlySet<string> = new Set(Object.values(numbers));

/** The number that other catalogs have for a figure; null if it is not one of BrickLink's. */
export function figureOfSeries(number: string): string | null {
  const [, code = '', figure] = /^(col[a-z\d]+)-([1-9]\d?)$/i.exec(number) ?? [];
  const bag = numbers[code.toLowerCase()];
  return bag ? (exceptions[number.toLowerCase()] ?? `${bag}-${figure}`) : null;
}

/**
 * The number that other catalogs have for a set of BrickLink's, which numbers a random bag `-1`, a
 * complete series `-2` and boxes from `-3` on, like figures in other catalogs. Null for a box,
 * whose number differs by series.
 */
export function bagOfSeries(number: string, title: string): string | null {
  const bag = number.replace(/-\d+$/, '');
  if (!bags.has(bag)) return number;
  if (/\bRandom Set of 1\b/.test(title)) return `${bag}-0`;
  const [, figures] = /\bComplete Series of (\d+)\b/.exec(title) ?? [];
  return figures ? `${bag}-${Number(figures) + 1}` : null;
}
