// Updates the preview of a sale while it is typed; the server computes it.
const pauseMs = 150;

for (const box of document.querySelectorAll('[data-sale]')) {
  const form = box.closest('form');
  for (const button of form.querySelectorAll('[data-needless]')) button.hidden = true;
  let timer = 0;
  let asking = null;

  function show({ live, presets, origins }) {
    for (const place of box.querySelectorAll('[data-live]')) {
      const { text = '—', sign = 0 } = live[place.dataset.live] ?? {};
      place.textContent = text;
      place.className = sign > 0 ? 'gain' : sign < 0 ? 'loss' : '';
    }
    for (const input of box.querySelectorAll('[name*="_fees"]')) {
      input.placeholder = presets[input.name] ?? 'Preset';
    }
    const from = form.elements.from;
    if (!from || !origins) return;
    const chosen = from.value;
    from.replaceChildren(...origins.map(([value, text]) => new Option(text, value)));
    if (origins.some(([value]) => value === chosen)) from.value = chosen;
  }

  async function ask() {
    asking?.abort();
    asking = new AbortController();
    const url = new URL(box.dataset.sale, location.href);
    for (const [name, value] of new FormData(form)) {
      if (name !== 'token' && name !== 'once') url.searchParams.set(name, value);
    }
    try {
      const answer = await fetch(url, { signal: asking.signal });
      if (answer.ok) show(await answer.json());
    } catch {
      // Aborted by newer input, or offline: the form works without a preview.
    }
  }

  const askSoon = () => {
    clearTimeout(timer);
    timer = setTimeout(ask, pauseMs);
  };
  form.addEventListener('input', askSoon);
  form.addEventListener('change', askSoon);
  ask();
}
