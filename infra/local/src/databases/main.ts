import { setTimeout as pause } from 'node:timers/promises';
import { ConfigError, configExitCode, loadConfig } from '@lms/config/load-config';
import { PostgresUrl } from '@lms/config/settings';
import { Type } from '@sinclair/typebox';
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
async function provision(attempt = 1): Promise<void> {
  try {
    const settings = loadConfig(Settings, process.env);
    const passwordOf = (role: string) => String(Object(settings)[settingOf(role)]);
    for (const name of databases) {
      const passwords = { owner: passwordOf(`${name}_owner`), service: passwordOf(name) };
      await provisionDatabase(settings.POSTGRES_URL, name, passwords);
    }
    await closeMaintenanceDatabases(settings.POSTGRES_URL);
    console.log(`databases: ${databases.join(', ')}`);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    if (error instanceof ConfigError) process.exit(configExitCode);
    if (attempt === maxAttempts) process.exit(1);
    // It is idempotent, and the first connection may fail while the container network is starting.
    await pause(pauseMs);
    await provision(attempt + 1);
  }
}

await provision();
