import { flagOf, labelOf } from './arguments.ts';
import type { Command } from './command.ts';

// How users call the program. The installed package is JavaScript and has a `bin`.
const program = import.meta.filename.endsWith('.ts') ? 'npm run -s podstead --' : 'podstead';
const gap = 2;

const ofEveryCommand = [
  'Options of every command:',
  '  --help           shows this help',
  "  --env-file FILE  loads a service's settings; environment variables take precedence",
  '  --new            in production: allows creating a new installation',
];

/** One line for each command, or for each of a group. */
export function describeProgram(commands: readonly Command[], family?: string): string {
  const lines = commands.map((command) => [usageOf(command), command.about] as const);
  return [
    `Usage: ${[program, family, 'COMMAND …'].filter(Boolean).join(' ')}`,
    '',
    'Commands:',
    ...table(lines),
    '',
    ...ofEveryCommand,
    '',
    'Without a command, --version prints the version.',
    'JSON goes to standard output, messages to standard error.',
    '',
  ].join('\n');
}

/** The `--help` of a command. */
export function describeCommand(command: Command): string {
  const operands = Object.entries(command.operands).map(
    ([name, spec]) => [labelOf(name, spec), spec.about] as const,
  );
  const options = Object.entries(command.options).map(([name, { value, about, choices }]) => {
    const label = value === undefined ? flagOf(name) : `${flagOf(name)} ${value}`;
    return [label, choices === undefined ? about : `${about}: ${choices.join(', ')}`] as const;
  });
  return [
    `Usage: ${program} ${usageOf(command)}`,
    '',
    command.about,
    ...(command.notes === '' ? [] : ['', command.notes]),
    ...(operands.length + options.length === 0 ? [] : ['', ...table([...operands, ...options])]),
    '',
    ...ofEveryCommand,
    '',
  ].join('\n');
}

/** A command as it is typed: `episode add PODCAST --title TITLE [--publish]`. */
export function usageOf({ name, operands, options }: Command): string {
  const words = Object.entries(operands).map(([operand, spec]) => {
    const label = `${labelOf(operand, spec)}${spec.repeated === true ? ' …' : ''}`;
    return spec.optional === true ? `[${label}]` : label;
  });
  const flags = Object.entries(options).map(([option, { value, required, many }]) => {
    const flag =
      value === undefined ? flagOf(option) : `${flagOf(option)} ${value}${many ? ' …' : ''}`;
    return required === true ? flag : `[${flag}]`;
  });
  return [name, ...words, ...flags].join(' ');
}

/** Two columns; a long left side has a line of its own. */
function table(rows: readonly (readonly [left: string, right: string])[]): string[] {
  const width = Math.min(28, Math.max(...rows.map(([left]) => left.length))) + gap;
  return rows.map(([left, right]) =>
    left.length + gap <= width
      ? `  ${left.padEnd(width)}${right}`
      : `  ${left}\n  ${' '.repeat(width)}${right}`,
  );
}
