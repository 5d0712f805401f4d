import { runOperator } from '@lms/service/operator/run-operator';
import { operator } from './operator-commands.ts';

process.exitCode = await runOperator(operator, process);
