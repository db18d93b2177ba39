// A field that suggests sets while it is typed into: a combobox with a list below it.
const delayMs = 150;

for (const box of document.querySelectorAll('[data-suggest-sets]')) {
  const input = box.querySelector('input');
  if (input) suggestFor(input, box.dataset.suggestSets);
}

function suggestFor(input, url) {
  const list = document.createElement('ul');
  list.id = `${input.id}-list`;
  list.className = 'suggestions';
  list.setAttribute('role', 'listbox');
  list.setAttribute('aria-label', 'Sets that fit');
  list.hidden = true;
  input.after(list);
  input.setAttribute('role', 'combobox');
  input.setAttribute('aria-autocomplete', 'list');
  input.setAttribute('aria-controls', list.id);
  input.setAttribute('aria-expanded', 'false');
  let active = -1;
  let timer;
  let latest = 0;

  const close = () => {
    latest++;
    list.hidden = true;
    active = -1;
    input.setAttribute('aria-expanded', 'false');
    input.removeAttribute('aria-activedescendant');
  };
  const choose = (option) => {
    input.value = option.dataset.number;
    clearTimeout(timer);
    close();
  };
  const mark = (index) => {
    active = index;
    for (const [at, option] of [...list.children].entries()) {
      option.setAttribute('aria-selected', String(at === index));
      if (at !== index) continue;
      input.setAttribute('aria-activedescendant', option.id);
      option.scrollIntoView({ block: 'nearest' });
    }
  };
  const show = (sets) => {
    list.replaceChildren(...sets.map((set, at) => optionOf(set, `${list.id}-${at}`)));
    active = -1;
    list.hidden = sets.length === 0;
    input.setAttribute('aria-expanded', String(sets.length > 0));
  };
  const ask = async () => {
    const asked = ++latest;
    const term = input.value.trim();
    if (term.length < 2) return close();
    try {
      const answer = await fetch(`${url}?q=${encodeURIComponent(term)}`);
      const sets = answer.ok ? await answer.json() : [];
      // A slow answer must not take the place of a later one.
      if (asked === latest) show(sets);
    } catch {
      close();
    }
  };

  input.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(ask, delayMs);
  });
  input.addEventListener('keydown', (event) => {
    const count = list.children.length;
    if (event.key === 'Escape') close();
    else if (list.hidden) return;
    else if (event.key === 'ArrowDown') mark((active + 1) % count);
    else if (event.key === 'ArrowUp') mark((active + count - (active < 0 ? 0 : 1)) % count);
    else if (event.key === 'Enter' && active >= 0) choose(list.children[active]);
    else return;
    event.preventDefault();
  });
  // The field keeps the focus: a press on the list must not take it away before the click.
  list.addEventListener('mousedown', (event) => event.preventDefault());
  list.addEventListener('click', (event) => {
    const option = event.target.closest('[role="option"]');
    if (option) choose(option);
  });
  input.addEventListener('blur', close);
}

function optionOf(set, id) {
  const option = document.createElement('li');
  option.id = id;
  option.dataset.number = set.number;
  option.setAttribute('role', 'option');
  option.setAttribute('aria-selected', 'false');
  const about = [set.theme, set.year].filter(Boolean).join(', ');
  option.textContent = `${set.number} ${set.title}${about ? ` (${about})` : ''}`;
  return option;
}
