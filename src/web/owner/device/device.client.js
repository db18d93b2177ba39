// Runs on every page of a device that keeps something: sends entries, refreshes the data, and
// deletes it when its account signs out.

const refreshMs = 15 * 60 * 1000;

async function start() {
  await forgetSignedOut();
  const account = deviceAccount();
  await forgetOthers(account);
  if (account !== null && (await entriesOf(account)).length > 0) await sendEntries();
  // Not while the owner of a device that keeps nothing is about to change that.
  if (readKeepsCookie() !== '') await tidyDevice();
  const kept = account === null ? null : await findKept(account);
  // By the clock of the device, which may be wrong, and set right meanwhile.
  const age = Math.abs(Date.now() - (kept?.fetchedAt ?? 0));
  if (kept !== null && age > refreshMs) await refreshQuietly();
}

/** One page at a time; without a network, the next one tries again. */
async function refreshQuietly() {
  const refresh = (lock) => (lock ? refreshDevice() : undefined);
  try {
    await navigator.locks.request('brickmark-refresh', { ifAvailable: true }, refresh);
  } catch {
    // The data stays as it was, and says from when.
  }
}

for (const form of document.querySelectorAll('form[action="/sign-out"]')) {
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    // A browser that cannot read its data must not keep anyone signed in.
    if (!(await askUnsent('Sign out and delete').catch(() => true))) return;
    form.append(make('input', { type: 'hidden', name: 'asked', value: 'yes' }));
    form.submit();
  });
}

const place = document.querySelector('[data-device]');
const part = (name) => place.querySelector(`[data-${name}]`);

function say(text) {
  part('said').textContent = text;
}

/** Does something that needs the server, and says how it went. */
async function tryTo(work, done) {
  say('Working…');
  try {
    await work();
    say(done);
  } catch (error) {
    say(problemOf(error));
  }
  await showDevice();
}

async function showDevice() {
  const account = deviceAccount();
  const kept = await findKept(account);
  const catalog = await loadCatalog(account);
  const data = kept?.data ?? null;
  if (data) showAs(data);
  part('keep').hidden = kept !== null || !isAble;
  part('kept').hidden = kept === null;
  part('at').textContent = data ? momentText(data.at) : 'Not yet';
  part('holdings').textContent = data ? String(data.holdings.length) : '—';
  part('lists').textContent = data ? String(data.watchLists.length) : '—';
  const noCatalog = data?.hasCatalog === false ? 'Needs the Reseller plan' : 'Not yet';
  part('catalog').textContent = catalog
    ? `${catalog.columns.number.length.toLocaleString(shownAs.locale)} sets and minifigs`
    : noCatalog;
  part('send').hidden = (await showEntries(part('entries'))) === 0;
}

const isAble = isSecureContext && 'serviceWorker' in navigator && 'indexedDB' in window;

if (place) {
  part('unable').hidden = isAble;
  part('send').addEventListener('click', () => tryTo(sendNow, 'Sent.'));
  document.addEventListener('entries', showDevice);
  if (isAble) {
    part('keep').addEventListener('click', () =>
      tryTo(keepDevice, 'This device now works without a signal.'),
    );
    part('refresh').addEventListener('click', () => tryTo(refreshDevice, 'Up to date.'));
    part('remove').addEventListener('click', async () => {
      if (!(await askUnsent('Remove and delete'))) return;
      await forgetAccount(deviceAccount());
      say('Everything was removed from this device.');
      await showDevice();
    });
  }
}

async function sendNow() {
  const { problem } = await sendEntries();
  if (problem) throw new Error(problem);
}

addEventListener('online', start);
start().then(() => place && showDevice());
