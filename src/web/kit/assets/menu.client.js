// A menu closes with Escape, with a click elsewhere, and when another one opens.
const closeMenus = (except) => {
  for (const menu of document.querySelectorAll('details.menu[open]')) {
    if (menu !== except) menu.open = false;
  }
};

addEventListener('click', (event) => closeMenus(event.target.closest('details.menu')));
addEventListener('keydown', (event) => {
  if (event.key !== 'Escape') return;
  const open = document.querySelector('details.menu[open]');
  if (!open) return;
  open.open = false;
  open.querySelector('summary').focus();
});

// Toasts disappear, unless they have the pointer or the focus.
const shownMs = 12_000;
for (const toast of document.querySelectorAll('[data-toast]')) {
  const hide = () => {
    if (toast.matches(':hover, :focus-within')) setTimeout(hide, 1000);
    else toast.hidden = true;
  };
  setTimeout(hide, shownMs);
}
// Without this, a reload would show the toast again.
if (document.querySelector('[data-toast]')) {
  const address = new URL(location.href);
  for (const name of ['did', 'n', 'undo']) address.searchParams.delete(name);
  history.replaceState(history.state, '', address);
}

// Scrolls the current tab into view.
for (const tab of document.querySelectorAll('.tabs [aria-current]')) {
  const tabs = tab.parentElement;
  tabs.scrollLeft = tab.offsetLeft - (tabs.clientWidth - tab.offsetWidth) / 2;
}
