import { commands } from '../src/cli/commands.ts';
import { usageOf } from '../src/cli/help.ts';

const head = `# Commands

\`npm run -s podstead -- COMMAND\` runs a command, also while a server is running. \`--help\` after a command explains its
arguments and options. On a system set up as in [install.md](install.md#commands), use the function shown there.

Results are JSON on standard output; messages go to standard error. The exit code is 0 for success, 1 for a refusal or
failure, and 2 for wrong usage. Every command accepts \`--env-file FILE\`, which loads a service's settings (environment
variables take precedence), and in production \`--new\`, which allows creating a new installation.

Without a command, \`--version\` prints the version, and \`--help\` lists the commands. Like \`routes\`, these print text.

\`podcast set\` and \`episode set\` change any of the [fields](fields.md); \`podcast show\`, \`episode list\` and \`episode show\`
print their current values and ids. \`npm run docs\` writes this page.

| command | what it does |
|---|---|
`;

/** The text of docs/commands.md: every command with its usage, in the order of the help. */
export function describeCommands(): string {
  const rows = commands.map(
    (command) => `| \`${usageOf(command).replaceAll('|', '\\|')}\` | ${command.about} |\n`,
  );
  return head + rows.join('');
}
