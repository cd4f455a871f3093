// Starts GraphiQL in the browser, as whom the session says, or with a key that stays in this tab's sessionStorage.
'use strict';

const STORED = 'cairn-credential';
const WELCOME = `# One graph over all components.
#
# Press ▶ and choose an operation.
# Ctrl-Space completes names; the book icon
# on the left lists all types and fields, and
# the folder below it builds a query by clicks.

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

# Receives every change when it is committed.
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

const signIn = document.getElementById('sign-in');

/** A key that was given, otherwise the session: its header tells our requests from those of other pages. */
function authorization() {
  const credential = sessionStorage.getItem(STORED);
  return credential ? { authorization: `Bearer ${credential}` } : { 'x-cairn-session': '1' };
}

const events = graphqlSse.createClient({
  url: 'graphql',
  headers: authorization,
  credentials: 'same-origin',
});

async function ask(request) {
  const response = await fetch('graphql', {
    credentials: 'same-origin',
    method: 'POST',
    headers: { 'content-type': 'application/json', ...authorization() },
    body: JSON.stringify(request),
  });
  if (response.status === 401)
    tell(
      sessionStorage.getItem(STORED) ? 'The key is not valid, or no longer valid.' : 'Nobody is signed in.',
    );
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

function tell(text) {
  state.textContent = text;
  signIn.hidden = sessionStorage.getItem(STORED) !== null || text !== 'Nobody is signed in.';
}

/** Says as whom requests are made. */
async function tellWho() {
  const { data } = await ask({ query: '{ me { actor } }' });
  if (data) tell(`Requests are made as ${data.me.actor}.`);
}

/** Named as what it does: the page itself is the explorer. */
const queryBuilder = {
  ...GraphiQLPluginExplorer.explorerPlugin({ showAttribution: false }),
  title: 'Query builder',
};

/** A new key makes GraphiQL ask for the schema again. */
function show() {
  const credential = sessionStorage.getItem(STORED);
  root.render(
    React.createElement(GraphiQL, {
      key: credential ?? '',
      fetcher,
      defaultQuery: WELCOME,
      defaultEditorToolsVisibility: true,
      plugins: [queryBuilder],
    }),
  );
  void tellWho();
}

/** What GraphiQL's editors are, for those who cannot see it; and a way to scroll them without a mouse. */
const EDITORS = {
  '.graphiql-query-editor': 'Operation',
  '.graphiql-editor-tool .graphiql-editor': 'Variables or headers',
  '.result-window': 'Answer',
};
function nameEditors() {
  for (const [editor, name] of Object.entries(EDITORS)) {
    for (const input of document.querySelectorAll(`${editor} textarea`))
      input.setAttribute('aria-label', name);
    for (const box of document.querySelectorAll(`${editor} .CodeMirror-scroll`)) box.tabIndex = 0;
  }
}

/** What the query builder makes of spans that are clicked: names for its inputs, and its fields for the keyboard. */
function nameBuilder() {
  const root = document.querySelector('.graphiql-explorer-root');
  if (root === null) return;
  for (const input of root.querySelectorAll('input, select'))
    if (!input.hasAttribute('aria-label'))
      input.setAttribute(
        'aria-label',
        input.closest('[data-arg-name]')?.dataset.argName ??
          (input.tagName === 'SELECT' ? 'Kind of operation' : 'Name of the operation'),
      );
  for (const span of root.querySelectorAll('span[style*="cursor: pointer"]:not([tabindex])'))
    if (span.querySelector('button, input, select') === null) {
      span.tabIndex = 0;
      span.role = 'button';
      span.addEventListener('keydown', (event) => {
        if (event.key !== 'Enter' && event.key !== ' ') return;
        event.preventDefault();
        span.click();
      });
    }
}
function nameParts() {
  nameEditors();
  nameBuilder();
}
new MutationObserver(nameParts).observe(document.getElementById('explorer'), {
  childList: true,
  subtree: true,
});

form.addEventListener('submit', (event) => {
  event.preventDefault();
  const credential = input.value.trim();
  if (credential) sessionStorage.setItem(STORED, credential);
  else sessionStorage.removeItem(STORED);
  input.value = '';
  show();
});

show();
