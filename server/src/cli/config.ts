import { join } from 'node:path';
import { type Config, createConfig } from '../config/config.ts';
import { parseSettings, readDotEnv, readEnvironment } from '../config/environment.ts';
import { findMisspeltSettings } from '../config/misspelt-settings.ts';
import {
  type ReadSetting,
  type Setting,
  type SettingName,
  type SettingValues,
  settings,
} from '../config/settings.ts';
import { printJson, printLine } from './command-io.ts';
import type { ConfigRuns } from './process-commands.ts';

const mask = '********';

/** A setting's value and source: the environment, a file, a default, or unset. */
interface ShownSetting {
  readonly value: string | null;
  readonly source: string;
}

export const config: ConfigRuns['config'] = async (_args, io) => {
  const dotEnv = readDotEnv(process.env);
  const read = readEnvironment(process.env, dotEnv);
  const warnings = findMisspeltSettings(Object.keys({ ...dotEnv, ...process.env }));
  const derived = derive(parseSettings(read, warnings));
  for (const warning of warnings) printLine(io, warning);
  printJson(io, Object.fromEntries(read.map((setting) => [setting.name, show(setting, derived)])));
};

function show({ name, text, source }: ReadSetting, derived: Derived): ShownSetting {
  const setting: Setting<unknown> = settings[name];
  if (text === undefined) return derived[name] ?? { value: null, source };
  return { value: setting.secret === true ? mask : text, source };
}

type Derived = Readonly<Partial<Record<SettingName, ShownSetting>>>;

/** Settings that follow from others, after all are checked. */
function derive(values: SettingValues): Derived {
  const isEmbedded = values.DATABASE_URL === undefined;
  // Stands for the secret that the embedded database would read or generate.
  const placeholder = isEmbedded ? mask.repeat(4) : undefined;
  const checked: Config = createConfig({ ...values, SECRET: values.SECRET ?? placeholder });
  const { from } = checked.mail;
  return {
    BASE_URL: { value: checked.baseUrl, source: 'default' },
    EMBED_URL: { value: checked.embedUrl, source: 'default' },
    MAIL_FROM: { value: `${from.name} <${from.address}>`, source: 'default' },
    SECRET: { value: mask, source: join(checked.dataDir, 'secret') },
  };
}
