// A form that was sent is not sent again by a second click, which would hide the first answer.
const patienceMs = 10_000;
for (const form of document.querySelectorAll('form[method="post"]')) {
  form.addEventListener('submit', (event) => {
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = 'yes';
    setTimeout(() => delete form.dataset.sent, patienceMs);
  });
}
// Fields that were left empty are no part of an address.
for (const form of document.querySelectorAll('form:not([method="post"])')) {
  form.addEventListener('formdata', ({ formData }) => {
    for (const [name, value] of [...formData]) if (value === '') formData.delete(name);
  });
}
// Coming back to the page, it can be sent again.
addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll('form[data-sent]')) delete form.dataset.sent;
});
// Whoever types beside a choice has chosen it.
for (const option of document.querySelectorAll('.option:has(input[type="radio"])')) {
  const [radio, field] = option.querySelectorAll('input');
  field?.addEventListener('input', () => {
    radio.checked = true;
  });
}
