import type { TObject } from '@sinclair/typebox';
import { Config as Content } from 'content/config';
import { Config as Enrollment } from 'enrollment/config';
import { Config as Gateway } from 'gateway/config';
import { Config as Identity } from 'identity/config';
import { Settings as Local } from 'local/settings';
import { Config as Media } from 'media/config';
import { WorkerConfig } from 'media/worker-config';

/** The settings of each process, by the folder whose README describes them. */
export const processes = {
  gateway: Gateway,
  'services/identity': Identity,
  'services/content': Content,
  'services/media': Media,
  'services/media/src/renditions': WorkerConfig,
  'services/enrollment': Enrollment,
};

/** The schemas for `.env.example`. If two contain the same setting, the later one is used. */
export const exampleSources = [...Object.values(processes).toReversed(), Local];

/** The settings of a schema, with defaults as they are written in the environment: '' if there is none. */
const settingsOf = ({ properties, required = [] }: TObject) =>
  Object.entries(properties).map(([name, { description = '', default: value, separator = ',' }]) => ({
    name,
    description: String(description),
    value: Array.isArray(value) ? value.join(separator) : String(value ?? ''),
    isRequired: required.includes(name) && value === undefined,
  }));

const table = /(<!-- settings: written by npm run settings -->\n).*(<!-- \/settings -->)/s;

/** Replaces the table between the markers of a README. */
export function renderReadme(text: string, schema: TObject): string {
  if (!table.test(text)) throw new Error('The README has no place for the settings');
  const rows = settingsOf(schema).map(({ name, value, isRequired, description }) => {
    const shown = isRequired ? 'required' : value && `\`${value}\``;
    return `| \`${name}\` | ${shown} | ${description} |\n`;
  });
  const head = '| Setting | Default | Meaning |\n| --- | --- | --- |\n';
  return text.replace(table, (_table, start, end) => start + head + rows.join('') + end);
}

/**
 * Replaces each line `{{NAME}}` of the template by the description of the setting and its default. `{{NAME}} example`
 * becomes a comment with the example.
 */
export function renderExample(template: string, schemas: TObject[]): string {
  const settings = new Map(schemas.flatMap(settingsOf).map((setting) => [setting.name, setting]));
  return template.replace(/^\{\{(\w+)\}\}(?: (.*))?$/gm, (_line, name: string, example: string | undefined) => {
    const setting = settings.get(name);
    if (!setting) throw new Error(`${name} is in the template, but not in a schema`);
    const { description, value } = setting;
    const assignment = value && example === undefined ? `${name}=${value}` : `# ${name}=${example ?? ''}`;
    return `# ${description.replaceAll('`', '')}.\n${assignment}`;
  });
}
