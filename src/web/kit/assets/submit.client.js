// Prevents a second click from sending a form again, and says that its file is being read.
const patienceMs = (form) => (form.querySelector('.waiting') ? 75_000 : 10_000);
for (const form of document.querySelectorAll('form[method="post"]')) {
  form.addEventListener('submit', (event) => {
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = 'yes';
    setTimeout(() => delete form.dataset.sent, patienceMs(form));
  });
}
// Signing out also forgets the lists of this tab.
for (const form of document.querySelectorAll('form[action="/sign-out"]')) {
  form.addEventListener('formdata', () => sessionStorage.clear());
}
// Empty fields are left out of addresses.
for (const form of document.querySelectorAll('form:not([method="post"])')) {
  form.addEventListener('formdata', ({ formData }) => {
    for (const [name, value] of [...formData]) if (value === '') formData.delete(name);
  });
}
// After going back to the page, the form can be sent again.
addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll('form[data-sent]')) delete form.dataset.sent;
});
// Typing into the field of an option chooses the option.
for (const option of document.querySelectorAll('.option:has(input[type="radio"])')) {
  const [radio, field] = option.querySelectorAll('input');
  field?.addEventListener('input', () => {
    radio.checked = true;
  });
}
