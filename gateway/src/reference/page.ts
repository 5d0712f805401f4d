import { asset } from './send-asset.ts';

/** The page around Swagger UI; everything it loads lies beside it. */
export const page = asset(
  'text/html; charset=utf-8',
  `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Learning management service: reference</title>
    <link rel="stylesheet" href="/api/docs/swagger-ui.css">
    <link rel="icon" type="image/png" href="/api/docs/favicon-32x32.png">
    <style>body { margin: 0 } .swagger-ui .topbar { display: none }</style>
  </head>
  <body>
    <div id="reference"></div>
    <script src="/api/docs/swagger-ui-bundle.js"></script>
    <script src="/api/docs/start.js"></script>
  </body>
</html>
`,
);

/** Starts the reference: one signs in at the provider with PKCE, and tries calls with the token that comes back. */
export const startScript = (clientId: string) =>
  asset(
    'text/javascript; charset=utf-8',
    `const reference = SwaggerUIBundle({
  url: '/api/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  filter: true,
  tryItOutEnabled: true,
  persistAuthorization: true,
  oauth2RedirectUrl: new URL('/api/docs/oauth2-redirect.html', location.href).href,
});
reference.initOAuth({ clientId: ${JSON.stringify(clientId)}, scopes: 'openid email profile', usePkceWithAuthorizationCodeGrant: true });
`,
  );
