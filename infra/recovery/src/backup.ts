import { backUp } from './back-up.ts';
import { runCommand } from './run-command.ts';

await runCommand('backup', 'list-objects', (stores, { folder, isSet, report }) =>
  backUp(stores, folder, { objects: isSet ? 'listed' : 'copied', report }),
);
