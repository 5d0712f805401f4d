import { restoreBackup } from './restore-backup.ts';
import { runCommand } from './run-command.ts';

await runCommand('restore', 'replace', (stores, { folder, isSet, report }) =>
  restoreBackup(stores, folder, { replace: isSet, report }),
);
