import { Config as Content } from 'content/config';
import { Config as Enrollment } from 'enrollment/config';
import { Config as Gateway } from 'gateway/config';
import { Config as Identity } from 'identity/config';
import { Settings as Local } from 'local/settings';
import { Config as Media } from 'media/config';
import { WorkerConfig } from 'media/worker-config';

/** The settings of each process, by the folder whose README describes them. */
export const processes = {
  gateway: Gateway,
  'services/identity': Identity,
  'services/content': Content,
  'services/media': Media,
  'services/media/src/renditions': WorkerConfig,
  'services/enrollment': Enrollment,
};

/** The schemas for `.env.example`. If two contain the same setting, the later one is used. */
export const exampleSources = [...Object.values(processes).toReversed(), Local];
