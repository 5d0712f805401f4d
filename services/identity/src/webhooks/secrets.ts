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

/** The keys that a webhook may be signed with, several while a new one is taking over, and what is wrong with them. */
export function readSecrets(secrets: readonly string[]): { keys: Buffer[]; flaws: string[] } {
  const keys = secrets.map(readSecret);
  const flaws = keys.flatMap((key, index) =>
    key && key.length >= shortest && key.length <= longest
      ? []
      : `secret ${index + 1} must have ${shortest} to ${longest} bytes, plain or as ${prefix}<base64>`,
  );
  if (secrets.length > mostSecrets) flaws.push(`at most ${mostSecrets} secrets are allowed`);
  return { keys: keys.flatMap((key) => key ?? []), flaws };
}
