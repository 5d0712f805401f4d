import { fileURLToPath } from 'node:url';
import { loadConfig } from '@lms/config/load-config';
import { PostgresUrl } from '@lms/config/settings';
import { migrateDatabase } from '@lms/database/migrate-database';
import { Type } from '@sinclair/typebox';

const { MIGRATION_DATABASE_URL, DATABASE_URL } = loadConfig(
  Type.Object({ MIGRATION_DATABASE_URL: Type.Optional(PostgresUrl()), DATABASE_URL: Type.Optional(PostgresUrl()) }),
  process.env,
);
const url = MIGRATION_DATABASE_URL ?? DATABASE_URL;
if (!url) throw new Error('MIGRATION_DATABASE_URL or DATABASE_URL is required');
await migrateDatabase(url, fileURLToPath(new URL('../migrations', import.meta.url)));
