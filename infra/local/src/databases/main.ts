import { setTimeout as pause } from 'node:timers/promises';
import { ConfigError, loadConfig } from '@lms/config/load-config';
import { PostgresUrl } from '@lms/config/settings';
import { type Static, Type } from '@sinclair/typebox';
import { exitWith, messageOf } from '../supervisor/process.ts';
import { closeMaintenanceDatabases, databases, provisionDatabase } from './provision.ts';

const maxAttempts = 5;
const pauseMs = 1_000;

const settingOf = (role: string) => `${role.toUpperCase()}_PASSWORD`;
const roles = databases.flatMap((name) => [`${name}_owner`, name]);

const Settings = Type.Object({
  /** The URL of a superuser. */
  POSTGRES_URL: PostgresUrl(),
  ...Object.fromEntries(roles.map((role) => [settingOf(role), Type.String({ minLength: 1 })])),
});

/** Creates the databases, roles and grants in a PostgreSQL server, or updates their passwords. */
async function provision(settings: Static<typeof Settings>): Promise<void> {
  const passwordOf = (role: string) => String(Object(settings)[settingOf(role)]);
  for (const name of databases) {
    const passwords = { owner: passwordOf(`${name}_owner`), service: passwordOf(name) };
    await provisionDatabase(settings.POSTGRES_URL, name, passwords);
  }
  await closeMaintenanceDatabases(settings.POSTGRES_URL);
  console.log(`databases: ${databases.join(', ')}`);
}

for (let attempt = 1; ; attempt += 1)
  try {
    await provision(loadConfig(Settings, process.env));
    break;
  } catch (error) {
    if (error instanceof ConfigError || attempt === maxAttempts) exitWith(error);
    // It is idempotent, and the first connection may fail while the container network is starting.
    console.error(messageOf(error));
    await pause(pauseMs);
  }
