import { configExitCode } from '@lms/config/load-config';
import { runScript } from '@lms/testing/run-script';
import t from 'tap';

const migrate = (environment: Record<string, string>) =>
  runScript(new URL('../dist/migrate.js', import.meta.url), environment);

t.test('migrating with settings that cannot be used ends with 78, and tells which', async (t) => {
  t.match(await migrate({}), { code: configExitCode, err: /MIGRATION_DATABASE_URL: is required/ });
  const { code, err } = await migrate({ DATABASE_URL: 'x', MIGRATION_DATABASE_URL: 'y' });
  t.equal(code, configExitCode);
  t.equal(
    err,
    'identity: The settings cannot be used:\n  - DATABASE_URL: must be a postgres:// URL\n  - MIGRATION_DATABASE_URL: must be a postgres:// URL\n',
  );
});
