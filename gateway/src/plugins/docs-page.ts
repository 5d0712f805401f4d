interface Operation {
  description?: string;
  security?: Record<string, string[]>[];
  'x-codeSamples'?: { label: string; lang: string; source: string }[];
}

export interface Document {
  components: { securitySchemes: Record<string, object>; responses: Record<string, object> };
  paths: Record<string, Record<string, Operation>>;
}

/**
 * The document as the page shows it: signing in at the provider is the first way, the signatures of webhooks, which no reader
 * makes, are none; the code samples, which Swagger UI does not know, are part of the descriptions; and errors do not repeat
 * their headers, which would fill most of the page.
 */
export function toPageDocument({ components, paths, ...rest }: Document) {
  const { provider, bearer } = components.securitySchemes;
  const operations = Object.entries(paths).map(([path, methods]) => [
    path,
    Object.fromEntries(Object.entries(methods).map(([method, operation]) => [method, toPageOperation(operation)])),
  ]);
  const securitySchemes = { ...(provider && { provider }), bearer };
  const responses = Object.fromEntries(
    Object.entries(components.responses).map(([name, response]) => [name, { ...response, headers: {} }]),
  );
  return { ...rest, components: { ...components, securitySchemes, responses }, paths: Object.fromEntries(operations) };
}

function toPageOperation({ 'x-codeSamples': samples = [], description = '', security = [], ...rest }: Operation) {
  const blocks = samples.map(({ label, source }) => `**${label}**\n\n\`\`\`\n${source}\n\`\`\``);
  return {
    ...rest,
    description: [description, ...blocks].join('\n\n'),
    security: security.filter((requirement) => !('webhookSignature' in requirement)).toReversed(),
  };
}

/** The page of the plugin has no viewport, without which phones show it as wide as a desktop. */
export const withViewport = (html: string) =>
  html.replace('<meta charset="UTF-8">', '$&<meta name="viewport" content="width=device-width, initial-scale=1">');

/** A public client has no secret, and the name of the first button is what it does. */
export const pageStyle = `
.swagger-ui .auth-container label[for^='client_secret'],
.swagger-ui .auth-container [id^='client_secret'] { display: none; }
.swagger-ui div:has(> .scheme-container) { display: flex; flex-direction: column; }
.swagger-ui .scheme-container { order: -1; margin: 0; padding: 12px 0; }
.swagger-ui .scheme-container .btn.authorize { color: #fff; background: #1b6e3c; border-color: #1b6e3c; }
.swagger-ui .scheme-container .btn.authorize svg { fill: #fff; }
.swagger-ui .scheme-container .btn.authorize span { font-size: 0; }
.swagger-ui .scheme-container .btn.authorize span::after { content: 'Sign in'; font-size: 14px; }
@media (max-width: 640px) {
  .swagger-ui .wrapper { padding: 0 12px; }
  .swagger-ui .info { margin: 24px 0; }
  .swagger-ui .info .title { font-size: 26px; }
  .swagger-ui .scheme-container .schemes { flex-wrap: wrap; }
  .swagger-ui .opblock-tag { flex-wrap: wrap; }
  .swagger-ui .opblock-tag small { flex-basis: 100%; padding: 0; }
  .swagger-ui .opblock .opblock-summary { flex-wrap: wrap; }
  .swagger-ui .opblock .opblock-summary-path { max-width: calc(100% - 130px); }
  .swagger-ui .opblock .opblock-summary-description { flex-basis: 100%; }
  .swagger-ui .opblock-body table, .swagger-ui .opblock-body tbody, .swagger-ui .opblock-body tr,
  .swagger-ui .opblock-body td { display: block; width: auto; }
  .swagger-ui .opblock-body thead { display: none; }
  .swagger-ui .opblock-body pre, .swagger-ui .opblock-body input, .swagger-ui .opblock-body select { max-width: 100%; }
  .swagger-ui .dialog-ux .modal-ux { width: 94vw; min-width: 0; }
}
`;
