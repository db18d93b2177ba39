// Selects rows: all of a page with the checkbox in the heading, a range with Shift.
for (const all of document.querySelectorAll('[data-select-all]')) {
  const boxes = [...document.querySelectorAll(`tbody [name="${all.dataset.selectAll}"]`)];
  const count = document.querySelector(`[data-count="${all.dataset.selectAll}"]`);
  let last = null;

  const tell = () => {
    const chosen = boxes.filter((box) => box.checked).length;
    all.checked = chosen > 0 && chosen === boxes.length;
    all.indeterminate = chosen > 0 && chosen < boxes.length;
    if (count) count.textContent = `${chosen} selected`;
  };

  all.hidden = false;
  all.addEventListener('change', () => {
    for (const box of boxes) box.checked = all.checked;
    tell();
  });
  for (const [index, box] of boxes.entries()) {
    box.addEventListener('click', (event) => {
      if (event.shiftKey && last !== null) {
        const [from, to] = [Math.min(last, index), Math.max(last, index)];
        for (const between of boxes.slice(from, to + 1)) between.checked = box.checked;
      }
      last = index;
      tell();
    });
  }
  // Going back restores the selection.
  addEventListener('pageshow', tell);
  tell();
}
