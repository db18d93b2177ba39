// Buttons that show a password while it is typed.
for (const button of document.querySelectorAll('[data-shows]')) {
  const field = document.getElementById(button.dataset.shows);
  if (!field) continue;
  const show = (isShown) => {
    field.type = isShown ? 'text' : 'password';
    button.firstChild.data = isShown ? 'Hide' : 'Show';
  };
  show(false);
  button.hidden = false;
  button.addEventListener('click', () => show(field.type === 'password'));
  // Browsers would remember the text of an ordinary field.
  field.form?.addEventListener('submit', () => show(false));
}
