import { fileURLToPath } from 'node:url';
import { runMigrations } from '@lms/service/operator/run-migrations';

const folder = fileURLToPath(new URL('../migrations', import.meta.url));
process.exitCode = await runMigrations({ service: 'identity', folder }, process);
