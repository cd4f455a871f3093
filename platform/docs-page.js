/* global SwaggerUIBundle -- from the bundle that the page loads before this */
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
    deepLinking: true,
    persistAuthorization: false,
    tryItOutEnabled: true,
    validatorUrl: null,
  });
};
