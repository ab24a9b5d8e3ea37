import { join } from 'node:path';
import { type Config, createConfig } from '../config/config.ts';
import {
  parseSettings,
  type ReadSetting,
  readDotEnv,
  readEnvironment,
} from '../config/environment.ts';
import {
  type Setting,
  type SettingName,
  type SettingValues,
  settings,
} from '../config/settings.ts';
import { defineProcessCommand } from './command.ts';
import { printJson } from './command-io.ts';

const mask = '********';

/** What is in force, and whose word it is: the environment, `.env`, a default, or nobody's. */
interface ShownSetting {
  readonly value: string | null;
  readonly source: string;
}

export const config = defineProcessCommand({
  name: 'config',
  about: 'Shows the settings in force, secrets masked, and where each came from.',
  notes: 'Refuses wrong settings as every command does, with every problem named.',
  async run(_args, io) {
    const read = readEnvironment(process.env, readDotEnv(process.env));
    const derived = derive(parseSettings(read));
    printJson(
      io,
      Object.fromEntries(read.map((setting) => [setting.name, show(setting, derived)])),
    );
  },
});

function show({ name, text, source }: ReadSetting, derived: Derived): ShownSetting {
  const setting: Setting<unknown> = settings[name];
  if (text === undefined) return derived[name] ?? { value: null, source };
  return { value: setting.secret === true ? mask : text, source };
}

type Derived = Readonly<Partial<Record<SettingName, ShownSetting>>>;

/** What those come to that are not given, after the settings are checked together. */
function derive(values: SettingValues): Derived {
  const isEmbedded = values.DATABASE_URL === undefined;
  // In the place of the secret that would be read, or made, for the embedded database.
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
