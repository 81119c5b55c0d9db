// Passkeys: asks the browser for one when a form is sent, and sends what it answers with the form.
'use strict';

const toBytes = (text) => Uint8Array.from(atob(text.replace(/-/g, '+').replace(/_/g, '/')), (c) => c.charCodeAt(0));

const toText = (buffer) => {
  const characters = Array.from(new Uint8Array(buffer), (byte) => String.fromCharCode(byte)).join('');
  return btoa(characters).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
};

const withBytes = (keys) => (keys || []).map((key) => ({ ...key, id: toBytes(key.id) }));

async function optionsOf(form) {
  if (form.dataset.options) return JSON.parse(document.getElementById(form.dataset.options).textContent);
  const answer = await fetch(form.dataset.optionsFrom, { headers: { Accept: 'application/json' } });
  if (!answer.ok) throw new Error(`the options were answered ${answer.status}`);
  return (await answer.json()).request_options.publicKey;
}

async function create(options) {
  const publicKey = {
    ...options,
    challenge: toBytes(options.challenge),
    user: { ...options.user, id: toBytes(options.user.id) },
    excludeCredentials: withBytes(options.excludeCredentials),
  };
  const key = await navigator.credentials.create({ publicKey });
  const { clientDataJSON, attestationObject } = key.response;
  return answerOf(key, {
    clientDataJSON: toText(clientDataJSON),
    attestationObject: toText(attestationObject),
    transports: key.response.getTransports ? key.response.getTransports() : [],
  });
}

async function get(options) {
  const publicKey = {
    ...options,
    challenge: toBytes(options.challenge),
    allowCredentials: withBytes(options.allowCredentials),
  };
  const key = await navigator.credentials.get({ publicKey });
  const { clientDataJSON, authenticatorData, signature, userHandle } = key.response;
  return answerOf(key, {
    clientDataJSON: toText(clientDataJSON),
    authenticatorData: toText(authenticatorData),
    signature: toText(signature),
    userHandle: userHandle ? toText(userHandle) : null,
  });
}

function answerOf(key, response) {
  return {
    id: key.id,
    rawId: toText(key.rawId),
    type: key.type,
    clientExtensionResults: key.getClientExtensionResults(),
    response,
  };
}

function show(form, error) {
  const words = form.querySelector('[data-passkey-wrong]');
  const which = { SecurityError: 'domain', InvalidStateError: 'known' }[error.name] || 'refused';
  words.textContent = words.dataset[which];
  words.hidden = false;
}

for (const form of document.querySelectorAll('[data-passkey]')) {
  if (!window.PublicKeyCredential) continue;
  form.hidden = false;
  const button = form.querySelector('[type=submit]');
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    button.disabled = true;
    try {
      const ask = form.dataset.passkey === 'create' ? create : get;
      form.elements.credential.value = JSON.stringify(await ask(await optionsOf(form)));
      form.submit();
    } catch (error) {
      show(form, error);
      button.disabled = false;
    }
  });
}
