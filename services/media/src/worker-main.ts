import { runProcess } from '@lms/service/run-process';
import { buildWorker } from './build-worker.ts';
import { checkConfig } from './config.ts';
import { WorkerConfig } from './worker-config.ts';

await runProcess({ name: 'media-worker', config: WorkerConfig, checkConfig, build: buildWorker });
