import { describe, expect, it } from 'vitest';
import { UsageError } from './arguments.ts';
import { defineProcessCommand } from './command.ts';
import { findCommand } from './find-command.ts';

const run = async () => {};
const commands = [
  defineProcessCommand({
    name: 'episode add',
    about: 'Makes an episode.',
    notes: 'In a script.',
    operands: { podcast: { about: 'its slug' } },
    options: {
      title: { value: 'T', about: 'its title', required: true },
      publish: { about: 'now' },
    },
    run,
  }),
  defineProcessCommand({ name: 'episode set', about: 'Changes one.', run }),
  defineProcessCommand({ name: 'serve', about: 'Serves.', run }),
];

describe('a command', () => {
  it.each([
    [['serve'], 'serve', []],
    [['episode', 'add', 'show', '--publish'], 'episode add', ['show', '--publish']],
    [['serve', '--', '--help'], 'serve', ['--', '--help']],
  ])('is found by its words: %j', (argv, name, rest) => {
    expect(findCommand(commands, argv)).toMatchObject({
      kind: 'command',
      command: { name },
      argv: rest,
    });
  });

  it.each([
    [[], /Which command/],
    [['key', 'create'], /no command "key"/],
    [['episode'], /one of: episode add, episode set/],
    [['episode', 'remove'], /one of: episode add, episode set/],
    [['--port', '1'], /no command "--port"/],
  ])('is not found: %j', (argv, message) => {
    expect(() => findCommand(commands, argv)).toThrow(UsageError);
    expect(() => findCommand(commands, argv)).toThrow(message);
  });
});

describe('help', () => {
  const helpOf = (...argv: string[]) => {
    const request = findCommand(commands, argv);
    return request.kind === 'help' ? request.text : undefined;
  };

  it('lists every command, in each way of asking', () => {
    for (const ask of ['--help', '-h', 'help']) {
      for (const { name, about } of commands) {
        expect(helpOf(ask)).toContain(name);
        expect(helpOf(ask)).toContain(about);
      }
    }
  });

  it('explains one command, wherever it is asked for', () => {
    const expected = [
      'Usage: podstead episode add PODCAST --title T [--publish]',
      '',
      'Makes an episode.',
      '',
      'In a script.',
      '',
      '  PODCAST    its slug',
      '  --title T  its title',
      '  --publish  now',
      '',
    ].join('\n');
    expect(helpOf('episode', 'add', '--help')).toBe(expected);
    expect(helpOf('episode', 'add', 'show', '--title', 'T', '-h')).toBe(expected);
  });

  it('lists a family', () => {
    expect(helpOf('episode', '--help')).toContain('episode set');
    expect(helpOf('episode', '--help')).not.toContain('serve');
  });
});
