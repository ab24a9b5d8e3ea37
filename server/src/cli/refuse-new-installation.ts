import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseSettings, readDotEnv, readEnvironment } from '../config/environment.ts';
import { findMisspeltSettings } from '../config/misspelt-settings.ts';
import type { Needs } from './command.ts';
import { CommandError } from './describe-failure.ts';

/**
 * In production, a command that finds no installation probably lacks its settings, and would create
 * a second installation by mistake. Whether a PostgreSQL database is one is seen when it is opened.
 */
export function refuseNewInstallation(env: NodeJS.ProcessEnv, needs: Needs): void {
  const dotEnv = readDotEnv(env);
  const misspelt = findMisspeltSettings(Object.keys({ ...dotEnv, ...env }));
  const settings = parseSettings(readEnvironment(env, dotEnv), misspelt);
  if (settings.DATABASE_URL !== undefined) return;
  const folder = resolve(settings.DATA_DIR);
  const isMissing = !existsSync(folder);
  // The first server beside us may still be creating the files in it.
  const isWithoutDatabase = needs === 'installation' && !existsSync(join(folder, 'database'));
  if (!isMissing && !isWithoutDatabase) return;
  const trouble = isMissing ? 'does not exist' : 'holds no database';
  throw new CommandError(
    [
      `There is no installation: DATABASE_URL is unset, and ${folder} (DATA_DIR) ${trouble}.`,
      `This would create ${isMissing ? `${folder} with ` : ''}an embedded database. Pass the settings`,
      'of the service with --env-file FILE, or add --new to create a new installation.',
      ...misspelt,
    ].join('\n'),
  );
}
