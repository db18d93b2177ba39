/**
 * Expected facts of well-known sets with the real catalogs, each verified in the files of at least
 * two catalogs; pieces and minifigs are those of the box, in Brickset's files.
 */

/** Facts of a set at the date of the suites with real files. */
export interface FamousSet {
  readonly number: string;
  readonly title: string;
  readonly theme: string;
  readonly pieces: number;
  readonly minifigs: number;
  /** In dollars; null if no catalog has it. */
  readonly msrp: number | null;
  readonly released: string | null;
  readonly retired: string | null;
  readonly status: 2 | 3 | 4;
}

type Line = readonly [
  number: string,
  title: string,
  theme: string,
  pieces: number,
  minifigs: number,
  msrp: number | null,
  released: string | null,
  retired: string | null,
  status: 2 | 3 | 4,
];

const onSale = 2;
const retiring = 3;
const gone = 4;

const lines: readonly Line[] = [
  ['75192', 'Millennium Falcon', 'Star Wars', 7541, 10, 849.99, '2017-10-01', null, retiring],
  ['10179', 'Millennium Falcon', 'Star Wars', 5197, 5, 499.99, '2007-10-01', '2010-05-04', gone],
  ['10188', 'Death Star', 'Star Wars', 3803, 24, 399.99, '2008-09-01', '2015-12-19', gone],
  ['75159', 'Death Star', 'Star Wars', 4016, 27, 499.99, '2016-10-01', '2020-12-31', gone],
  ['10221', 'Super Star Destroyer', 'Star Wars', 3152, 5, 399.99, '2011-09-01', '2014-12-31', gone],
  ['10182', 'Cafe Corner', 'Modular Buildings', 2056, 3, 139.99, '2007-10-24', '2009-12-06', gone],
  ['10185', 'Green Grocer', 'Modular Buildings', 2352, 4, 149.99, '2008-03-05', '2010-11-08', gone],
  ['10350', 'Tudor Corner', 'Modular Buildings', 3266, 8, 229.99, '2025-01-01', null, onSale],
  ['10189', 'Taj Mahal', 'Creator', 5922, 0, 299.99, '2008-08-10', '2010-11-28', gone],
  ['10256', 'Taj Mahal', 'Creator', 5923, 0, 369.99, '2017-12-01', '2020-12-31', gone],
  ['10194', 'Emerald Night', 'Creator', 1085, 3, 99.99, '2009-04-01', '2011-11-25', gone],
  ['10214', 'Tower Bridge', 'Creator', 4287, 0, 239.99, '2010-10-03', '2019-09-29', gone],
  ['10294', 'Titanic', 'Icons', 9090, 0, 679.99, '2021-11-08', null, retiring],
  ['10307', 'Eiffel Tower', 'Icons', 10_001, 0, 629.99, '2022-11-25', null, retiring],
  ['10276', 'Colosseum', 'Icons', 9036, 0, 549.99, '2020-11-27', '2024-02-05', gone],
  ['71027-17', 'Series 20 - Complete', 'Collectible Minifigures', 127, 16, null, null, null, gone],
  ['10497', 'Galaxy Explorer', 'Icons', 1254, 5, 99.99, '2022-08-01', '2025-12-31', gone],
  ['10305', "Lion Knights' Castle", 'Icons', 4514, 22, 399.99, '2022-08-03', '2025-12-31', gone],
  ['21309', 'NASA Apollo Saturn V', 'Ideas', 1969, 0, 119.99, '2017-06-01', '2019-12-31', gone],
  ['71040', 'Disney Castle', 'Disney', 4080, 7, 349.99, '2016-09-01', '2022-12-31', gone],
  [
    '76178',
    'Daily Bugle',
    'Marvel Super Heroes',
    3772,
    25,
    349.99,
    '2021-06-01',
    '2025-12-31',
    gone,
  ],
  ['70620', 'NINJAGO City', 'Ninjago', 4867, 19, 299.99, '2017-09-01', '2019-12-31', gone],
  ['42083', 'Bugatti Chiron', 'Technic', 3599, 0, 349.99, '2018-06-01', '2022-12-31', gone],
  ['8880', 'Super Car', 'Technic', 1343, 0, 130, null, null, gone],
  ['497', 'Galaxy Explorer', 'Space', 338, 4, null, null, null, gone],
  ['6990', 'Monorail Transport System', 'Space', 731, 5, null, null, null, gone],
  ['375', 'Deluxe Basic Set', 'System', 383, 0, null, null, null, gone],
  ['375-2', 'Castle', 'Castle', 767, 14, null, null, null, gone],
  ['6080', "King's Castle", 'Castle', 664, 12, null, null, null, gone],
  ['6086', "Black Knight's Castle", 'Castle', 588, 12, null, null, null, gone],
  ['6285', 'Black Seas Barracuda', 'Pirates', 909, 8, null, null, null, gone],
  ['7740', 'Inter-City Passenger Train', 'Trains', 786, 10, null, null, null, gone],
];

export const famousSets: readonly FamousSet[] = lines.map(
  ([number, title, theme, pieces, minifigs, msrp, released, retired, status]) => ({
    number,
    title,
    theme,
    pieces,
    minifigs,
    msrp,
    released,
    retired,
    status,
  }),
);

/** A minifig in both catalogs: BrickLink's number, name and year, Rebrickable's number. */
export interface FamousMinifig {
  readonly number: string;
  readonly rebrickable: string;
  readonly name: string;
  readonly year: number;
  /** The number of a set that contains it. */
  readonly set: string;
}

export const famousMinifigs: readonly FamousMinifig[] = [
  minifig('sw0002', 'fig-000238', 'Boba Fett', 2000, '4476'),
  minifig('sw0004', 'fig-003517', 'Darth Vader', 1999, '10123'),
  minifig('sw0028', 'fig-003508', 'Astromech Droid, R2-D2', 1999, '7140'),
  minifig('sw0107', 'fig-003908', 'Boba Fett', 2003, '10123'),
  minifig('sw0547', 'fig-001162', 'Darth Revan', 2014, '5002123'),
  minifig('hp005', 'fig-006052', 'Harry Potter', 2001, '4702'),
  minifig('njo0001', 'fig-000417', 'Zane', 2011, '2113'),
  minifig('cas001', 'fig-006900', 'Dragon Master', 1993, '6082'),
  minifig('sp005', 'fig-000020', 'Classic Space', 1979, '0015'),
  minifig('twn514', 'fig-015866', 'Tudor House Inn Owner', 2025, '10350'),
];

function minifig(
  number: string,
  rebrickable: string,
  name: string,
  year: number,
  set: string,
): FamousMinifig {
  return { number, rebrickable, name, year, set };
}
