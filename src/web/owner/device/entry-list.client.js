// Shows entries, amounts and times, on the page of the device and without a network.

/** An element with attributes and contents. */
function make(tag, attributes = {}, ...contents) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.append(...contents);
  return made;
}

function makeButton(text, look, work) {
  const button = make('button', { type: 'button', class: look }, text);
  button.addEventListener('click', async () => {
    button.disabled = true;
    try {
      await work(button);
    } finally {
      button.disabled = false;
    }
  });
  return button;
}

/** By the settings of the account; US dollars if there are none. */
const shownAs = { locale: 'en-US', exchange: null };

function showAs({ locale, exchange }) {
  Object.assign(shownAs, { locale, exchange });
}

function moneyText(cents) {
  if (cents === null || cents === undefined) return '—';
  const { locale, exchange } = shownAs;
  const currency = exchange?.currency ?? 'USD';
  const amount = (cents / 100) * (exchange?.perUsd ?? 1);
  const text = new Intl.NumberFormat(locale, { style: 'currency', currency }).format(amount);
  return exchange ? `≈\u00a0${text}` : text;
}

/** Books are kept in US dollars. */
function paidText(cents) {
  return new Intl.NumberFormat(shownAs.locale, { style: 'currency', currency: 'USD' }).format(
    cents / 100,
  );
}

function momentText(at) {
  const how = { dateStyle: 'medium', timeStyle: 'short' };
  return new Intl.DateTimeFormat(shownAs.locale, how).format(at);
}

/** Today, such as 2026-11-15, in a time zone; in that of the device if it is empty. */
function dayIn(timeZone) {
  return new Intl.DateTimeFormat('sv-SE', { timeZone: timeZone || undefined }).format(new Date());
}

const conditionNames = { sealed: 'Sealed', used: 'Used' };

function entryText({ kind, fields }) {
  const { number, code, quantity, priceCents, condition } = fields;
  if (kind === 'watch') return `Watch ${number}`;
  if (kind === 'code') return `Barcode ${code}`;
  const price = priceCents === null ? 'at the list price' : `for ${paidText(priceCents)} each`;
  return `Bought ${quantity} × ${number}, ${conditionNames[condition]?.toLowerCase()}, ${price}`;
}

/** Lists the unsent entries in an element, each with its buttons. */
async function showEntries(list) {
  const unsent = await entries();
  list.replaceChildren(
    ...unsent.map((entry) => {
      const text = entryText(entry);
      const buttons = [makeButton('Discard', 'plain', () => discardEntry(entry.id))];
      if (isEditable(entry))
        buttons.unshift(makeButton('Edit', 'plain', () => editPurchase(entry)));
      for (const button of buttons) {
        button.setAttribute('aria-label', `${button.textContent}: ${text}`);
      }
      const about = make(
        'div',
        {},
        text,
        make('small', { class: 'quiet' }, momentText(entry.madeAt)),
      );
      if (entry.reason)
        about.append(make('p', { class: 'fault' }, `Not accepted: ${entry.reason}`));
      return make('li', {}, about, make('div', { class: 'row' }, ...buttons));
    }),
  );
  if (unsent.length === 0) list.append(make('li', { class: 'quiet' }, 'Everything is sent.'));
  return unsent.length;
}

/** Asks a question; resolves to whether the answer is yes. */
function ask(question, yes) {
  const title = make('h2', { id: 'asked' }, question);
  const buttons = [
    make('button', { value: 'yes', class: 'danger' }, yes),
    make('button', { class: 'plain', autofocus: '' }, 'Cancel'),
  ];
  const form = make('form', { method: 'dialog', class: 'stack' }, title);
  form.append(make('p', { class: 'row flush' }, ...buttons));
  const dialog = make('dialog', { class: 'dialog', 'aria-labelledby': 'asked' }, form);
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((done) => {
    dialog.addEventListener('close', () => {
      dialog.remove();
      done(dialog.returnValue === 'yes');
    });
  });
}

/** Asks before unsent entries are deleted; true if there are none. */
async function askUnsent(yes) {
  const count = (await entries()).length;
  if (count === 0) return true;
  const what = count === 1 ? 'One entry was' : `${count} entries were`;
  return ask(`${what} not sent yet, and will be deleted. Continue?`, yes);
}
