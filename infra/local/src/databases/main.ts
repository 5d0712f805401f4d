import { setTimeout as pause } from 'node:timers/promises';
import { ConfigError, configExitCode, loadConfig } from '@lms/config/load-config';
import { PostgresUrl } from '@lms/config/settings';
import { Type } from '@sinclair/typebox';
import { closeMaintenanceDatabases, databases, provisionDatabase } from './provision.ts';

const maxAttempts = 5;
const pauseMs = 1_000;

const Password = () => Type.String({ minLength: 1 });

const Settings = Type.Object({
  /** The URL of a superuser. */
  POSTGRES_URL: PostgresUrl(),
  IDENTITY_OWNER_PASSWORD: Password(),
  IDENTITY_PASSWORD: Password(),
  CONTENT_OWNER_PASSWORD: Password(),
  CONTENT_PASSWORD: Password(),
  MEDIA_OWNER_PASSWORD: Password(),
  MEDIA_PASSWORD: Password(),
  ENROLLMENT_OWNER_PASSWORD: Password(),
  ENROLLMENT_PASSWORD: Password(),
});

/** Creates the databases, roles and grants in a PostgreSQL server, or updates their passwords. */
try {
  const settings = loadConfig(Settings, process.env);
  const passwords = {
    identity: { owner: settings.IDENTITY_OWNER_PASSWORD, service: settings.IDENTITY_PASSWORD },
    content: { owner: settings.CONTENT_OWNER_PASSWORD, service: settings.CONTENT_PASSWORD },
    media: { owner: settings.MEDIA_OWNER_PASSWORD, service: settings.MEDIA_PASSWORD },
    enrollment: { owner: settings.ENROLLMENT_OWNER_PASSWORD, service: settings.ENROLLMENT_PASSWORD },
  };
  await retry(async () => {
    for (const name of databases) await provisionDatabase(settings.POSTGRES_URL, name, passwords[name]);
    await closeMaintenanceDatabases(settings.POSTGRES_URL);
  });
  console.log(`databases: ${databases.join(', ')}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = error instanceof ConfigError ? configExitCode : 1;
}

/** Provisioning is idempotent, and the first connection may fail while the container network is starting. */
async function retry(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (attempt === maxAttempts) throw error;
      console.error(`${error instanceof Error ? error.message : error}; retrying`);
      await pause(pauseMs);
    }
  }
}
