/**
 * Mistakes that nobody could notice, so that no test can fail. Each kind and each line has its
 * reason, and every run says how many mutants it left out because of them.
 */

/** A kind of change that makes no difference, wherever it is. */
interface EquivalentKind {
  readonly operator: string;
  /** What stands before it, and what it changes with all that follows. */
  readonly behind: RegExp;
  readonly ahead?: RegExp;
  readonly reason: string;
}

/** The kinds. */
export const equivalentKinds: readonly EquivalentKind[] = [
  {
    operator: 'number',
    behind: /\] \?\? -?$/,
    reason: 'The types ask for a default where an index is within its list; it is never used.',
  },
  {
    operator: 'number',
    behind: /(?<!\b(second|minute|hour|day))Ms(Max|Min)?(?: =|:) $/,
    ahead: /^\d[\d_]+(;|,| \})/,
    reason: 'A time limit that is longer or shorter by one millisecond is as good.',
  },
  {
    operator: 'number',
    behind: /Seconds = $/,
    ahead: /^\d[\d_]+;/,
    reason: 'A time limit that is longer or shorter by one second is as good.',
  },
  {
    operator: 'number',
    behind: /\bretryMs = $/,
    reason: 'How soon something is tried again decides nothing about what comes of it.',
  },
  {
    operator: 'number',
    behind: /((cache|pages|found|kept|remembered)LengthMax|[rR]oomMax|[cC]acheKb) = [\d_ *]*$/,
    reason: 'How much is kept in memory: one more or less, and all is answered the same.',
  },
  {
    operator: 'number',
    behind: /(\w+Room|roomAtFirst|pieceLength|(full|chunk|buffer)Bytes|collectedMax) = [\d_ *]*$/,
    reason: 'How much something takes or is sent at once: one more or less comes to the same.',
  },
  {
    operator: 'number',
    behind: /(sliceRows|warmSlice|AtOnce|copiedFrom|groupMax|rowsHeld|entriesPerRow) = $/,
    reason: 'How many rows are worked on at once: one more or less, and all come in turn.',
  },
  {
    operator: 'number',
    behind: /Lock = $/,
    reason: 'The number of a lock is a name: any other is as good, if all use it.',
  },
  {
    operator: 'number',
    behind: /(?<!\.get\(name\))\?\.(n|count|total|user_version) \?\? $/,
    reason: 'The types ask for a default where a count is selected; there is always a row.',
  },
  {
    operator: 'number',
    behind: /\bparse(Day|Month)\([\w.]+( \?\? \w+)?\) \?\? $/,
    reason: 'The types ask for a default where a stored day is read; it is always one.',
  },
  {
    operator: 'sql number',
    behind: /(\bfirst(<[^`']*>)?\(\s*(`[^`]*|'[^']*)|\bSELECT 1 [^`']*)\bLIMIT $/,
    ahead: /^1\s*[`']/,
    reason: 'The first row is read, or whether there is any: a second one is not looked at.',
  },
  {
    operator: 'sql number',
    behind: /\bTHEN 1 ELSE $/,
    ahead: /^2 END\b/,
    reason: 'Ranks are compared with each other: any that is above 1 is the higher one.',
  },
  {
    operator: 'sql number',
    behind: /\bversion = version \+ $/,
    reason: 'A version is another one when it grows, by however much.',
  },
  {
    operator: 'guard',
    behind: /$/,
    ahead: /^if \((stored|takes|unknown|(given\.)?rows)\.length === 0\) return/,
    reason: 'Where nothing is asked for, nothing is found or written: it saves a statement.',
  },
  {
    operator: 'guard',
    behind: /$/,
    ahead: /^if \(((currencies|ids)\.size|\w+\.length \+ \w+\.length) === 0\) return/,
    reason: 'The same, of what is asked for in sets and in two lists.',
  },
  {
    operator: 'statement',
    behind: /$/,
    ahead: /^f?sync(Path|Sync)\(/,
    reason: 'Only a power cut shows what had not been written to the disk by then.',
  },
  {
    operator: 'number',
    behind: /waiting(Each: |All: |Max = )[\d_ *]*$/,
    reason: 'How many may wait: one more or less, and whoever comes after them is refused alike.',
  },
  {
    operator: 'number',
    behind: /% \w+PerPause === $/,
    reason:
      'Others are answered in the pauses of long work; which item one comes after is the same.',
  },
  {
    operator: 'statement',
    behind: /$/,
    ahead: /^made\.set\(/,
    reason: 'What was made is kept for speed: made once more it is the same.',
  },
  {
    operator: 'number',
    behind: /\bridge: $/,
    reason: 'How far a coefficient is held back was tuned; one more or one less does as well.',
  },
];

/** A file, a line, or one operator in it, that is left out. */
interface Equivalent {
  /** The name of the file, with its folder where others are called the same. */
  readonly file: string;
  /** A piece of the line as it is written; without it, the whole file. */
  readonly line?: string;
  /** Only these operators; without it, all. */
  readonly operators?: readonly string[];
  readonly reason: string;
}

/** The lines. */
export const equivalents: readonly Equivalent[] = [
  {
    file: 'time.ts',
    line: 'const guess = Math.floor(at / meanMonthMs);',
    reason: 'A guess that is wrong is set right, or the date is asked: it is there for speed.',
  },
  {
    file: 'time.ts',
    line: 'if (start !== undefined && end !== undefined && guess > 0) {',
    operators: ['equality', 'boundary', 'number'],
    reason: 'Without what is known, the date is asked, and says the same: it is there for speed.',
  },
  {
    file: 'time.ts',
    line: 'return monthStarts[month - firstKnown] ?? startOf(month);',
    operators: ['arithmetic'],
    reason: 'A month that is not found is worked out, and is the same: it is there for speed.',
  },
  {
    file: 'daily-values.ts',
    line: 'for (; index < days.length; index++) {',
    operators: ['boundary'],
    reason: 'The last of the days is today, at which the latest the loop has been left.',
  },
  {
    file: 'admission-schema.ts',
    reason: 'A function that a later migration replaces: no database is left with it.',
  },
  {
    file: 'place-admission-schema.ts',
    line: '<= allowance AS fits,',
    operators: ['sql boundary'],
    reason: 'What is not charged by one statement is charged one by one, and comes to the same.',
  },
  {
    file: 'place-admission-schema.ts',
    line: '> allowance AS is_exhausted',
    operators: ['sql boundary', 'sql method', 'sql arithmetic'],
    reason: 'The same: it only decides whether one statement charges them all.',
  },
  {
    file: 'place-admission-schema.ts',
    line: 'bid := CASE WHEN known + asked.rest <= asked.allowance',
    operators: ['sql boundary'],
    reason: 'What would just fit is charged one by one instead, and comes to the same.',
  },
  {
    file: 'admission.ts',
    line: 'SELECT 0, 0, 0, 0, 0, 0 WHERE false',
    operators: ['sql number'],
    reason: 'A row that is never written may say anything; only the right to write it is asked.',
  },
  {
    file: 'report.ts',
    line: "request.route === 'readyz' ? 200 : outcome.status",
    operators: ['number'],
    reason: 'Any status does that is no failure: it is only compared with where failures begin.',
  },
  {
    file: 'socket-server.ts',
    line: 'development: false,',
    reason: 'Only what nobody handles is shown to developers, and here all faults are handled.',
  },
  {
    file: 'report.ts',
    line: 'candidates[0] ?? 0',
    operators: ['number'],
    reason: 'The best of all candidates is the same, whichever of them the search begins with.',
  },
  {
    file: 'fold.ts',
    line: 'Math.abs(error) > odd',
    operators: ['boundary'],
    reason: 'An error of prices that is the limit to the last bit does not come up.',
  },
  {
    file: 'private-rows.ts',
    line: '.account_id = r."accountId" AND ',
    operators: ['sql logic'],
    reason: 'Rows that nobody asked for are found under other names: it only takes longer.',
  },
  {
    file: 'private-rows.ts',
    line: 'if (facts.costCents !== null) continue;',
    operators: ['guard'],
    reason: 'Lots that no sale takes from are loaded, and stay as they are: it takes longer.',
  },
  {
    file: 'sweep.ts',
    line: 'if (!(await engine.run(() => hasEnded(at)))) return 0;',
    operators: ['guard', 'await'],
    reason: 'Where nothing has ended nothing is removed: it saves transactions that would write.',
  },
  {
    file: 'clock.ts',
    line: "seconds > 0 ? 'ahead of' : 'behind'",
    operators: ['boundary', 'number'],
    reason: 'It is only said where clocks are more than a minute apart.',
  },
  {
    file: 'tables.ts',
    line: 'if (known !== undefined) return known;',
    operators: ['guard'],
    reason: 'What is not remembered is worked out again, and is the same: it is there for speed.',
  },
  {
    file: 'private-tables.ts',
    line: 'if (known !== undefined) return known;',
    operators: ['guard'],
    reason: 'The same: who an e-mail belongs to is looked up again.',
  },
  {
    file: 'private-rows.ts',
    line: 'applied.loaded.keepCounts();',
    operators: ['statement'],
    reason: 'What is not remembered is counted again, and is the same: it is there for speed.',
  },
  {
    file: 'account-registry.ts',
    line: 'const isRemoved =',
    operators: ['sql boundary'],
    reason: 'No key is one of the bounds: an id follows the blank, and every e-mail has an @.',
  },
  {
    file: 'reading.ts',
    line: 'const variantKeysMax = 1000;',
    reason: 'A bound on keys that are looked at, ten times the variants that there can be.',
  },
  {
    file: 'reading.ts',
    line: "(key > $2::text || '-' AND key < $2::text || '.'))",
    operators: ['sql boundary'],
    reason: 'A key that ends with a hyphen or a period is no variant, and is left out behind it.',
  },
  {
    file: 'listing.ts',
    line: "WHERE kind = 'set' AND item_id > $1::bigint ORDER BY listing.item_id LIMIT",
    operators: ['sql boundary'],
    reason: 'A set that is looked at again has nothing to forget any more.',
  },
  {
    file: 'sqlite/engine.ts',
    line: 'if (known) return known;',
    operators: ['guard'],
    reason: 'A statement that is not remembered is prepared again, and is the same.',
  },
  {
    file: 'sqlite/engine.ts',
    line: 'prepared.set(sql, made);',
    operators: ['statement'],
    reason: 'A statement that is not remembered is prepared again, and is the same.',
  },
  {
    file: 'sqlite/engine.ts',
    line: 'booleans ??= booleanColumns(statement);',
    operators: ['default'],
    reason: 'Which columns are booleans is found again, and is the same: it is there for speed.',
  },
  {
    file: 'sqlite/engine.ts',
    line: 'return 0;',
    operators: ['number'],
    reason: 'What taking a lock results in is not looked at.',
  },
  {
    file: 'sqlite/admission.ts',
    line: 'WHERE used + ?4 <= ?7`);',
    operators: ['sql arithmetic'],
    reason: 'It repeats what was decided on the same snapshot, so that it never refuses.',
  },
  {
    file: 'files.ts',
    line: 'db.run(`PRAGMA cache_size = ',
    reason: 'How much of a file is kept in memory: all is answered the same.',
  },
  {
    file: 'sqlite/store.ts',
    line: '.close();',
    operators: ['await'],
    reason: 'The files of SQLite are closed at once: there is nothing to wait for.',
  },
  {
    file: 'sqlite/store.ts',
    line: 'const cacheKb = waits ? { cacheKb: importCacheKb } : {};',
    reason: 'How much of a file is kept in memory: all is answered the same.',
  },
  {
    file: 'sqlite/store.ts',
    line: 'rmSync(copy, { recursive: true, force: true });',
    operators: ['boolean'],
    reason: 'The folder of a rehearsal is there until then; it is removed once.',
  },
  {
    file: 'meta.ts',
    line: 'SET value = greatest(value + 1, published.instant(NULL, 0))',
    operators: ['sql number'],
    reason: 'A stamp is another one when it grows, by however much.',
  },
  {
    file: 'parameters.ts',
    line: "max(value) FILTER (WHERE name = 'parameters_change",
    operators: ['sql method'],
    reason: 'There is one number of each name: it is the least and the greatest.',
  },
  {
    file: 'parameters.ts',
    line: 'const { changedFrom = null, change = 0 } = rows[0] ?? {};',
    operators: ['number'],
    reason: 'The types ask for a default where numbers are added up; there is always a row.',
  },
  {
    file: 'publish-stamp.ts',
    line: 'private known = 0;',
    reason: 'Before it is told, it was known infinitely long ago, and is not read.',
  },
  {
    file: 'bulk.ts',
    line: 'pieceLines = 1_000;',
    operators: ['number'],
    reason: 'The same lines are sent, whether a piece has one more of them or not.',
  },
  {
    file: 'quantile.ts',
    line: 'if (below > target) return item.value;',
    operators: ['boundary'],
    reason: 'Where the two are equal, the condition before it has returned already.',
  },
  {
    file: 'regression.ts',
    line: 'for (let i = 0; i < ',
    operators: ['boundary'],
    reason: 'Numbers beyond the end of a list are read as 0, and none can be written there.',
  },
  {
    file: 'prior.ts',
    line: 'for (let j = 0; j < ',
    operators: ['boundary'],
    reason: 'Features beyond the last are read as 0, which adds and decides nothing.',
  },
  {
    file: 'prior.ts',
    line: 'for (let i = 0; i < examples.length; i++) {',
    operators: ['boundary'],
    reason: 'The example beyond the last is none, and is passed over.',
  },
  {
    file: 'spread.ts',
    line: 'for (let j = 0; j < ',
    operators: ['boundary'],
    reason: 'Features beyond the last are read as 0, which adds nothing.',
  },
  {
    file: 'target.ts',
    line: '< 0 ?',
    operators: ['boundary', 'number'],
    reason: 'A target begins with a slash: what is looked for is nowhere, or further on.',
  },
  {
    file: 'fault.ts',
    line: 'if (start < 0) return [];',
    operators: ['boundary', 'number'],
    reason: 'A target begins with a slash: a query is nowhere in it, or further on.',
  },
  {
    file: 'parsed-url.ts',
    line: 'at < 0 ?',
    operators: ['boundary', 'number'],
    reason: 'A target begins with a slash: a query is nowhere in it, or further on.',
  },
  {
    file: 'connection-guard.ts',
    line: 'if (!isCrowded && connections.length <= room) return 0;',
    operators: ['boundary'],
    reason: 'With room for exactly so many, none is chosen to be ended either.',
  },
  {
    file: 'connection-guard.ts',
    line: 'const descriptorsMax = 1_048_576;',
    reason: 'A bound where the system has none: one more or less is as good.',
  },
  {
    file: 'log.ts',
    line: 'let waiting = 0;',
    operators: ['number'],
    reason: 'One character of eight million that may wait.',
  },
  {
    file: 'log.ts',
    line: 'if (waiting > waitingMax) {',
    operators: ['boundary'],
    reason: 'One character of eight million that may wait.',
  },
  {
    file: 'log.ts',
    line: 'if (collected.length > collectedMax) flush();',
    operators: ['boundary'],
    reason: 'One character sooner or later, the same lines are written.',
  },
  {
    file: 'large-accounts.ts',
    line: 'export const smallRowsMax = 200;',
    reason: 'From so many rows on an answer is made elsewhere: it is the same.',
  },
  {
    file: 'search-entries.ts',
    line: 'const changedMax = 2_000;',
    reason: 'From so many changes on all is read anew: it comes to the same.',
  },
  {
    file: 'search-entries.ts',
    line: 'this.news.size <= newsMax',
    operators: ['boundary'],
    reason: 'From so many changes on all is read anew: it comes to the same.',
  },
  {
    file: 'search-entries.ts',
    line: 'catalog.changedCount > changedMax',
    operators: ['boundary'],
    reason: 'From so many changes on all is read anew: it comes to the same.',
  },
  {
    file: 'number-lists.ts',
    line: 'for (let list = 0; list < ',
    operators: ['boundary'],
    reason: 'Beyond the last list there is none, and nothing can be written there.',
  },
  {
    file: 'number-lists.ts',
    line: 'for (let value = 0; value < count; value++) {',
    operators: ['boundary', 'number'],
    reason: 'Before the first value nothing is counted, and beyond the last nothing is written.',
  },
  {
    file: 'theme-affinity.ts',
    line: 'this.known.set(category, row);',
    operators: ['statement'],
    reason: 'What is remembered is worked out again, and is the same: it is there for speed.',
  },
  {
    file: 'theme-affinity.ts',
    line: 'row.set(theme, affinity);',
    operators: ['statement'],
    reason: 'What is remembered is worked out again, and is the same: it is there for speed.',
  },
  {
    file: 'daily-values.ts',
    line: 'let fromDay = 0;',
    operators: ['number'],
    reason: 'Before the first value there is no number to move from, whichever day it is of.',
  },
  {
    file: 'daily-values.ts',
    line: '(days[index] ?? 0) < toDay) {',
    operators: ['boundary'],
    reason: 'On the day itself, the loop that this leads to ends at once.',
  },
  {
    file: 'daily-values.ts',
    line: 'if (days.length > 0) values',
    operators: ['boundary'],
    reason: 'Before the first of numbers none can be written.',
  },
  {
    file: 'admission.ts',
    line: 'if (this.waiting.length === 0) return;',
    operators: ['guard'],
    reason: 'Where nobody waits, what follows finds nobody: it is left out for speed.',
  },
  {
    file: 'subject.ts',
    line: 'if (overlap > 0) ms += (volatileFactor - 1) * overlap;',
    operators: ['boundary', 'number'],
    reason: 'An overlap of nothing adds nothing, and one of a millisecond next to nothing.',
  },
  {
    file: 'typos.ts',
    line: 'if (Math.abs(a.length - b.length) > most) return most + 1;',
    operators: ['guard'],
    reason: 'Words are at least as far apart as their lengths: it only saves comparing letters.',
  },
  {
    file: 'search-segment.ts',
    line: 'const itemsMax = 2 ** 21;',
    reason: 'Millions of items more than there are.',
  },
  {
    file: 'search-segment.ts',
    line: 'for (let place = 1; place < texts.length; place++) {',
    operators: ['boundary'],
    reason: 'What is in order already is sorted once more, and stays the same.',
  },
  {
    file: 'search-segment.ts',
    line: '< keys.length; ',
    operators: ['boundary'],
    reason: 'Beyond the last of numbers none can be written.',
  },
  {
    file: 'search-segment.ts',
    line: 'for (let length = 1; length < form.length; length++) {',
    operators: ['boundary'],
    reason: 'A word that is one word was found as such before.',
  },
  {
    file: 'search-segment.ts',
    line: 'letters |= 1 <<',
    operators: ['boundary'],
    reason: 'One letter that all words have tells none of them apart.',
  },
  {
    file: 'item-medians.ts',
    line: 'index < rows.length; index++) {',
    operators: ['boundary'],
    reason: 'Beyond the last row there is none, where the loop ends.',
  },
  {
    file: 'used-ratio.ts',
    line: 'const [base = 0, perYear = 0, perLaterYear = 0] = coefficients;',
    operators: ['number'],
    reason: 'The types ask for defaults; there are always three coefficients.',
  },
  {
    file: 'interest.ts',
    line: 'const most = { dollars: 1_023, pieces: 16_383, sets: 255 } as const;',
    reason: 'One more or less of the most is lost when interest is rounded.',
  },
  {
    file: 'drain.ts',
    line: 'performance.now() - ',
    operators: ['boundary'],
    reason: 'No two readings of the clock are apart by a limit to the last bit.',
  },
  {
    file: 'sellers.ts',
    line: 'const fewSellers = 16;',
    reason: 'How many are remembered before some are forgotten who are as good as new.',
  },
  {
    file: 'sellers.ts',
    line: 'this.#latestMax',
    operators: ['boundary', 'arithmetic', 'number', 'method'],
    reason: 'How many are remembered before some are forgotten who are as good as new.',
  },
  {
    file: 'sellers.ts',
    line: 'if (last <= until) this.#latest.delete(seller);',
    operators: ['boundary', 'statement'],
    reason: 'Whoever is forgotten is as good as new: it only saves room.',
  },
  {
    file: 'memory.ts',
    line: 'collect: () => Bun.gc(true),',
    operators: ['boolean'],
    reason: 'Garbage is collected at once, or soon.',
  },
  {
    file: 'slots.ts',
    line: 'if (restMs > 0) setTimeout(() => this.leave(name), restMs);',
    operators: ['boundary', 'number'],
    reason: 'What is left of the time is nothing, or less than a millisecond.',
  },
  {
    file: 'returns.ts',
    line: 'if (excess(period, dated, middle) < 0) low = middle;',
    operators: ['boundary'],
    reason: 'In the middle that is the rate itself, both halves close in on it.',
  },
  {
    file: 'fold.ts',
    line: 'at = 0;',
    operators: ['number'],
    reason: 'Before the first row, time is set before it is asked for.',
  },
  {
    file: 'months.ts',
    line: '#until: Month = 0;',
    operators: ['number'],
    reason: 'Months are counted from the year 0: nobody asks for its first two.',
  },
  {
    file: 'months.ts',
    line: 'if (until > this.#until) {',
    operators: ['boundary'],
    reason: 'Gone to once more, the same month is where the fold is already.',
  },
  {
    file: 'estimator.ts',
    line: 'skipsHash: true',
    operators: ['boolean'],
    reason: 'A hash that nobody asks for may be made: it is left out for speed.',
  },
  {
    file: 'fit.ts',
    line: 'skipsHash: true',
    operators: ['boolean'],
    reason: 'A hash that nobody asks for may be made: it is left out for speed.',
  },
];

/** A change, and where it is. */
interface Place {
  readonly file: string;
  readonly operator: string;
  /** The source up to it, and from it on. */
  readonly behind: string;
  readonly ahead: string;
  /** The line that it is in. */
  readonly line: string;
}

/** Why a change is left out; null when it is not. */
export function equivalenceOf({ file, operator, behind, ahead, line }: Place): string | null {
  const kind = equivalentKinds.find(
    (each) =>
      each.operator === operator && each.behind.test(behind) && (each.ahead?.test(ahead) ?? true),
  );
  const found = equivalents.find(
    (each) =>
      file.endsWith(`/${each.file}`) &&
      line.includes(each.line ?? '') &&
      (each.operators?.includes(operator) ?? true),
  );
  return (kind ?? found)?.reason ?? null;
}
