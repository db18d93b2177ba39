// Forms that create a passkey or sign in with one. Without passkeys, they stay hidden.
for (const place of document.querySelectorAll('[data-passkey]')) {
  const form = place.querySelector('form');
  if (!form || !window.PublicKeyCredential?.parseRequestOptionsFromJSON) continue;
  place.hidden = false;
  const message = document.createElement('p');
  message.className = 'fault';
  message.setAttribute('role', 'alert');
  const say = (text) => {
    message.textContent = text;
    form.append(message);
    delete form.dataset.sent;
  };
  const ask = async (options) => {
    if (place.dataset.passkey === 'create') {
      const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
      return navigator.credentials.create({ publicKey });
    }
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
    return navigator.credentials.get({ publicKey });
  };
  form.addEventListener('submit', async (event) => {
    if (event.defaultPrevented) return;
    event.preventDefault();
    message.remove();
    try {
      const body = new URLSearchParams(new FormData(form));
      const response = await fetch(`${form.action}/options`, { method: 'POST', body });
      const answer = await response.json();
      if (!response.ok) return say(answer.error);
      const credential = await ask(answer);
      form.elements.credential.value = JSON.stringify(credential);
      form.submit();
    } catch {
      say('No passkey was used. Try again, or reload the page.');
    }
  });
}
