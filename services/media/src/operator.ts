import { loadConfig } from '@lms/config/load-config';
import { HttpUrl } from '@lms/config/settings';
import {
  beginEpochCommand,
  deadLetterCommands,
  republishCommand,
  republishSinceCommand,
} from '@lms/service/operator/event-commands';
import { operatorSettings, runOperator } from '@lms/service/operator/run-operator';
import { type Static, Type } from '@sinclair/typebox';
import { onTopicPurged } from './on-topic-purged.ts';

// Replayed events contain the URLs of documents.
const OperatorConfig = Type.Object({ ...operatorSettings, PUBLIC_URL: HttpUrl() });
type OperatorConfig = Static<typeof OperatorConfig>;

const replayed = deadLetterCommands(({ PUBLIC_URL }: OperatorConfig) => [onTopicPurged({ publicUrl: PUBLIC_URL })]);
process.exitCode = await runOperator(
  {
    service: 'media',
    load: (environment) => loadConfig(OperatorConfig, environment),
    commands: [...replayed, republishCommand, republishSinceCommand, beginEpochCommand],
  },
  process,
);
