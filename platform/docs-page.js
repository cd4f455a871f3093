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

/** The server's root, below the prefix of a proxy, too: this script is at `api/v1/docs/assets/`. */
const ROOT = new URL('../../../../', document.currentScript.src);

const DESCRIPTION = new URL('api/v1/openapi.json', ROOT).href;

/** The address of a request. The description says that the server is at the root of its host, where a proxy may have others. */
const addressOf = (url) =>
  url.href === DESCRIPTION ? url.href : new URL(`.${url.pathname}${url.search}`, ROOT).href;

window.onload = () => {
  window.ui = SwaggerUIBundle({
    url: DESCRIPTION,
    // the session of a browser that is signed in; a key under Authorize comes first
    requestInterceptor: (request) => {
      const url = new URL(request.url, location.href);
      if (url.origin === location.origin) {
        request.url = addressOf(url);
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
