import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { tryParseBackupPlace } from '../lib/backup-place.ts';
import { fileOfVariable } from './env-file.ts';
import {
  type ReadSetting,
  type Setting,
  type SettingName,
  type SettingValues,
  settings,
} from './settings.ts';

export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`These settings are wrong or missing:\n${problems.map((p) => `  ${p}`).join('\n')}`);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/** The texts of all settings and their sources. An empty variable counts as unset. */
export function readEnvironment(
  env: NodeJS.ProcessEnv,
  dotEnv: Readonly<Record<string, string | undefined>> = {},
): ReadSetting[] {
  return (Object.keys(settings) as SettingName[]).map((name) => {
    const setting: Setting<unknown> = settings[name];
    if (env[name]) {
      return { name, text: env[name], source: fileOfVariable(env, name) ?? 'environment' };
    }
    if (dotEnv[name]) return { name, text: dotEnv[name], source: '.env' };
    if (setting.fallback !== undefined) return { name, text: setting.fallback, source: 'default' };
    return { name, text: undefined, source: 'unset' };
  });
}

/**
 * Reads `.env` in the working directory, in development only; production sets its environment
 * itself.
 */
export function readDotEnv(env: NodeJS.ProcessEnv): Record<string, string | undefined> {
  if (env['NODE_ENV'] === 'production') return {};
  try {
    return parseEnv(readFileSync('.env', 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}

/**
 * Parses and checks all settings. Throws one ConfigError that reports every problem without
 * repeating values. `warnings` may explain why a setting is missing, so they are reported too.
 */
export function parseSettings(
  read: readonly ReadSetting[],
  warnings: readonly string[] = [],
): SettingValues {
  const problems: string[] = [];
  const values = read.map(({ name, text }) => {
    if (text === undefined) return [name, undefined];
    try {
      return [name, settings[name].parse(text)];
    } catch (error) {
      problems.push(`${name} ${(error as Error).message}.`);
      return [name, undefined];
    }
  });
  problems.push(...checkTogether(read));
  if (problems.length > 0) throw new ConfigError([...problems, ...warnings]);
  return Object.fromEntries(values) as SettingValues;
}

/**
 * Problems between settings. Checks which settings are present, not their values: a setting that is
 * present but invalid is not reported as missing too.
 */
function checkTogether(read: readonly ReadSetting[]): string[] {
  const texts = new Map(read.map(({ name, text }) => [name, text]));
  const has = (name: SettingName): boolean => texts.get(name) !== undefined;
  const problems: string[] = [];
  if (has('DATABASE_URL') && !has('SECRET')) {
    // Processes share a server's database, so each generated secret would differ.
    problems.push('SECRET is required with DATABASE_URL (at least 32 bytes, the same everywhere).');
  }
  if (has('DATABASE_LISTEN_URL') && !has('DATABASE_URL'))
    problems.push('DATABASE_URL is required with DATABASE_LISTEN_URL, which only complements it.');
  if (has('TERMS_URL') && !has('TERMS_VERSION')) {
    problems.push('TERMS_VERSION is required with TERMS_URL, because users accept a version.');
  }
  if (has('METRICS_PORT') && Number(texts.get('METRICS_PORT')) === Number(texts.get('PORT'))) {
    problems.push('METRICS_PORT must differ from PORT.');
  }
  const isBucket = tryParseBackupPlace(texts.get('BACKUP_TO') ?? '')?.kind === 's3';
  return [...problems, ...checkBucket(has, isBucket)];
}

function checkBucket(has: (name: SettingName) => boolean, isForBackups: boolean): string[] {
  if (!has('S3_BUCKET') && !isForBackups) return [];
  const reason = has('S3_BUCKET') ? 'S3_BUCKET' : 'a bucket in BACKUP_TO';
  const missing = (['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const)
    .filter((name) => !has(name))
    .map((name) => `${name} is required with ${reason}.`);
  if (!has('S3_BUCKET')) return missing;
  return has('X_ACCEL_REDIRECT')
    ? [...missing, 'X_ACCEL_REDIRECT serves files from disk and does not work with S3_BUCKET.']
    : missing;
}
