import { describe, expect, it } from 'vitest';
import { flagOf, labelOf, parseArguments, UsageError } from './arguments.ts';

const spec = {
  operands: { podcast: { about: '' }, changes: { about: '', repeated: true } },
  options: {
    title: { value: 'TITLE', about: '', required: true },
    schedule: { value: 'TIME', about: '' },
    state: { value: 'STATE', about: '', choices: ['on', 'off'] },
    dryRun: { about: '' },
    tag: { value: 'TAG', about: '', many: true },
  },
} as const;
const whole = ['show', 'a=1', '--title', 'T'];

describe('valid arguments', () => {
  it.each<[string, string[], object]>([
    ['operands; the last takes the rest', [...whole, 'b=2'], { changes: ['a=1', 'b=2'] }],
    ['options anywhere', ['--title=T', 'show', '--dry-run', 'a=1'], { dryRun: true }],
    ['flags that are not given', whole, { dryRun: false }],
    ['a value with an equals sign', [...whole, '--schedule=a=b'], { schedule: 'a=b' }],
    ['a time in the past', [...whole, '--schedule', '-2h'], { schedule: '-2h' }],
    ['a value that looks like an option, after =', ['show', 'a', '--title=--x'], { title: '--x' }],
    ['an empty value', ['show', 'a', '--title', ''], { title: '' }],
    ['operands like options after --', ['--title', 'T', '--', '-a', '--b'], { podcast: '-a' }],
    ['a choice', [...whole, '--state', 'off'], { state: 'off' }],
    ['a list', [...whole, '--tag', 'a', '--tag=b'], { tag: ['a', 'b'] }],
    ['a list that is not given', whole, { tag: [] }],
  ])('%s', (_, argv, expected) => {
    expect(parseArguments(spec, argv)).toMatchObject(expected);
  });
});

describe('refused arguments', () => {
  it.each<[string, string[], RegExp]>([
    ['an unknown option', [...whole, '--color', 'red'], /Unknown option --color/],
    ['an unknown letter', [...whole, '-x'], /Unknown option -x/],
    ['a missing operand', ['--title', 'T'], /PODCAST is missing/],
    ['nothing for a repeated one', ['show', '--title', 'T'], /CHANGES is missing/],
    ['a missing option', ['show', 'a=1'], /--title is required/],
    ['an option without its value', ['show', 'a=1', '--title'], /--title needs a value/],
    [
      'an option followed by another option',
      ['show', 'a', '--title', '--dry-run'],
      /needs a value/,
    ],
    ['a flag with a value', [...whole, '--dry-run=yes'], /--dry-run takes no value/],
    ['an option given twice', [...whole, '--title', 'U'], /--title may be given only once/],
    ['another choice', [...whole, '--state', 'maybe'], /--state must be one of on, off/],
  ])('%s', (_, argv, message) => {
    expect(() => parseArguments(spec, argv)).toThrow(UsageError);
    expect(() => parseArguments(spec, argv)).toThrow(message);
  });

  it('an extra operand', () => {
    const one = { operands: { file: { about: '' } }, options: {} };
    expect(() => parseArguments(one, ['a', 'b'])).toThrow(/Unexpected argument "b"/);
  });

  it('names of Object.prototype are refused as arguments', () => {
    for (const name of ['constructor', '__proto__', 'toString']) {
      expect(() => parseArguments(spec, [...whole, `--${name}=1`])).toThrow(UsageError);
    }
  });
});

it('names are converted to the form of the command line', () => {
  expect(flagOf('dryRun')).toBe('--dry-run');
  expect(labelOf('fileOrUrl', { about: '' })).toBe('FILE_OR_URL');
  expect(labelOf('pair', { about: '', label: 'A=B' })).toBe('A=B');
});
