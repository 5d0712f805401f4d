const hstsSeconds = 31_536_000;

/** For answers that do not say themselves what a browser may do with them. */
export const strictPolicy = "default-src 'none'; frame-ancestors 'none'";

/** What every answer tells browsers, whoever gives it. */
export const securityHeaders = (publicUrl: URL): readonly string[] => [
  'x-content-type-options',
  'nosniff',
  'x-frame-options',
  'DENY',
  'referrer-policy',
  'no-referrer',
  ...(publicUrl.protocol === 'https:' ? ['strict-transport-security', `max-age=${hstsSeconds}`] : []),
];
