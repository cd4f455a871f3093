/** As the system has it, light or dark. */
const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();

/** Names of operations without a link: it would stand within the button that opens them, which has the same target. */
const plainNames = ({ React }) => ({
  components: { DeepLink: ({ text }) => React.createElement('span', null, text) },
});

/** Finds operations by words of their path, method, name and description; Swagger UI itself finds sections only. */
const wholeText = (one) =>
  [
    one.get('method'),
    one.get('path'),
    ...['operationId', 'summary', 'description'].map((name) => one.getIn(['operation', name])),
  ]
    .join(' ')
    .toLowerCase();
const findOperations = () => ({
  fn: {
    opsFilter: (sections, phrase) => {
      const words = phrase.toLowerCase().split(/\s+/);
      const isFound = (one) => words.every((word) => wholeText(one).includes(word));
      return sections
        .map((section) => section.update('operations', (all) => all.filter(isFound)))
        .filter((section) => section.get('operations').size > 0);
    },
  },
});

/** What Swagger UI leaves out for those who cannot see it: attributes by what they belong to. */
const MISSING = {
  '.filter-container': { role: 'search', 'aria-label': 'Operations' },
  '.operation-filter-input': {
    'aria-label': 'Find operations by words',
    placeholder: 'Find operations by words',
  },
  '.servers select': { 'aria-label': 'Server' },
  '.information-container': { role: 'region', 'aria-label': 'About this API' },
  '.schemes-server-container': { role: 'region', 'aria-label': 'Server and authorization' },
  'h3.opblock-tag': { 'aria-level': '2' },
  'textarea.body-param__text': { 'aria-label': 'Request body' },
  '.models > h4': { 'aria-level': '2' },
  '.opblock h4': { 'aria-level': '3' },
  '.opblock h5': { 'aria-level': '4' },
};
function complete() {
  for (const [selector, attributes] of Object.entries(MISSING))
    for (const element of document.querySelectorAll(`#docs ${selector}`))
      for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
}
new MutationObserver(complete).observe(document.getElementById('docs'), { childList: true, subtree: true });

window.onload = () => {
  window.ui = SwaggerUIBundle({
    url: 'openapi.json',
    // the session of a browser that is signed in; a key under Authorize comes first
    requestInterceptor: (request) => {
      if (new URL(request.url, location.href).origin === location.origin) {
        request.headers['X-Cairn-Session'] = '1';
        request.credentials = 'same-origin';
      }
      return request;
    },
    dom_id: '#docs',
    plugins: [plainNames, findOperations],
    filter: true,
    deepLinking: true,
    persistAuthorization: false,
    tryItOutEnabled: true,
    validatorUrl: null,
  });
};
