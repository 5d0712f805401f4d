const prefix = 'whsec_';
const minBytes = 24;
const maxBytes = 64;
const maxSecrets = 4;

/** The bytes of a secret: base64 after `whsec_`, or else the text itself. Undefined if the base64 is malformed. */
function parseSecret(secret: string): Buffer | undefined {
  if (!secret.startsWith(prefix)) return Buffer.from(secret, 'utf8');
  const encoded = secret.slice(prefix.length);
  return /^[A-Za-z0-9+/]+={0,2}$/.test(encoded) ? Buffer.from(encoded, 'base64') : undefined;
}

interface ParsedSecrets {
  keys: Buffer[];
  problems: string[];
  /** Secrets that are accepted in development only. */
  warnings: string[];
}

/** The keys that webhooks may be signed with. There are several during a rotation. */
export function parseSecrets(secrets: readonly string[], { isDevelopment = false } = {}): ParsedSecrets {
  const keys = secrets.map(parseSecret);
  const invalid = keys.flatMap((key, index) => {
    if (key && key.length >= minBytes && key.length <= maxBytes) return [];
    const isWeak = isDevelopment && key !== undefined && key.length > 0 && key.length < minBytes;
    const text = `secret ${index + 1} must have ${minBytes} to ${maxBytes} bytes, plain or as ${prefix}<base64>`;
    return { isWeak, text };
  });
  const problems = invalid.flatMap(({ isWeak, text }) => (isWeak ? [] : text));
  if (secrets.length > maxSecrets) problems.push(`at most ${maxSecrets} secrets are allowed`);
  return {
    keys: keys.flatMap((key) => key ?? []),
    problems,
    warnings: invalid.flatMap(({ isWeak, text }) => (isWeak ? `${text}; shorter ones only work in development` : [])),
  };
}
