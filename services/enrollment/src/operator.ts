import { loadOperatorConfig, runOperator } from '@lms/service/operator/run-operator';
import { commands } from './operator-commands.ts';

process.exitCode = await runOperator({ service: 'enrollment', load: loadOperatorConfig, commands }, process);
