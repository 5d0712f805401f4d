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

/** The keys that a webhook may be signed with; several while a new one is taking over. @throws what is wrong with them */
export function readSecrets(secrets: readonly string[]): Buffer[] {
  if (secrets.length > mostSecrets)
    throw new Error(`names ${secrets.length} secrets, at most ${mostSecrets} are allowed`);
  return secrets.map((secret, index) => {
    const key = readSecret(secret);
    if (!key || key.length < shortest || key.length > longest)
      throw new Error(`secret ${index + 1} must have ${shortest} to ${longest} bytes, plain or as ${prefix}<base64>`);
    return key;
  });
}
