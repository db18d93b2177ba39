// The page without a network: searches the kept catalog, and records purchases as entries.

const foundMax = 20;
const listedMax = 500;

const part = (name) => document.querySelector(`[data-${name}]`);
const sections = [...document.querySelectorAll('main > section')];

/** The first tab is that of the page that was asked for, if it has one. */
const firstTab = location.pathname === '/scan' ? 'scan' : 'search';

function showTab() {
  const requested = location.hash.slice(1) || firstTab;
  const chosen = sections.find(({ id }) => id === requested) ?? sections[1];
  const { script } = chosen.dataset;
  if (script) {
    delete chosen.dataset.script;
    document.head.append(make('script', { src: script }));
  }
  // The camera is on only while it is seen.
  if (chosen.id !== 'scan') document.querySelector('[data-stop]:not([hidden])')?.click();
  for (const section of sections) section.hidden = section !== chosen;
  for (const link of part('tabs').children) {
    if (link.hash === `#${chosen.id}`) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
}

/** Without case and accents. */
function fold(text) {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

/** Rows by barcode or exact number, then those whose number or name has all words. */
function findRows(catalog, typed) {
  const code = codeKey(typed);
  const exact = [
    catalog.byCode.get(code),
    ...itemTypes.map((type) => catalog.byNumber.get(numberKey(type, typed))),
  ];
  const words = fold(typed).split(/\s+/).filter(Boolean);
  const rows = new Set(exact.filter((row) => row !== undefined));
  if (words.length === 0) return [];
  catalog.folded ??= catalog.columns.name.map((name, row) =>
    fold(`${catalog.columns.number[row]} ${name}`),
  );
  for (let row = 0; row < catalog.folded.length && rows.size < foundMax; row++) {
    if (words.every((word) => catalog.folded[row].includes(word))) rows.add(row);
  }
  return [...rows];
}

function itemElement(item) {
  const { type, number, name, theme, year } = item;
  const about = [number, theme, year].filter(Boolean).join(' · ');
  const facts = [
    ['Sealed', item.sealedCents, item.maxBuySealedCents],
    ['Used', item.usedCents, item.maxBuyUsedCents],
  ].map(([condition, value, pay]) =>
    make('div', {}, `${condition}: ${moneyText(value)}, max buy ${moneyText(pay)}`),
  );
  const title = make('div', {}, make('strong', {}, name), make('small', { class: 'quiet' }, about));
  title.append(...facts);
  const problem = make('p', { class: 'fault flush', role: 'alert' });
  const watchItem = async (button) => {
    try {
      await addEntry('watch', { number, type });
      button.replaceWith('Will be watched');
    } catch (error) {
      problem.textContent = problemOf(error);
    }
  };
  const buttons = make(
    'div',
    { class: 'row' },
    makeButton('Add a purchase', 'plain', () => openPurchase({ type, number, name })),
    makeButton('Watch', 'plain', watchItem),
  );
  title.append(problem);
  return make('li', {}, title, buttons);
}

async function search() {
  const catalog = await loadCatalog(deviceAccount());
  const typed = document.querySelector('[name="q"]').value;
  if (catalog === null) {
    const none = 'The catalog is kept only with the Reseller plan.';
    return part('found').replaceChildren(make('li', { class: 'quiet' }, none));
  }
  const rows = findRows(catalog, typed);
  part('found').replaceChildren(...rows.map((row) => itemElement(itemOfRow(catalog, row))));
  if (rows.length === 0 && typed.trim() !== '') {
    part('found').append(make('li', { class: 'quiet' }, 'Nothing matches.'));
  }
}

function listElement({ number, name }, facts) {
  const about = [number, ...facts].filter(Boolean).join(' · ');
  return make(
    'li',
    {},
    make('div', {}, make('strong', {}, name), make('small', { class: 'quiet' }, about)),
  );
}

function showLists({ holdings, watchLists }) {
  const more = holdings.length - listedMax;
  part('holdings').replaceChildren(
    ...holdings.slice(0, listedMax).map((lot) => {
      const { units, condition, valueCents, collection, place } = lot;
      const value = `${units} × ${moneyText(valueCents)}`;
      return listElement(lot, [conditionNames[condition], value, collection, place]);
    }),
  );
  if (more > 0) part('holdings').append(make('li', { class: 'quiet' }, `And ${more} more lots.`));
  part('watched').replaceChildren(
    ...watchLists.flatMap(({ name, items }) =>
      items.map((item) => {
        const target = item.targetCents === null ? '' : `target ${paidText(item.targetCents)}`;
        return listElement(item, [target, watchLists.length > 1 ? name : '', item.note]);
      }),
    ),
  );
}

async function showUnsent() {
  const count = await showEntries(part('entries'));
  const tab = part('tabs').querySelector('[href="#unsent"]');
  tab.textContent = count === 0 ? 'Unsent' : `Unsent (${count})`;
}

async function start() {
  await forgetSignedOut();
  const account = deviceAccount();
  const kept = account === null ? null : await findKept(account);
  if (!kept?.data) {
    part('state').textContent = 'This device keeps nothing for use without a signal.';
    part('tabs').hidden = true;
    return;
  }
  showAs(kept.data);
  if (kept.theme) document.documentElement.dataset.theme = kept.theme;
  // At its own address, the page is shown on purpose.
  const why = location.pathname === '/offline' ? '' : 'There is little or no signal. ';
  part('state').textContent = `${why}Everything is as of ${momentText(kept.data.at)}.`;
  showLists(kept.data);
  showTab();
  await showUnsent();
  await search();
}

addEventListener('hashchange', showTab);
document.addEventListener('entries', showUnsent);
document.querySelector('[name="q"]').addEventListener('input', search);
// With a signal again, what was unsent is sent at once.
addEventListener('online', sendEntries);
start();
