import { Command } from '@commander-js/extra-typings';
import { restoreBackup } from './restore-backup.ts';
import { runCommand } from './run-command.ts';

const command = new Command('npm run restore --')
  .description('Restores a backup into a system that is not running.')
  .argument('<folder>', 'the folder of the backup')
  .option('--replace', 'delete existing data');

await runCommand('restore', command, (stores, folder, { replace = false }, report) =>
  restoreBackup(stores, folder, { replace, report }),
);
