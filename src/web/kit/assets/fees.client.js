// Shows the preset fees of a sale in the fields that are left out, as platform and price change.
const delayMs = 200;

for (const box of document.querySelectorAll('[data-fees]')) {
  const field = (name) => box.querySelector(`[name="${name}"]`);
  const asked = ['platform', 'gross', 'sale_date'].map(field);
  let timer;
  let latest = 0;
  const ask = async () => {
    const number = ++latest;
    const query = new URLSearchParams(asked.map((input) => [input.name, input.value]));
    try {
      const answer = await fetch(`${box.dataset.fees}?${query}`);
      const fees = answer.ok ? await answer.json() : {};
      // A slow answer must not take the place of a later one.
      if (number !== latest) return;
      for (const name of ['platform_fees', 'payment_fees']) {
        field(name).placeholder = fees[name] ?? '';
      }
    } catch {
      // Without an answer the fields stay as they are; the server fills them in all the same.
    }
  };
  for (const input of asked) {
    input.addEventListener('input', () => {
      clearTimeout(timer);
      timer = setTimeout(ask, delayMs);
    });
  }
  ask();
}
