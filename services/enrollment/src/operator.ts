import { ConfigError, configExitCode, loadConfig } from '@lms/config/load-config';
import { PostgresUrl } from '@lms/config/settings';
import { connect } from '@lms/database/connect';
import { Type } from '@sinclair/typebox';
import { chooseCommand, usage } from './operator-commands.ts';

// sysexits' EX_USAGE.
const usageExitCode = 64;

const command = chooseCommand(process.argv.slice(2));
if (!command) {
  process.stderr.write(usage);
  process.exit(usageExitCode);
}
try {
  const { DATABASE_URL } = loadConfig(Type.Object({ DATABASE_URL: PostgresUrl() }), process.env);
  const database = connect(DATABASE_URL, { max: 1, applicationName: 'enrollment-operator' });
  process.stdout.write(`${await command(database).finally(database.close)}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = error instanceof ConfigError ? configExitCode : 1;
}
