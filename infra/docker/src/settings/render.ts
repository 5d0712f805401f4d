import type { TSchema } from '@sinclair/typebox';

export interface ConfigSchema {
  properties: Record<string, TSchema>;
  required?: string[] | undefined;
}

interface Setting {
  name: string;
  description: string;
  /** The default, as it is written in the environment. */
  value: string | undefined;
  isRequired: boolean;
}

const start = '<!-- settings: written by npm run settings -->';
const end = '<!-- /settings -->';

const settingsOf = ({ properties, required = [] }: ConfigSchema): Setting[] =>
  Object.entries(properties).map(([name, { description = '', default: value, separator = ',' }]) => ({
    name,
    description,
    value: value === undefined ? undefined : Array.isArray(value) ? value.join(separator) : String(value),
    isRequired: required.includes(name) && value === undefined,
  }));

/** Replaces the table between the markers of a README, or appends a section with the table. */
export function renderReadme(text: string, schema: ConfigSchema): string {
  const rows = settingsOf(schema).map(
    ({ name, value, isRequired, description }) =>
      `| \`${name}\` | ${isRequired ? 'required' : value ? `\`${value}\`` : ''} | ${description} |`,
  );
  const table = [start, '| Setting | Default | Meaning |', '| --- | --- | --- |', ...rows, end].join('\n');
  const [from, to] = [text.indexOf(start), text.indexOf(end)];
  if (from === -1 || to === -1) return `${text.trimEnd()}\n\n## Settings\n\n${table}\n`;
  return text.slice(0, from) + table + text.slice(to + end.length);
}

/**
 * Replaces each line `{{NAME}}` of the template by the description of the setting and its default. `{{NAME}} example`
 * becomes a comment with the example.
 */
export function renderExample(template: string, schemas: ConfigSchema[]): string {
  const settings = new Map(schemas.flatMap(settingsOf).map((setting) => [setting.name, setting]));
  return template.replace(/^\{\{(\w+)\}\}(?: (.*))?$/gm, (_line, name: string, example: string | undefined) => {
    const setting = settings.get(name);
    if (!setting) throw new Error(`${name} is in the template, but not in a schema`);
    const { description, value } = setting;
    return `# ${description.replaceAll('`', '')}.\n${value && example === undefined ? `${name}=${value}` : `# ${name}=${example ?? ''}`}`;
  });
}
