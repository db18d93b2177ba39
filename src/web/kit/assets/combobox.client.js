// Suggestions below a field: arrows choose, Enter takes one, Escape closes. Boxes with data-go lead
// to what is chosen, others take its number. `/` and Ctrl-K lead to the search in the bar.
const pauseMs = 150;

function makeCombobox(box, index) {
  const input = box.querySelector('input:not([type="hidden"])');
  const listId = `suggestions-${index}`;
  const list = Object.assign(document.createElement('ul'), { id: listId, hidden: true });
  list.className = 'combobox-list';
  list.setAttribute('role', 'listbox');
  list.setAttribute('aria-label', 'Suggestions');
  const news = document.createElement('div');
  news.className = 'visually-hidden';
  news.setAttribute('aria-live', 'polite');
  box.append(list, news);
  input.setAttribute('role', 'combobox');
  input.setAttribute('aria-autocomplete', 'list');
  input.setAttribute('aria-controls', listId);
  input.setAttribute('aria-expanded', 'false');

  let results = [];
  let chosen = -1;
  let timer = 0;
  let asking = null;

  function close() {
    clearTimeout(timer);
    asking?.abort();
    list.hidden = true;
    chosen = -1;
    input.setAttribute('aria-expanded', 'false');
    input.removeAttribute('aria-activedescendant');
  }

  function choose(next) {
    chosen = next;
    for (const [at, option] of [...list.children].entries()) {
      option.setAttribute('aria-selected', String(at === chosen));
      if (at === chosen) option.scrollIntoView({ block: 'nearest' });
    }
    if (chosen < 0) input.removeAttribute('aria-activedescendant');
    else input.setAttribute('aria-activedescendant', `${listId}-${chosen}`);
  }

  function take(result) {
    if ('go' in box.dataset) return location.assign(result.href);
    input.value = result.number;
    close();
    input.dispatchEvent(new Event('change', { bubbles: true }));
  }

  // In the search, a complete number is chosen without a click.
  function exact() {
    const term = input.value.trim();
    return 'go' in box.dataset ? results.find(({ number }) => number === term) : undefined;
  }

  function optionOf(result, at) {
    const option = Object.assign(document.createElement('li'), { id: `${listId}-${at}` });
    option.setAttribute('role', 'option');
    option.setAttribute('aria-selected', 'false');
    const name = Object.assign(document.createElement('span'), { textContent: result.name });
    const about = Object.assign(document.createElement('span'), {
      className: 'quiet',
      textContent: result.about,
    });
    if (result.picture) {
      option.append(Object.assign(document.createElement('img'), { src: result.picture, alt: '' }));
    }
    option.append(name, about);
    // Before the field loses the focus, which closes the list.
    option.addEventListener('pointerdown', (event) => event.preventDefault());
    option.addEventListener('click', () => take(result));
    return option;
  }

  function show(found) {
    results = found;
    list.replaceChildren(...results.map(optionOf));
    chosen = -1;
    input.removeAttribute('aria-activedescendant');
    list.hidden = results.length === 0;
    input.setAttribute('aria-expanded', String(results.length > 0));
    const count = results.length === 1 ? '1 suggestion' : `${results.length} suggestions`;
    news.textContent = results.length === 0 ? 'No suggestions' : `${count}, use the arrow keys`;
  }

  async function ask() {
    const term = input.value.trim();
    asking?.abort();
    if (term.length < 2) return close();
    asking = new AbortController();
    try {
      const url = new URL(box.dataset.combobox, location.href);
      url.searchParams.set('q', term);
      const answer = await fetch(url, { signal: asking.signal });
      if (answer.ok) show((await answer.json()).results);
    } catch {
      // Aborted by newer input, or offline: the form works without suggestions.
    }
  }

  input.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(ask, pauseMs);
  });
  input.addEventListener('blur', close);
  input.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (list.hidden) return void ask();
      const step = event.key === 'ArrowDown' ? 1 : -1;
      const places = results.length + 1;
      choose(((chosen + 1 + step + places) % places) - 1);
    } else if (event.key === 'Enter' && !list.hidden && (results[chosen] ?? exact())) {
      event.preventDefault();
      take(results[chosen] ?? exact());
    } else if (event.key === 'Escape' && !list.hidden) {
      event.preventDefault();
      close();
    }
  });
}

for (const [index, box] of document.querySelectorAll('[data-combobox]').entries()) {
  makeCombobox(box, index);
}

const isTyping = (target) => target.matches('input, select, textarea, [contenteditable]');

addEventListener('keydown', (event) => {
  const isSlash = event.key === '/' && !isTyping(event.target);
  const isCtrlK = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey);
  const search = document.querySelector('search input');
  if (!search || !(isSlash || isCtrlK) || event.altKey) return;
  event.preventDefault();
  search.focus();
  search.select();
});
