import { randomBytes } from 'node:crypto';
import { type App, createApp, type Overrides } from '../../server/src/app.ts';
import { createConfig } from '../../server/src/config/config.ts';
import { parseSettings, readEnvironment } from '../../server/src/config/environment.ts';

/** Where an installation stores its data. Without a URL, its database is embedded. */
export interface Place {
  readonly dataDir: string;
  readonly databaseUrl?: string;
  /** Further settings. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** Opens an installation like an operator's. Ignores the environment of this process. */
export function openInstallation(
  { dataDir, databaseUrl, settings }: Place,
  overrides: Overrides = {},
): Promise<App> {
  const environment = {
    DATA_DIR: dataDir,
    SECRET: randomBytes(32).toString('hex'),
    LOG_LEVEL: 'warn',
    OUTBOUND_ALLOW: '127.0.0.0/8',
    ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
    ...settings,
  };
  return createApp(createConfig(parseSettings(readEnvironment(environment))), overrides);
}
