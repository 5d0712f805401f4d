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
