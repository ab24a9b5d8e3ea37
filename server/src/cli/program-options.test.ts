import { describe, expect, it } from 'vitest';
import { UsageError } from './arguments.ts';
import { readProgramOptions } from './program-options.ts';

describe('the options of every command', () => {
  // CLI-6
  it.each([
    [['user', 'list'], ['user', 'list'], undefined, false],
    [['--env-file', 'f', 'user', 'list'], ['user', 'list'], 'f', false],
    [['user', 'list', '--env-file=f', '--new'], ['user', 'list'], 'f', true],
    [['seed', '--', '--new'], ['seed', '--', '--new'], undefined, false],
  ])('the options of every command are removed from %j', (typed, argv, envFile, isNew) => {
    expect(readProgramOptions(typed)).toEqual({ argv, envFile, isNew });
  });

  it('the options of every command require a file', () => {
    for (const typed of [
      ['serve', '--env-file'],
      ['serve', '--env-file='],
    ]) {
      expect(() => readProgramOptions(typed)).toThrow(UsageError);
    }
  });
});
