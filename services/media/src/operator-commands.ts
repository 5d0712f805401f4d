import { loadConfig } from '@lms/config/load-config';
import { BaseUrl } from '@lms/config/settings';
import type { Command } from '@lms/service/operator/command';
import { eventCommands } from '@lms/service/operator/event-commands';
import { type OperatorOptions, operatorSettings } from '@lms/service/operator/run-operator';
import { type Static, Type } from '@sinclair/typebox';
import { checkObjects, type ObjectCheck, repairObjects } from './check-objects.ts';
import { storageSettings } from './config.ts';
import { onTopicPurged } from './on-topic-purged.ts';
import { onUserDeleted } from './on-user-deleted.ts';
import { openStorage } from './storage/open-storage.ts';

// Replayed events contain the URLs of documents.
const OperatorConfig = Type.Object({ ...operatorSettings, ...storageSettings, PUBLIC_URL: BaseUrl() });
type OperatorConfig = Static<typeof OperatorConfig>;

const describe = ({ unreferenced, missing }: ObjectCheck) =>
  [
    ...unreferenced.map((key) => `${key}  no row names this object`),
    ...missing.map(({ key, kind, topicId }) => `${key}  the object of this ${kind} of topic ${topicId} is gone`),
    `${unreferenced.length} unreferenced objects, ${missing.length} missing objects`,
  ].join('\n');

const objectCommands: Command<OperatorConfig>[] = [
  {
    usage: 'objects check',
    description: 'compare storage with the database',
    run: async ({ database, settings }) => describe(await checkObjects(database.db, await openStorage(settings))),
  },
  {
    usage: 'objects repair',
    description: 'delete unreferenced objects, and the entries of missing ones',
    run: async ({ database, settings }) =>
      describe(await repairObjects(database.db, await openStorage(settings), settings.PUBLIC_URL)),
  },
];

const commands = eventCommands(({ PUBLIC_URL }: OperatorConfig) => [
  onTopicPurged({ publicUrl: PUBLIC_URL }),
  onUserDeleted,
]);
export const operator: OperatorOptions<OperatorConfig> = {
  service: 'media',
  load: (environment) => loadConfig(OperatorConfig, environment),
  commands: [...objectCommands, ...commands],
};
