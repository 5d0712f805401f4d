import { loadConfig } from '@lms/config/load-config';
import { exitWith } from '../supervisor/process.ts';
import { SeedSettings, seed } from './seed.ts';

/** Seeds a running system, as `npm start` does for its own. */
try {
  await seed(loadConfig(SeedSettings, process.env), console.log);
} catch (error) {
  exitWith(error);
}
