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
  ENROLLMENT_URL: HttpOrigin(),
  /** The issuer of the tokens that the gateway accepts. */
  IDP_ISSUER: Type.String(),
  /** The local provider and its issuer. If the gateway accepts tokens of another one, no accounts are registered. */
  IDP_URL: HttpOrigin(),
  LOCAL_ISSUER: Type.String(),
  PASSPORT_PRIVATE_KEY: PrivatePem(),
});

/** Seeds a running system, as `npm start` does for its own. */
try {
  const settings = loadConfig(Settings, process.env);
  const target = {
    services: {
      identity: { url: settings.IDENTITY_URL },
      content: { url: settings.CONTENT_URL },
      enrollment: { url: settings.ENROLLMENT_URL },
    },
    privateKey: settings.PASSPORT_PRIVATE_KEY,
    providerUrl: settings.IDP_ISSUER === settings.LOCAL_ISSUER ? settings.IDP_URL : undefined,
    sampleContent: settings.SEED,
  };
  await seed(target, settings.DATA_DIR, console.log);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = error instanceof ConfigError ? configExitCode : 1;
}
