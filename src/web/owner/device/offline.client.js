// The page without a network: searches the kept catalog, and records purchases as entries.

const foundMax = 20;
const listedMax = 500;

const part = (name) => document.querySelector(`[data-${name}]`);
const sections = [...document.querySelectorAll('main > section')];

/** The first tab is that of the page that was asked for, if it has one. */
const firstTab = location.pathname === '/scan' ? 'scan' : 'search';

function showTab() {
  const asked = location.hash.slice(1) || firstTab;
  const chosen = sections.find(({ id }) => id === asked) ?? sections[1];
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
    problem.textContent = await tryEntry('watch', { number, type });
    if (problem.textContent === '') button.replaceWith('Will be watched');
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

/** Keeps an entry; resolves to why it cannot be kept, or an empty text. */
async function tryEntry(kind, fields) {
  try {
    await addEntry(kind, fields);
    return '';
  } catch (error) {
    return problemOf(error);
  }
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

const dialog = part('buy');
let bought = null;

function openPurchase(item) {
  bought = item;
  const form = dialog.querySelector('form');
  form.reset();
  part('problem').textContent = '';
  form.elements.bought_date.value = dayIn('');
  form.elements.bought_condition.value = item.type === 'set' ? 'sealed' : 'used';
  dialog.querySelector('[data-name]').textContent = `${item.name} (${item.number})`;
  dialog.showModal();
}

/** Amounts can be typed with a decimal comma; NaN if it is none. */
function centsOf(text) {
  const plain = text.trim().replace(',', '.');
  return /^\d{1,7}(\.\d{1,2})?$/.test(plain) ? Math.round(Number(plain) * 100) : Number.NaN;
}

dialog.querySelector('form').addEventListener('submit', async (event) => {
  const [quantity, price, condition, date] = ['quantity', 'price', 'condition', 'date'].map(
    (name) => event.target.elements[`bought_${name}`],
  );
  if (event.submitter.value !== 'add') return;
  event.preventDefault();
  price.setCustomValidity(Number.isNaN(centsOf(price.value)) ? 'Enter an amount, like 49.99.' : '');
  quantity.setCustomValidity(
    /^[1-9]\d{0,3}$/.test(quantity.value) ? '' : 'Enter a number from 1 to 9999.',
  );
  if (!event.target.reportValidity()) return;
  const { type, number } = bought;
  event.submitter.disabled = true;
  const problem = await tryEntry('purchase', {
    type,
    number,
    quantity: Number(quantity.value),
    priceCents: centsOf(price.value),
    condition: condition.value,
    date: date.value,
  });
  event.submitter.disabled = false;
  part('problem').textContent = problem;
  if (problem === '') dialog.close();
});

for (const field of dialog.querySelectorAll('input')) {
  field.addEventListener('input', () => field.setCustomValidity(''));
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
