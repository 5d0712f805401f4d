import { fileURLToPath } from 'node:url';
import { ConfigError, configExitCode, loadConfig } from '@lms/config/load-config';
import { migrateDatabase } from '@lms/database/migrate-database';
import { MigrationConfig } from './config.ts';

try {
  const config = loadConfig(MigrationConfig, process.env);
  const url = config.MIGRATION_DATABASE_URL ?? config.DATABASE_URL;
  if (!url) throw new ConfigError(['MIGRATION_DATABASE_URL: is required']);
  await migrateDatabase(url, fileURLToPath(new URL('../migrations', import.meta.url)));
} catch (error) {
  process.stderr.write(`identity: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = error instanceof ConfigError ? configExitCode : 1;
}
