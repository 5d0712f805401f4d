import { secretGenerators } from './make-secrets.mjs';

// Does not match commented lines.
const setting = /^([A-Z][A-Z0-9_]*)=(.*)$/gm;

/**
 * Returns the new .env: the current file, or the template, with empty values filled in and missing settings appended. Existing
 * values are kept; empty ones are taken from `given`, or generated.
 */
export function fillTemplate(template, current, given) {
  const fill = (name, value) => `${name}=${value || given[name] || secretGenerators[name]?.() || ''}`;
  const filled = (current ?? template).replace(setting, (_line, name, value) => fill(name, value.trim()));
  const known = new Set([...filled.matchAll(setting)].map(([, name]) => name));
  const missing = [...template.matchAll(setting)].filter(([, name]) => !known.has(name));
  const added = missing.map(([, name, value]) => fill(name, value.trim()));
  return added.length === 0 ? filled : `${filled.trimEnd()}\n\n${added.join('\n')}\n`;
}
