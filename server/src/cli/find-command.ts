import rootPackage from '../../../package.json' with { type: 'json' };
import { UsageError } from './arguments.ts';
import type { Command } from './command.ts';
import { describeCommand, describeProgram } from './help.ts';

/** A command with its arguments, or a request for help or for the version. */
export type Request =
  | { readonly kind: 'command'; readonly command: Command; readonly argv: readonly string[] }
  | { readonly kind: 'help'; readonly text: string };

const helpFlags = ['--help', '-h'];

/** Throws UsageError if there is no such command. */
export function findCommand(commands: readonly Command[], argv: readonly string[]): Request {
  const [first] = argv;
  if (first === undefined) throw new UsageError('No command given.');
  if (first === '--version') return { kind: 'help', text: `${rootPackage.version}\n` };
  if (first === 'help' || helpFlags.includes(first)) {
    return { kind: 'help', text: describeProgram(commands) };
  }
  const command = findByName(commands, argv);
  if (command !== undefined) {
    const rest = argv.slice(command.name.split(' ').length);
    return asksForHelp(rest)
      ? { kind: 'help', text: describeCommand(command) }
      : { kind: 'command', command, argv: rest };
  }
  const begun = findBeginning(commands, argv);
  if (begun === undefined) throw new UsageError(`Unknown command ${JSON.stringify(first)}.`);
  const family = commands.filter(({ name }) => name.startsWith(`${begun} `));
  const next = argv[begun.split(' ').length] ?? '';
  if (helpFlags.includes(next)) return { kind: 'help', text: describeProgram(family, begun) };
  const names = family.map(({ name }) => name).join(', ');
  const wrong =
    next === ''
      ? `The command ${begun} is incomplete`
      : `Unknown command ${JSON.stringify(`${begun} ${next}`)}`;
  throw new UsageError(`${wrong}. Try one of: ${names}.`);
}

/** The longest beginning of names that was typed: one or two words. */
function findBeginning(commands: readonly Command[], argv: readonly string[]): string | undefined {
  const typed = [2, 1].map((words) => argv.slice(0, words).join(' '));
  return typed.find((words) => commands.some(({ name }) => name.startsWith(`${words} `)));
}

/** Names have one to three words; the longest that fits is meant. */
function findByName(commands: readonly Command[], argv: readonly string[]): Command | undefined {
  const names = [3, 2, 1].map((words) => argv.slice(0, words).join(' '));
  return names.map((typed) => commands.find(({ name }) => name === typed)).find(Boolean);
}

/** `--` ends the options; `--help` after it is an argument. */
function asksForHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  const options = end === -1 ? argv : argv.slice(0, end);
  return options.some((argument) => helpFlags.includes(argument));
}
