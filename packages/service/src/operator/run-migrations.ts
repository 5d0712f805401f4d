import { ConfigError, configExitCode, loadConfig } from '@lms/config/load-config';
import { PostgresUrl } from '@lms/config/settings';
import { migrateDatabase } from '@lms/database/migrate-database';
import { Type } from '@sinclair/typebox';
import type { ProcessStreams } from './run-operator.ts';

/** What a migration is told by its environment. */
export const MigrationSettings = Type.Object({
  DATABASE_URL: Type.Optional(PostgresUrl()),
  /** The schema's owner, where that is another role than the service's own. */
  MIGRATION_DATABASE_URL: Type.Optional(PostgresUrl()),
});

export interface MigrationOptions {
  service: string;
  /** Where drizzle-kit wrote the migrations. */
  folder: string;
}

/** Brings a service's own database up to its migrations, and resolves to the exit code. */
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
