import type { ReadSetting, SettingName } from './settings.ts';

/**
 * Problems between settings. Checks which settings are present, not their values: a setting that is
 * present but invalid is not reported as missing too.
 */
export function checkTogether(read: readonly ReadSetting[]): string[] {
  const texts = new Map(read.map(({ name, text }) => [name, text]));
  const has = (name: SettingName): boolean => texts.get(name) !== undefined;
  const problems: string[] = [];
  if (has('DATABASE_URL') && !has('SECRET')) {
    // Processes share a server's database, so each generated secret would differ.
    problems.push('SECRET is required with DATABASE_URL (at least 32 bytes, the same everywhere).');
  }
  if (has('TERMS_URL') && !has('TERMS_VERSION')) {
    problems.push('TERMS_VERSION is required with TERMS_URL, because users accept a version.');
  }
  if (has('METRICS_PORT') && Number(texts.get('METRICS_PORT')) === Number(texts.get('PORT'))) {
    problems.push('METRICS_PORT must differ from PORT.');
  }
  return [...problems, ...checkBucket(has)];
}

function checkBucket(has: (name: SettingName) => boolean): string[] {
  if (!has('S3_BUCKET')) return [];
  const missing = (['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const)
    .filter((name) => !has(name))
    .map((name) => `${name} is required with S3_BUCKET.`);
  return has('X_ACCEL_REDIRECT')
    ? [...missing, 'X_ACCEL_REDIRECT serves files from disk and does not work with S3_BUCKET.']
    : missing;
}
