import { describe, expect, it } from 'vitest';
import { UsageError } from './arguments.ts';
import { processCommands } from './command.ts';
import { episodeCommands } from './episode-commands.ts';
import { findCommand } from './find-command.ts';

const many = { value: 'ID', about: 'which ones', many: true } as const;
const specs = {
  add: {
    name: 'episode add',
    about: 'Makes an episode.',
    notes: 'In a script.',
    operands: { podcast: { about: 'its slug' } },
    options: {
      title: { value: 'T', about: 'its title', required: true },
      publish: { about: 'now' },
    },
  },
  set: { name: 'episode set', about: 'Changes one.' },
  serve: { name: 'serve', about: 'Serves.' },
  setTitle: { name: 'episode set title', about: 'Changes its title.', options: { of: many } },
  createKey: { name: 'site key create', about: 'Makes a key.' },
} as const;
const run = async () => {};
const runs = { add: run, set: run, serve: run, setTitle: run, createKey: run };
const commands = processCommands(specs, async () => runs);

describe('a command', () => {
  it.each([
    [['serve'], 'serve', []],
    [['episode', 'add', 'show', '--publish'], 'episode add', ['show', '--publish']],
    [['serve', '--', '--help'], 'serve', ['--', '--help']],
    [['episode', 'set', 'title', 'x'], 'episode set title', ['x']],
    [['episode', 'set', 'x', 'title'], 'episode set', ['x', 'title']],
  ])('a command is found by its name: %j', (argv, name, rest) => {
    expect(findCommand(commands, argv)).toMatchObject({
      kind: 'command',
      command: { name },
      argv: rest,
    });
  });

  it.each([
    [[], /No command given/],
    [['key', 'create'], /Unknown command "key"/],
    [['episode'], /episode is incomplete\. Try one of: episode add, episode set, /],
    [
      ['episode', 'remove'],
      /Unknown command "episode remove"\. Try one of: episode add, episode set, /,
    ],
    [['site', 'key', 'remove'], /Unknown command "site key remove"\. Try one of: site key create/],
    [['--port', '1'], /Unknown command "--port"/],
  ])('a command is not found: %j', (argv, message) => {
    expect(() => findCommand(commands, argv)).toThrow(UsageError);
    expect(() => findCommand(commands, argv)).toThrow(message);
  });
});

describe('help', () => {
  const helpOf = (...argv: string[]) => {
    const request = findCommand(commands, argv);
    return request.kind === 'help' ? request.text : undefined;
  };

  it('lists every command', () => {
    for (const ask of ['--help', '-h', 'help']) {
      for (const { name, about } of commands) {
        expect(helpOf(ask)).toContain(name);
        expect(helpOf(ask)).toContain(about);
      }
    }
  });

  it('the command line prints the version of the package for --version', () => {
    expect(helpOf('--version')).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  // CLI-19
  it('explains one command, in any position', () => {
    const expected = [
      'Usage: npm run -s podstead -- episode add PODCAST --title T [--publish]',
      '',
      'Makes an episode.',
      '',
      'In a script.',
      '',
      '  PODCAST    its slug',
      '  --title T  its title',
      '  --publish  now',
      '',
      'Options of every command:',
      '  --help           shows this help',
      "  --env-file FILE  loads a service's settings; environment variables take precedence",
      '  --new            in production: allows creating a new installation',
      '',
    ].join('\n');
    expect(helpOf('episode', 'add', '--help')).toBe(expected);
    expect(helpOf('episode', 'add', 'show', '--title', 'T', '-h')).toBe(expected);
  });

  it('mentions that transcripts are not public by default', () => {
    for (const name of ['set', 'add']) {
      const command = episodeCommands.find((known) => known.name === `episode ${name}`);
      expect(command?.notes).toContain('publish_transcript=true');
    }
  });

  it('lists a group of commands', () => {
    expect(helpOf('episode', '--help')).toContain('episode set');
    expect(helpOf('episode', '--help')).toMatch(
      /^Usage: npm run -s podstead -- episode COMMAND …\n/,
    );
    expect(helpOf('episode', '--help')).not.toContain('serve');
  });
});
