/**
 * Brickmark in Google Sheets.
 *
 * Open Extensions > Apps Script, paste this file, save, and reload the sheet. Then choose
 * Brickmark > Set address and key. The key is stored in your user properties, not in a cell. The
 * owner of the sheet has to set it, because functions in cells use the owner's properties. Anyone
 * who can edit the sheet can also edit this script and make it show the key: use a separate key,
 * and share the sheet as view-only.
 *
 *   =BRICKMARK(A2:A101, "new_value_usd")             one value for each set number
 *   =BRICKMARK(A2:A101, "title,new_value_usd")       several columns
 *   =BRICKMARK(A2:A101, "value_range.low", $Z$1)     recalculated when Z1 changes
 *   =BRICKMARK_MINIFIGS(A2:A101, "current_value_usd")
 *   =BRICKMARK_SET("75192")                          everything about one set
 *
 * Each number costs one call of the daily allowance. Values are cached for six hours, so
 * recalculating the sheet within that time is free.
 */

/** The most items that one request can have. */
var BATCH_SIZE = 100;

/** Six hours, the longest that Google caches anything. */
var CACHE_SECONDS = 21600;

/** How long a cell waits while another one is loading. Google ends it after 30 seconds. */
var LOCK_MS = 20000;

/**
 * Fields of sets, one row for each number.
 *
 * @param {A2:A101} numbers Set numbers: a cell or a range.
 * @param {"new_value_usd"} fields Comma-separated fields. Default: new_value_usd.
 * @param {Z1} refresh Optional: a cell to change when you want to recalculate.
 * @return One row for each number, one column for each field.
 * @customfunction
 */
function BRICKMARK(numbers, fields, refresh) {
  return table_('sets', numbers, fields || 'new_value_usd');
}

/**
 * Fields of minifigures, one row for each number.
 *
 * @param {A2:A101} numbers Minifigure numbers: a cell or a range.
 * @param {"current_value_usd"} fields Comma-separated fields. Default: current_value_usd.
 * @param {Z1} refresh Optional: a cell to change when you want to recalculate.
 * @return One row for each number, one column for each field.
 * @customfunction
 */
function BRICKMARK_MINIFIGS(numbers, fields, refresh) {
  return table_('minifigs', numbers, fields || 'current_value_usd');
}

/**
 * Everything about one set, as two columns: the field and its value.
 *
 * @param {"75192"} number The set number.
 * @return Two columns.
 * @customfunction
 */
function BRICKMARK_SET(number) {
  var cell = readCells_('sets', number)[0] || { problem: 'Enter a set number' };
  var item = cell.problem || find_('sets', [cell])[cell.key];
  if (typeof item === 'string') return [[item]];
  return Object.keys(item)
    .filter(function (name) { return name !== 'found'; })
    .flatMap(function (name) {
      var value = item[name];
      if (value === null || typeof value !== 'object' || Array.isArray(value)) {
        return [[name, show_(value)]];
      }
      return Object.keys(value).map(function (inner) {
        return [name + '.' + inner, show_(value[inner])];
      });
    });
}

/** The menu. */
function onOpen() {
  SpreadsheetApp.getUi()
    .createMenu('Brickmark')
    .addItem('Set address and key', 'setBrickmarkKey')
    .addItem('Remove key', 'removeBrickmarkKey')
    .addToUi();
}

/** Asks for the server address and a key. */
function setBrickmarkKey() {
  var ui = SpreadsheetApp.getUi();
  var ask = function (question) {
    var answer = ui.prompt('Brickmark', question, ui.ButtonSet.OK_CANCEL);
    return answer.getSelectedButton() === ui.Button.OK ? answer.getResponseText().trim() : '';
  };
  var url = ask('Server address, such as https://brickmark.example.com');
  var key = url && ask('API key (bmk_…)');
  if (!url || !key) return;
  if (!/^https:\/\//.test(url)) return ui.alert('The address must start with https://');
  if (!/^bmk_[0-9a-f]{48}$/.test(key)) return ui.alert('Not a valid key: keys are bmk_ and 48 characters.');
  PropertiesService.getUserProperties().setProperties({
    BRICKMARK_URL: url.replace(/\/+$/, ''),
    BRICKMARK_KEY: key,
  });
  ui.alert('Saved. Edit a cell with a Brickmark function to recalculate it.');
}

/** Deletes the key. */
function removeBrickmarkKey() {
  PropertiesService.getUserProperties().deleteProperty('BRICKMARK_KEY');
}

/** A row for each number, with the values or an error message. */
function table_(kind, numbers, fields) {
  var cells = readCells_(kind, numbers);
  var names = String(fields).split(',').map(function (name) { return name.trim(); });
  var items = find_(kind, cells.filter(function (cell) { return cell.key; }));
  return cells.map(function (cell) {
    var item = cell.problem || items[cell.key];
    if (!cell.key && !cell.problem) return names.map(function () { return ''; });
    return names.map(function (name, index) {
      // One message is enough for a row.
      if (typeof item === 'string') return index === 0 ? item : '';
      return valueOf_(item, name);
    });
  });
}

/** The cells of a range, or one alone: empty, a number with its key, or a problem. */
function readCells_(kind, numbers) {
  var rows = Array.isArray(numbers) ? numbers : [[numbers]];
  return rows.map(function (row) {
    var value = Array.isArray(row) ? row[0] : row;
    if (value instanceof Date) return { problem: 'This is a date: format the cell as plain text' };
    var text = value === null || value === undefined ? '' : String(value).trim();
    if (text.length > 64 || /[\u0000-\u001f\u007f-\u009f]/.test(text)) {
      return { problem: 'Not a valid number' };
    }
    return { text: text, key: text && keyOf_(kind, text) };
  });
}

/** 75192 and 75192-1 are the same set, and case does not matter: each is requested once. */
function keyOf_(kind, text) {
  var bare = kind === 'sets' && text.slice(-2) === '-1' ? text.slice(0, -2) : '';
  return (bare === '' || /-[1-9]\d?$/.test(bare) ? text : bare).toLowerCase();
}

/** The items by key, from the cache if possible, or an error message. */
function find_(kind, cells) {
  var wanted = {};
  cells.forEach(function (cell) { wanted[cell.key] = cell.text; });
  var keys = Object.keys(wanted);
  var items = cached_(kind, keys);
  var isMissing = function (key) { return !(key in items); };
  if (!keys.some(isMissing)) return items;
  // Formulas run in parallel: the others wait, and find what the first one has loaded.
  var lock = LockService.getScriptLock();
  // After the wait, load nothing: the same items would be charged twice.
  if (!lock.tryLock(LOCK_MS)) {
    keys.filter(isMissing).forEach(function (key) { items[key] = 'Busy: try again in a minute'; });
    return items;
  }
  try {
    Object.assign(items, cached_(kind, keys.filter(isMissing)));
    return fetchAll_(kind, keys.filter(isMissing), wanted, items);
  } finally {
    lock.releaseLock();
  }
}

function fetchAll_(kind, keys, wanted, items) {
  var problem = null;
  for (var start = 0; start < keys.length; start += BATCH_SIZE) {
    var some = keys.slice(start, start + BATCH_SIZE);
    var numbers = some.map(function (key) { return wanted[key]; });
    // If one batch fails, the next one would fail too.
    var answer = problem ? { problem: problem } : fetchBatch_(kind, numbers);
    problem = answer.problem || null;
    var fresh = {};
    some.forEach(function (key, index) {
      items[key] = problem || answer.found[index];
      if (!problem) fresh[cacheKey_(kind, key)] = JSON.stringify(answer.found[index]);
    });
    if (!problem) cache_().putAll(fresh, CACHE_SECONDS);
  }
  return items;
}

/** One request for up to 100 items; results are in the order of the request. */
function fetchBatch_(kind, numbers) {
  var properties = PropertiesService.getUserProperties();
  var url = properties.getProperty('BRICKMARK_URL');
  var key = properties.getProperty('BRICKMARK_KEY');
  if (!url || !key) return { problem: 'Choose Brickmark > Set address and key' };
  var body = {};
  body[kind] = numbers;
  var response;
  try {
    response = UrlFetchApp.fetch(url + '/api/v1/catalog/batch', {
      method: 'post',
      contentType: 'application/json',
      headers: { Authorization: 'Bearer ' + key },
      payload: JSON.stringify(body),
      muteHttpExceptions: true,
      followRedirects: false,
    });
  } catch (error) {
    return { problem: 'Could not reach Brickmark' };
  }
  var status = response.getResponseCode();
  if (status === 401) return { problem: 'Invalid key: choose Brickmark > Set address and key' };
  if (status === 403) return { problem: 'The account is not on the Reseller plan' };
  // These messages have the calls needed and left, or the invalid number.
  if (status === 429 || status === 400) return { problem: messageOf_(response) };
  if (status !== 200) return { problem: 'Brickmark returned ' + status + '; try again later' };
  var found = JSON.parse(response.getContentText()).data[kind];
  return found.length === numbers.length ? { found: found } : { problem: 'The response is incomplete' };
}

/** The message of an error response. A response of a proxy has none. */
function messageOf_(response) {
  try {
    return JSON.parse(response.getContentText()).error.message;
  } catch (error) {
    return 'Brickmark returned ' + response.getResponseCode() + '; try again later';
  }
}

/** A field of an item; nested fields have a dot, as in value_range.low. */
function valueOf_(item, name) {
  if (!item.found) return 'Not found';
  var value = item;
  var path = name.split('.');
  for (var index = 0; index < path.length && value !== null; index++) {
    if (typeof value !== 'object' || !(path[index] in value)) return 'No field ' + name;
    value = value[path[index]];
  }
  return show_(value);
}

/** What a cell shows: nothing if the value is unknown. */
function show_(value) {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : value;
}

function cache_() {
  return CacheService.getDocumentCache() || CacheService.getScriptCache();
}

function cacheKey_(kind, key) {
  return 'brickmark:' + kind + ':' + key;
}

function cached_(kind, keys) {
  var texts = cache_().getAll(keys.map(function (key) { return cacheKey_(kind, key); }));
  var items = {};
  keys.forEach(function (key) {
    var text = texts[cacheKey_(kind, key)];
    if (text) items[key] = JSON.parse(text);
  });
  return items;
}
