import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseSettings, readDotEnv, readEnvironment } from '../config/environment.ts';
import { CommandError } from './describe-failure.ts';

/**
 * In production, a command that finds no installation probably lacks its settings, and would create
 * a second installation by mistake.
 */
export function refuseNewInstallation(env: NodeJS.ProcessEnv): void {
  if (env['NODE_ENV'] !== 'production') return;
  const settings = parseSettings(readEnvironment(env, readDotEnv(env)));
  const folder = resolve(settings.DATA_DIR);
  if (settings.DATABASE_URL !== undefined || existsSync(folder)) return;
  throw new CommandError(
    [
      `There is no installation: DATABASE_URL is unset, and ${folder} (DATA_DIR) does not exist.`,
      `This would create ${folder} with an embedded database. Pass the settings of the service`,
      'with --env-file FILE, or add --new to create a new installation.',
    ].join('\n'),
  );
}
