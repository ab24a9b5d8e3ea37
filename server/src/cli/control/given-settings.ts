import { createHash } from 'node:crypto';
import { readEnvironment } from '../../config/environment.ts';
import type { ReadSetting, SettingName } from '../../config/settings.ts';

/** Hashes of the values of settings, by name: values may be secrets. */
export type GivenSettings = Readonly<Record<string, string>>;

/** No command reads these, or caller and server may name the same folder in two ways. */
const irrelevant: ReadonlySet<SettingName> = new Set([
  'DATA_DIR',
  'HOST',
  'LOG_LEVEL',
  'METRICS_PORT',
  'PORT',
  'WORKER',
]);

/** The settings that the environment gives to a command, without defaults and `.env`. */
export function givenSettings(env: NodeJS.ProcessEnv): GivenSettings {
  const given = readEnvironment(env).flatMap(({ name, text, source }) =>
    text === undefined || source === 'default' || irrelevant.has(name) ? [] : [[name, hash(text)]],
  );
  return Object.fromEntries(given);
}

/** The names of those with another value than `own`. */
export function findOtherSettings(given: GivenSettings, own: readonly ReadSetting[]): string[] {
  return own
    .filter(({ name, text = '' }) => name in given && given[name] !== hash(text))
    .map(({ name }) => name);
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
