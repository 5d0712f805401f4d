import { Choice, Count, PostgresUrl, Seconds, workerSettings } from '@lms/config/settings';
import { type Static, Type } from '@sinclair/typebox';
import { Config, storageSettings } from './config.ts';

export const WorkerConfig = Type.Object({
  ...workerSettings,
  ...storageSettings,
  DATABASE_URL: PostgresUrl({ description: "The service's own database" }),
  MAX_VIDEO_BYTES: {
    ...Config.properties.MAX_VIDEO_BYTES,
    description: 'Maximum size of a video that is processed, at least that of media',
  },
  WORK_PATH: Type.String({
    minLength: 1,
    description: 'Folder for the files of running jobs, which only workers of the same database share',
  }),
  CONCURRENT_JOBS: Count({ default: 1, description: 'Number of videos that are processed at the same time' }),
  MAX_JOB_ATTEMPTS: Count({ default: 5, description: 'Number of attempts, if failures may be temporary' }),
  MAX_JOB_SECONDS: Seconds({ default: 21_600, description: 'How long an attempt may take' }),
  MAX_JOB_MEMORY_MB: Count({ default: 4_096, minimum: 256, description: 'Address space of ffmpeg, in MiB' }),
  MAX_VIDEO_SECONDS: Count({ default: 14_400, description: 'Maximum duration of a video that is processed' }),
  MAX_VIDEO_PIXELS: Count({
    default: 8_192 * 4_320,
    description: 'Maximum width × height of a video that is processed',
  }),
  ENCODER_PRESET: Choice(['ultrafast', 'superfast', 'veryfast', 'faster', 'fast', 'medium', 'slow'], 'veryfast', {
    description: 'Preset of x264: slower ones make smaller files',
  }),
  ENCODER_THREADS: Count({
    default: 0,
    minimum: 0,
    description: 'Threads of each encoder; 0 chooses by the processors',
  }),
});
export type WorkerConfig = Static<typeof WorkerConfig>;
