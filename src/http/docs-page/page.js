/* Swagger UI over the description that this server gives. The token that somebody enters stays in the memory of the tab. */
const dark = window.matchMedia('(prefers-color-scheme: dark)');

function followColorScheme() {
  document.documentElement.classList.toggle('dark-mode', dark.matches);
}

dark.addEventListener('change', followColorScheme);
followColorScheme();

window.ui = SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#api',
  deepLinking: true,
  docExpansion: 'list',
  filter: true,
  displayRequestDuration: true,
  requestSnippetsEnabled: true,
  persistAuthorization: false,
  // Otherwise the page would send its address to a validator elsewhere.
  validatorUrl: null,
});
