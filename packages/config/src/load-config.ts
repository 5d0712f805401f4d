import { readFileSync } from 'node:fs';
import { type TSchema, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import './formats.ts';

/** The exit code of a process with invalid settings (EX_CONFIG of sysexits.h). */
export const configExitCode = 78;

export class ConfigError extends Error {
  override name = 'ConfigError';
  readonly problems: string[];
  constructor(problems: string[]) {
    super(`Invalid settings:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.problems = problems;
  }
}

/** An object schema whose keys are environment variable names. */
export interface ConfigSchema<Config> extends TSchema {
  static: Config;
  properties: Record<string, TSchema>;
}

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the settings in `schema` from the environment. An empty value counts as unset, `NAME_FILE` names a file that
 * contains the value, and unknown variables are ignored. The result is frozen.
 * @param checkConfig returns the problems that the schema cannot express; it gets the settings that match the schema
 * @throws ConfigError with every problem at once
 */
export function loadConfig<Config>(
  schema: ConfigSchema<Config>,
  environment: Environment,
  checkConfig: (config: Partial<Config>) => string[] = () => [],
): Readonly<Config> {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(schema.properties)) {
    try {
      const text = read(name, environment);
      if (text !== undefined) values[name] = parse(property, text);
    } catch (error) {
      problems.push(`${name}_FILE: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  const settings = Value.Default(schema, values);
  const reported = new Set(problems.map((problem) => nameOf(problem).replace(/_FILE$/, '')));
  for (const error of Value.Errors(schema, settings)) {
    const name = error.path.split('/')[1] ?? '';
    if (reported.has(name)) continue;
    reported.add(name);
    problems.push(
      `${name}: ${values[name] === undefined ? 'is required' : explain(schema.properties[name], error.message)}`,
    );
  }
  const valid = Object.fromEntries(Object.entries(Object(settings)).filter(([name]) => !reported.has(name)));
  if (isPartOf(schema, valid)) problems.push(...checkConfig(valid).filter((problem) => !reported.has(nameOf(problem))));
  if (problems.length > 0 || !Value.Check(schema, settings)) throw new ConfigError(problems);
  return Object.freeze(settings);
}

const nameOf = (problem: string) => problem.replace(/:.*/s, '');

const isPartOf = <Config>({ properties }: ConfigSchema<Config>, value: object): value is Partial<Config> =>
  Object.entries(value).every(([name, setting]) => Value.Check(properties[name] ?? Type.Never(), setting));

function read(name: string, environment: Environment): string | undefined {
  const file = environment[`${name}_FILE`];
  const value = environment[name] || (file && readFileSync(file, 'utf8').replace(/\r?\n$/, ''));
  return value || undefined;
}

function parse(schema: TSchema, text: string): unknown {
  if (schema.type === 'integer' && /^-?\d{1,15}$/.test(text)) return Number(text);
  if (schema.type === 'boolean' && /^(true|false)$/.test(text)) return text === 'true';
  if (schema.type === 'array') {
    const separator = typeof schema.separator === 'string' ? schema.separator : ',';
    return text.split(separator).flatMap((part) => part.trim() || []);
  }
  return text;
}

function explain(schema: TSchema | undefined, message: string): string {
  return typeof schema?.expected === 'string' ? `must be ${schema.expected}` : message.toLowerCase();
}
