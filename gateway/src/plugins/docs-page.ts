interface Operation {
  description?: string;
  security?: Record<string, string[]>[];
  'x-codeSamples'?: { label: string; lang: string; source: string }[];
}

export interface Document {
  components: {
    securitySchemes: { provider?: object; bearer: object };
    responses: Record<string, { headers?: object }>;
  };
  paths: Record<string, Record<string, Operation>>;
}

const scopes = { openid: 'Who you are', email: 'Your e-mail address', profile: 'Your name' };

const operationsOf = ({ paths }: Document) => Object.values(paths).flatMap((methods) => Object.values(methods));

/** Wherever a bearer token is accepted, one from the provider is too. */
export function addSignIn(document: Document, endpoints: object) {
  document.components.securitySchemes.provider = {
    type: 'oauth2',
    description: 'Sign in at the identity provider',
    flows: { authorizationCode: { ...endpoints, scopes } },
  };
  for (const { security } of operationsOf(document))
    if (security?.some((requirement) => 'bearer' in requirement)) security.push({ provider: [] });
}

/**
 * The document as the page shows it: signing in at the provider is the first way, the signatures of webhooks, which no reader
 * makes, are none; the code samples, which Swagger UI does not know, are part of the descriptions; and errors do not repeat
 * their headers, which would fill most of the page.
 */
export function toPageDocument(document: Document) {
  const page = structuredClone(document);
  const { provider, bearer } = page.components.securitySchemes;
  page.components.securitySchemes = { ...(provider && { provider }), bearer };
  for (const response of Object.values(page.components.responses)) response.headers = {};
  for (const operation of operationsOf(page)) {
    const { 'x-codeSamples': samples = [], description = '', security = [] } = operation;
    const blocks = samples.map(({ label, source }) => `**${label}**\n\n\`\`\`\n${source}\n\`\`\``);
    operation.description = [description, ...blocks].join('\n\n');
    operation.security = security.filter((requirement) => !('webhookSignature' in requirement)).toReversed();
    delete operation['x-codeSamples'];
  }
  return page;
}

/** The page of the plugin has no viewport, without which phones show it as wide as a desktop. */
export const withViewport = (html: string) =>
  html.replace('<meta charset="UTF-8">', '$&<meta name="viewport" content="width=device-width, initial-scale=1">');
