import { flagOf, labelOf } from './arguments.ts';
import type { Command } from './command.ts';

const program = 'podstead';
const gap = 2;

/** Every command, a line each. */
export function describeProgram(commands: readonly Command[]): string {
  const lines = commands.map((command) => [usageOf(command), command.about] as const);
  return [
    `Usage: npm run -s ${program} -- COMMAND …`,
    '',
    'Commands:',
    ...table(lines),
    '',
    'JSON goes to standard output, words to standard error. --help explains each command.',
    '',
  ].join('\n');
}

/** What `--help` says of one command. */
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
  ].join('\n');
}

/** `episode add PODCAST --title TITLE [--publish]` */
function usageOf({ name, operands, options }: Command): string {
  const words = Object.entries(operands).map(
    ([operand, spec]) => `${labelOf(operand, spec)}${spec.repeated === true ? ' …' : ''}`,
  );
  const flags = Object.entries(options).map(([option, { value, required }]) => {
    const flag = value === undefined ? flagOf(option) : `${flagOf(option)} ${value}`;
    return required === true ? flag : `[${flag}]`;
  });
  return [name, ...words, ...flags].join(' ');
}

/** Two columns; a left side too long for its column has a line to itself. */
function table(rows: readonly (readonly [left: string, right: string])[]): string[] {
  const width = Math.min(28, Math.max(...rows.map(([left]) => left.length))) + gap;
  return rows.map(([left, right]) =>
    left.length + gap <= width
      ? `  ${left.padEnd(width)}${right}`
      : `  ${left}\n  ${' '.repeat(width)}${right}`,
  );
}
