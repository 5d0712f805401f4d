import { secretMakers } from './make-secrets.mjs';

// Lines that are commented out set nothing.
const setting = /^([A-Z][A-Z0-9_]*)=(.*)$/gm;

/**
 * The next .env: the present file, or else the template, with what is empty filled in, and what only the template has
 * at its end. A secret that is `given` is not made up; what has a value keeps it.
 */
export function fillTemplate(template, present, given) {
  const fill = (name, value) => `${name}=${value || given[name] || secretMakers[name]?.() || ''}`;
  const filled = (present ?? template).replace(setting, (_line, name, value) => fill(name, value.trim()));
  const known = new Set([...filled.matchAll(setting)].map(([, name]) => name));
  const missing = [...template.matchAll(setting)].filter(([, name]) => !known.has(name));
  const added = missing.map(([, name, value]) => fill(name, value.trim()));
  return added.length === 0 ? filled : `${filled.trimEnd()}\n\n${added.join('\n')}\n`;
}
