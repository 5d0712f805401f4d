import { Command } from '@commander-js/extra-typings';
import { backUp } from './back-up.ts';
import { runCommand } from './data-stores.ts';

const command = new Command('npm run backup --')
  .description('Backs up a system, which may be running.')
  .argument('<folder>', 'an empty folder')
  .option('--list-objects', 'read and compare the objects in the storage, but do not copy them');

await runCommand('backup', command, backUp);
