// The dialog of a purchase: adds an entry, or changes one that was refused.

/** Null on pages without it. */
const purchaseDialog = document.querySelector('[data-buy]');
let bought = null;

function openPurchase({ type, number, name }, { count = 1, save } = {}) {
  const condition = type === 'set' ? 'sealed' : 'used';
  bought = { type, number, save: save ?? ((fields) => addEntry('purchase', fields)) };
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

/** Only refused ones: others may have been applied, and their answers lost. */
function isEditable({ kind, reason, hasFailed }) {
  return purchaseDialog !== null && kind === 'purchase' && Boolean(reason) && !hasFailed;
}

function editPurchase({ id, fields }) {
  const { type, number, quantity, priceCents, condition, date } = fields;
  const save = async (changed) => {
    await changeEntry(id, changed);
    sendEntries();
  };
  bought = { type, number, save };
  const price = priceCents === null ? '' : (priceCents / 100).toFixed(2);
  fillPurchase({
    title: 'Edit purchase',
    button: 'Save and send',
    name: number,
    values: { quantity: String(quantity), price, condition, date },
  });
}

function fillPurchase({ title, button, name, values }) {
  purchaseDialog.querySelector('h2').textContent = title;
  purchaseDialog.querySelector('[value="add"]').textContent = button;
  purchaseDialog.querySelector('[data-name]').textContent = name;
  purchaseDialog.querySelector('[data-problem]').textContent = '';
  // Only sets have a list price.
  const needsPrice = bought.type !== 'set';
  purchaseDialog.querySelector('[name="price"]').required = needsPrice;
  purchaseDialog.querySelector('[data-estimated]').hidden = needsPrice;
  for (const [field, value] of Object.entries(values)) {
    const input = purchaseDialog.querySelector(`[name="${field}"]`);
    input.value = value;
    input.setCustomValidity('');
  }
  purchaseDialog.showModal();
}

/** Amounts can be typed with a decimal comma; null if empty, NaN if it is none. */
function centsOf(text) {
  const plain = text.trim().replace(',', '.');
  if (plain === '') return null;
  return /^\d{1,7}(\.\d{1,2})?$/.test(plain) ? Math.round(Number(plain) * 100) : Number.NaN;
}

purchaseDialog?.querySelector('form').addEventListener('submit', async (event) => {
  // A page may have two scripts with this dialog: the one that opened it reads it.
  if (bought === null || event.submitter.value !== 'add') return;
  const { quantity, price, condition, date } = event.target.elements;
  event.preventDefault();
  price.setCustomValidity(Number.isNaN(centsOf(price.value)) ? 'Enter an amount, like 49.99.' : '');
  quantity.setCustomValidity(
    /^[1-9]\d{0,3}$/.test(quantity.value) ? '' : 'Enter a number from 1 to 9999.',
  );
  if (!event.target.reportValidity()) return;
  const { type, number, save } = bought;
  const problem = purchaseDialog.querySelector('[data-problem]');
  event.submitter.disabled = true;
  try {
    await save({
      type,
      number,
      quantity: Number(quantity.value),
      priceCents: centsOf(price.value),
      condition: condition.value,
      date: date.value,
    });
    purchaseDialog.close();
  } catch (error) {
    problem.textContent = problemOf(error);
  } finally {
    event.submitter.disabled = false;
  }
});

purchaseDialog?.addEventListener('close', () => {
  bought = null;
});

for (const field of purchaseDialog?.querySelectorAll('input') ?? []) {
  field.addEventListener('input', () => field.setCustomValidity(''));
}
