import { describeCommands } from './describe-commands.ts';
import { describeFields } from './describe-fields.ts';
import { describeModules } from './describe-modules.ts';
import { describeSettings, describeSettingsExample } from './describe-settings.ts';
import { describeUntestedRules } from './describe-untested-rules.ts';

/** The documents that `npm run docs` writes, by their path from the repository's root. */
export const generatedDocs: Readonly<Record<string, () => string>> = {
  '.env.example': describeSettingsExample,
  'docs/commands.md': describeCommands,
  'docs/contract/untested.md': describeUntestedRules,
  'docs/fields.md': describeFields,
  'docs/settings.md': describeSettings,
  'server/src/domain/README.md': describeModules,
};
