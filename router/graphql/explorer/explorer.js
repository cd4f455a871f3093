// Starts GraphiQL in the browser with the visitor's credential, which stays in this tab's sessionStorage.
/* global React, ReactDOM, GraphiQL, graphqlSse */
'use strict';

const STORED = 'cairn-credential';
const WELCOME = `# One graph over all components.
#
# 1. Paste an API key or access token above
#    (\`npm start\` says where the first is).
# 2. Press ▶ and choose an operation.
#
# Ctrl-Space completes while you type; the
# book on the left has all types and fields.

query Types {
  schemas {
    name
    version
    fields { name fieldType required }
  }
}

query Entities {
  entities(limit: 10) {
    total
    items { id entityType data updatedAt }
  }
}

# Tells of every change as it is committed.
subscription Changes {
  provenanceEvents {
    event { eventType entityId actor timestamp }
  }
}
`;
const form = document.getElementById('credential');
const input = document.getElementById('key');
const state = document.getElementById('state');
const root = ReactDOM.createRoot(document.getElementById('explorer'));

function authorization() {
  const credential = sessionStorage.getItem(STORED);
  return credential ? { authorization: `Bearer ${credential}` } : {};
}

const events = graphqlSse.createClient({ url: '/graphql', headers: authorization });

async function ask(request) {
  const response = await fetch('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...authorization() },
    body: JSON.stringify(request),
  });
  if (response.status === 401)
    state.textContent = sessionStorage.getItem(STORED) ? 'not valid (any more)' : 'needed to ask anything';
  const type = response.headers.get('content-type') ?? '';
  return type.includes('json')
    ? response.json()
    : { errors: [{ message: `the server answered ${response.status}` }] };
}

function isSubscription({ operationName }, document) {
  const chosen = document?.definitions.find(
    ({ kind, name }) => kind === 'OperationDefinition' && (!operationName || name?.value === operationName),
  );
  return chosen?.operation === 'subscription';
}

const fetcher = (request, { documentAST } = {}) =>
  isSubscription(request, documentAST) ? events.iterate(request) : ask(request);

/** A new key makes GraphiQL ask for the schema again. */
function show() {
  const credential = sessionStorage.getItem(STORED);
  state.textContent = credential ? 'in use' : '';
  root.render(
    React.createElement(GraphiQL, {
      key: credential ?? '',
      fetcher,
      defaultQuery: WELCOME,
      defaultEditorToolsVisibility: true,
    }),
  );
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
