import { ConfigError, configExitCode, loadConfig } from '@lms/config/load-config';
import { Flag, HttpOrigin, PrivatePem } from '@lms/config/settings';
import { Type } from '@sinclair/typebox';
import { seed } from './seed.ts';

const Settings = Type.Object({
  SEED: Flag(true),
  /** The folder of seed.json. */
  DATA_DIR: Type.String({ default: '.data' }),
  IDENTITY_URL: HttpOrigin(),
  CONTENT_URL: HttpOrigin(),
  MEDIA_URL: HttpOrigin(),
  ENROLLMENT_URL: HttpOrigin(),
  /** The local provider; without it, no accounts are registered. */
  IDP_URL: Type.Optional(HttpOrigin()),
  PASSPORT_PRIVATE_KEY: PrivatePem(),
});

/** Seeds a running system, as `npm start` does for its own. */
try {
  const settings = loadConfig(Settings, process.env);
  const target = {
    services: {
      identity: { url: settings.IDENTITY_URL },
      content: { url: settings.CONTENT_URL },
      media: { url: settings.MEDIA_URL },
      enrollment: { url: settings.ENROLLMENT_URL },
    },
    privateKey: settings.PASSPORT_PRIVATE_KEY,
    providerUrl: settings.IDP_URL,
    sampleContent: settings.SEED,
  };
  await seed(target, settings.DATA_DIR, console.log);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = error instanceof ConfigError ? configExitCode : 1;
}
