import { Command } from '@commander-js/extra-typings';
import { runCommand } from './data-stores.ts';
import { restoreBackup } from './restore-backup.ts';

const command = new Command('npm run restore --')
  .description('Restores a backup into a system that is not running.')
  .argument('<folder>', 'the folder of the backup')
  .option('--replace', 'delete existing data');

await runCommand('restore', command, restoreBackup);
