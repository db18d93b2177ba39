// Suggestions below a search field: arrows choose, Enter goes there, Escape closes.
const pauseMs = 150;

function suggestItems(input, index) {
  const listId = `suggestions-${index}`;
  const list = Object.assign(document.createElement('ul'), { id: listId, hidden: true });
  list.className = 'find-list';
  list.setAttribute('role', 'listbox');
  list.setAttribute('aria-label', 'Suggestions');
  const news = document.createElement('div');
  news.className = 'visually-hidden';
  news.setAttribute('aria-live', 'polite');
  input.after(list, news);
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

  function optionOf(result, at) {
    const option = Object.assign(document.createElement('li'), { id: `${listId}-${at}` });
    option.setAttribute('role', 'option');
    option.setAttribute('aria-selected', 'false');
    const name = Object.assign(document.createElement('span'), { textContent: result.name });
    const about = Object.assign(document.createElement('span'), {
      className: 'quiet',
      textContent: [result.number, result.kind === 'minifig' ? 'minifig' : '', result.about]
        .filter(Boolean)
        .join(' · '),
    });
    option.append(name, about);
    // Before the field loses the focus, which closes the list.
    option.addEventListener('pointerdown', (event) => event.preventDefault());
    option.addEventListener('click', () => location.assign(result.href));
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
      const url = `${input.dataset.suggest}?q=${encodeURIComponent(term)}`;
      const answer = await fetch(url, { signal: asking.signal });
      if (answer.ok) show((await answer.json()).results);
    } catch {
      // Overtaken by the next letter, or offline: the form works without suggestions.
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
    } else if (event.key === 'Enter' && !list.hidden && results[chosen]) {
      event.preventDefault();
      location.assign(results[chosen].href);
    } else if (event.key === 'Escape' && !list.hidden) {
      event.preventDefault();
      close();
    }
  });
}

for (const [index, input] of document.querySelectorAll('[data-suggest]').entries()) {
  suggestItems(input, index);
}

// Where the line of links does not fit, the one of this page is brought into view.
const here = document.querySelector('.top nav [aria-current]');
here?.parentElement.scrollTo({ left: here.offsetLeft - here.parentElement.clientWidth / 2 });
