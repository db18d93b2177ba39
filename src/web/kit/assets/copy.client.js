// Buttons that copy the text of another element.
for (const button of document.querySelectorAll('[data-copy]')) {
  const source = document.getElementById(button.dataset.copy);
  if (!source || !navigator.clipboard) continue;
  button.hidden = false;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(source.textContent ?? '');
    const before = button.textContent;
    button.textContent = 'Copied';
    setTimeout(() => {
      button.textContent = before;
    }, 1500);
  });
}
