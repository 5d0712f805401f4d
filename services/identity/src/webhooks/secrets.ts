const prefix = 'whsec_';
const shortest = 24;
const longest = 64;
const mostSecrets = 4;

/** The bytes of a secret: base64 after `whsec_`, else the text itself. */
function readSecret(secret: string): Buffer | undefined {
  if (!secret.startsWith(prefix)) return Buffer.from(secret, 'utf8');
  const encoded = secret.slice(prefix.length);
  return /^[A-Za-z0-9+/]+={0,2}$/.test(encoded) ? Buffer.from(encoded, 'base64') : undefined;
}

interface Secrets {
  keys: Buffer[];
  /** Why they cannot be used. */
  flaws: string[];
  /** What is accepted in development alone. */
  warnings: string[];
}

/** The keys that a webhook may be signed with, several while a new one is taking over. */
export function readSecrets(secrets: readonly string[], { isDevelopment = false } = {}): Secrets {
  const keys = secrets.map(readSecret);
  const misfits = keys.flatMap((key, index) => {
    if (key && key.length >= shortest && key.length <= longest) return [];
    const isWeak = isDevelopment && key !== undefined && key.length > 0 && key.length < shortest;
    const text = `secret ${index + 1} must have ${shortest} to ${longest} bytes, plain or as ${prefix}<base64>`;
    return { isWeak, text };
  });
  const flaws = misfits.flatMap(({ isWeak, text }) => (isWeak ? [] : text));
  if (secrets.length > mostSecrets) flaws.push(`at most ${mostSecrets} secrets are allowed`);
  return {
    keys: keys.flatMap((key) => key ?? []),
    flaws,
    warnings: misfits.flatMap(({ isWeak, text }) => (isWeak ? `${text}; shorter ones only work in development` : [])),
  };
}
