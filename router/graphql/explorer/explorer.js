// Starts GraphiQL in the browser with the visitor's credential, which stays in this tab's sessionStorage.
/* global React, ReactDOM, GraphiQL */
'use strict';

const STORED = 'cairn-credential';
const form = document.getElementById('credential');
const input = document.getElementById('key');
const state = document.getElementById('state');
const root = ReactDOM.createRoot(document.getElementById('explorer'));

async function fetcher(request) {
  const credential = sessionStorage.getItem(STORED);
  const response = await fetch('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(credential ? { authorization: `Bearer ${credential}` } : {}) },
    body: JSON.stringify(request),
  });
  const type = response.headers.get('content-type') ?? '';
  return type.includes('json') ? response.json() : { errors: [{ message: `the server answered ${response.status}` }] };
}

/** A new key makes GraphiQL ask for the schema again. */
function show() {
  const credential = sessionStorage.getItem(STORED);
  state.textContent = credential ? 'in use' : '';
  root.render(React.createElement(GraphiQL, { key: credential ?? '', fetcher, defaultEditorToolsVisibility: true }));
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  const credential = input.value.trim();
  if (credential) sessionStorage.setItem(STORED, credential);
  else sessionStorage.removeItem(STORED);
  input.value = '';
  show();
});

show();
