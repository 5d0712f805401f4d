import { ConfigError, configExitCode, loadConfig } from '@lms/config/load-config';
import { PostgresUrl } from '@lms/config/settings';
import { migrateDatabase } from '@lms/database/migrate-database';
import { Type } from '@sinclair/typebox';
import type { ProcessStreams } from './run-operator.ts';

/** The settings of a migration. */
export const MigrationSettings = Type.Object({
  DATABASE_URL: Type.Optional(PostgresUrl()),
  /** For migrations under the owner role of the schema, if that is not the service's own role. */
  MIGRATION_DATABASE_URL: Type.Optional(PostgresUrl()),
});

export interface MigrationOptions {
  service: string;
  /** The folder that drizzle-kit wrote the migrations into. */
  folder: string;
}

/** The body of a service's `migrate.ts`: applies its migrations. Returns the exit code: 0, 1 or 78 (invalid settings). */
export async function runMigrations(
  { service, folder }: MigrationOptions,
  { env, stderr }: Pick<ProcessStreams, 'env' | 'stderr'>,
): Promise<number> {
  try {
    const settings = loadConfig(MigrationSettings, env);
    const url = settings.MIGRATION_DATABASE_URL ?? settings.DATABASE_URL;
    if (!url) throw new ConfigError(['MIGRATION_DATABASE_URL: is required']);
    await migrateDatabase(url, folder);
    return 0;
  } catch (error) {
    stderr.write(`${service}: ${error instanceof Error ? error.message : String(error)}\n`);
    return error instanceof ConfigError ? configExitCode : 1;
  }
}
