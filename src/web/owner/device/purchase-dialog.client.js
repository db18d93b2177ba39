// The dialog of a purchase: adds an entry, or changes one that was refused. It stays open until the
// entry is accepted, or kept to be sent later.

/** Null on pages without it. */
const purchaseDialog = document.querySelector('[data-buy]');
/** How long to wait for the server. Without an answer, the entry is sent later. */
const answerMsMax = 5_000;
let bought = null;

/** `send` resolves to the entry if it is still here. Without it, the entry is sent later. */
function openPurchase({ type, number, name }, { count = 1, send = () => null } = {}) {
  const condition = type === 'set' ? 'sealed' : 'used';
  bought = { type, number, send, entry: null, isNew: true };
  fillPurchase({
    title: 'Add a purchase',
    button: 'Add purchase',
    name: `${name} (${number})`,
    values: {
      quantity: String(count),
      price: '',
      condition,
      date: dayIn(purchaseDialog.dataset.buy),
    },
  });
}

function isEditable(entry) {
  return purchaseDialog !== null && entry.kind === 'purchase' && isRefused(entry);
}

function editPurchase(entry) {
  const { type, number, quantity, priceCents, condition, date } = entry.fields;
  bought = { type, number, send: ({ id }) => sendEntry(id), entry, isNew: false };
  const price = priceCents === null ? '' : (priceCents / 100).toFixed(2);
  fillPurchase({
    title: 'Edit purchase',
    button: 'Save and send',
    name: number,
    values: { quantity: String(quantity), price, condition, date },
  });
  showRefusal(entry);
}

function fillPurchase({ title, button, name, values }) {
  purchaseDialog.querySelector('h2').textContent = title;
  purchaseDialog.querySelector('[value="add"]').textContent = button;
  purchaseDialog.querySelector('[data-name]').textContent = name;
  // Only sets have a list price.
  const needsPrice = bought.type !== 'set';
  purchaseDialog.querySelector('[name="price"]').required = needsPrice;
  purchaseDialog.querySelector('[data-estimated]').hidden = needsPrice;
  for (const [field, value] of Object.entries(values)) {
    purchaseDialog.querySelector(`[name="${field}"]`).value = value;
  }
  showRefusal({});
  purchaseDialog.showModal();
}

/** Shows errors at their fields, and the reason below if it is about none of them. */
function showRefusal({ reason = '', faults = {} }) {
  const fields = [...purchaseDialog.querySelectorAll('input, select')];
  for (const field of fields) showFault(field, faults[field.name] ?? '');
  const faulty = fields.filter(({ name }) => faults[name]);
  purchaseDialog.querySelector('[data-problem]').textContent = faulty.length > 0 ? '' : reason;
  faulty[0]?.focus();
}

function showFault(field, fault) {
  const id = `${field.id}-fault`;
  document.getElementById(id)?.remove();
  field.removeAttribute('aria-invalid');
  field.removeAttribute('aria-describedby');
  if (fault === '') return;
  field.setAttribute('aria-invalid', 'true');
  field.setAttribute('aria-describedby', id);
  field.after(make('span', { class: 'fault', id, role: 'alert' }, fault));
}

/** Amounts can be typed with a decimal comma; null if empty, NaN if it is none. */
function centsOf(text) {
  const plain = text.trim().replace(',', '.');
  if (plain === '') return null;
  return /^\d{1,7}(\.\d{1,2})?$/.test(plain) ? Math.round(Number(plain) * 100) : Number.NaN;
}

/** Problems of the entered fields, by name. */
function faultsOf({ price, quantity }) {
  return {
    ...(/^[1-9]\d{0,3}$/.test(quantity) ? {} : { quantity: 'Enter a number from 1 to 9999.' }),
    ...(Number.isNaN(centsOf(price)) ? { price: 'Enter an amount, like 49.99.' } : {}),
  };
}

/** Keeps the purchase and sends it. Resolves to the entry if it was refused, else to null. */
async function savePurchase(purchase, fields) {
  if (purchase.entry) await changeEntry(purchase.entry.id, fields);
  purchase.entry ??= await addEntry('purchase', fields);
  const late = new Promise((done) => setTimeout(done, answerMsMax, null));
  const left = await Promise.race([purchase.send(purchase.entry), late]);
  return left && isRefused(left) ? left : null;
}

/** Saves what was typed, and closes the dialog unless it is refused. */
async function submitPurchase(purchase, typed) {
  const { price, quantity, condition, date } = typed;
  const faults = faultsOf(typed);
  showRefusal({ faults });
  if (Object.keys(faults).length > 0) return;
  const { type, number } = purchase;
  const fields = { type, number, quantity: Number(quantity), condition, date };
  try {
    const refused = await savePurchase(purchase, { ...fields, priceCents: centsOf(price) });
    // It may be closed, and open for another.
    if (bought !== purchase) return;
    if (refused) return showRefusal(refused);
    bought = null;
    purchaseDialog.close();
  } catch (error) {
    showRefusal({ reason: problemOf(error) });
  }
}

/** Closes the dialog once a refused purchase is discarded: the page may be left right after. */
async function cancelPurchase() {
  const { isNew, entry, isSending } = bought;
  bought = null;
  try {
    // One that is being sent goes on, and its row says how that went.
    if (isNew && entry && !isSending) await discardEntry(entry.id);
  } finally {
    purchaseDialog.close();
  }
}

purchaseDialog?.querySelector('form').addEventListener('submit', async (event) => {
  // A page may have two scripts with this dialog: the one that opened it reads it.
  if (bought === null) return;
  event.preventDefault();
  if (event.submitter.value !== 'add') return cancelPurchase();
  const purchase = bought;
  const buttons = event.target.querySelectorAll('button');
  for (const button of buttons) button.disabled = true;
  purchase.isSending = true;
  const fields = [...event.target.querySelectorAll('input, select')];
  await submitPurchase(purchase, Object.fromEntries(fields.map((each) => [each.name, each.value])));
  purchase.isSending = false;
  for (const button of buttons) button.disabled = false;
});

/** The Escape key. */
purchaseDialog?.addEventListener('cancel', (event) => {
  if (bought === null) return;
  event.preventDefault();
  cancelPurchase();
});

for (const field of purchaseDialog?.querySelectorAll('input') ?? []) {
  field.addEventListener('input', () => showFault(field, ''));
}
