import { UsageError } from './arguments.ts';
import type { Command } from './command.ts';
import { describeCommand, describeProgram } from './help.ts';

/** What was asked for: a command with what follows its name, or to be told how things are used. */
export type Request =
  | { readonly kind: 'command'; readonly command: Command; readonly argv: readonly string[] }
  | { readonly kind: 'help'; readonly text: string };

const helpFlags = ['--help', '-h'];

/** Throws UsageError when nothing of the kind exists. */
export function findCommand(commands: readonly Command[], argv: readonly string[]): Request {
  const [first, second = ''] = argv;
  if (first === undefined) throw new UsageError('Which command?');
  if (first === 'help' || helpFlags.includes(first)) {
    return { kind: 'help', text: describeProgram(commands) };
  }
  const command =
    commands.find(({ name }) => name === `${first} ${second}`) ??
    commands.find(({ name }) => name === first);
  if (command !== undefined) {
    const rest = argv.slice(command.name.split(' ').length);
    return asksForHelp(rest)
      ? { kind: 'help', text: describeCommand(command) }
      : { kind: 'command', command, argv: rest };
  }
  const family = commands.filter(({ name }) => name.startsWith(`${first} `));
  if (family.length === 0) throw new UsageError(`There is no command ${JSON.stringify(first)}.`);
  if (helpFlags.includes(second)) return { kind: 'help', text: describeProgram(family) };
  throw new UsageError(`Say one of: ${family.map(({ name }) => name).join(', ')}.`);
}

/** `--` ends the options: what follows is meant as it stands. */
function asksForHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  const options = end === -1 ? argv : argv.slice(0, end);
  return options.some((argument) => helpFlags.includes(argument));
}
