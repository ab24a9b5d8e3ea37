import { describe, expect, it } from 'vitest';
import { mayHaveRegexps } from '../scripts/may-have-regexps.ts';
import { acceptableGrowth, measureGrowth } from './growth.ts';
import { listRegexps } from './list-regexps.ts';

/** Texts that are repeated to make a regular expression quadratic. */
const repeated = [
  ...[
    ' ',
    '\t',
    '\n',
    ' \n',
    '\n ',
    '\r\n',
    'a',
    'A',
    'Aa ',
    '0',
    '0 ',
    '.',
    '..',
    'a.',
    '.a',
    '-',
  ],
  ...[
    '--',
    '--->',
    '/',
    '//',
    '://',
    'a/',
    ':',
    '0:',
    ';',
    ',',
    ', ',
    '=',
    '?',
    '#',
    '%',
    '%2',
    '+',
  ],
  ...[
    '<',
    '</',
    '<a',
    '<a ',
    '<a a',
    '<!',
    '<!--',
    '>',
    '&',
    '&a',
    '&#',
    '&#x',
    '"',
    "'",
    '("',
    '(',
  ],
  ...[
    ')',
    '[',
    '[[',
    ']',
    '{',
    '{\\',
    '}',
    '@',
    'a@',
    '_',
    '\\',
    '`',
    '|',
    '~',
    '\u00e9',
    '\u7530',
  ],
  ...['\ud800', '\ud83d\ude00', '\u200b', '\ufeff', '\u2028', '\u0000', 'eyJ', 'eyJ.', '%ffeyJ'],
];
const endings = ['', '\u0001', '!'];
/** A quadratic expression takes a million steps for this, a linear one a few thousand. */
const probeChars = 6_000;
const suspiciousMs = 1;

interface Attack {
  readonly before: string;
  readonly pump: string;
  readonly ending: string;
}

describe('regular expressions', () => {
  const all = listRegexps();

  it('regular expressions are found', () => {
    expect(all.length).toBeGreaterThan(150);
  });

  it('the linter of regular expressions parses each source that has one', () => {
    expect(all.filter(({ text }) => !mayHaveRegexps(text)).map(({ name }) => name)).toEqual([]);
    const others = ['const half = width / 2; // and/or\n', "import { a } from './a/b.ts';\n"];
    expect(others.filter(mayHaveRegexps)).toEqual([]);
  });

  it.each(all)('regular expressions take linear time: $name', ({ source, flags }) => {
    expect(findSlowAttack(new RegExp(source, flags))).toBeUndefined();
  });

  it('regular expressions are detected if they take quadratic time', () => {
    expect(findSlowAttack(/[ \t]+$/gm)).toBeDefined();
  });
});

function findSlowAttack(regexp: RegExp): Attack | undefined {
  return attacksOn(regexp.source).find((attack) => {
    const text = write(attack, probeChars);
    const begun = performance.now();
    apply(regexp, text);
    if (performance.now() - begun < suspiciousMs) return false;
    return measureGrowth((n) => apply(regexp, write(attack, n))) > acceptableGrowth;
  });
}

/** All these texts, at the beginning and after literals of the expression. */
function attacksOn(source: string): Attack[] {
  const words = [...new Set(source.match(/[A-Za-z<&/"'-]{2,12}/g) ?? [])];
  const pumps = [...new Set([...repeated, ...words])];
  return ['', ...words].flatMap((before) =>
    pumps.flatMap((pump) => endings.map((ending) => ({ before, pump, ending }))),
  );
}

function write({ before, pump, ending }: Attack, chars: number): string {
  return before + pump.repeat(Math.ceil(chars / pump.length)) + ending;
}

/** Applies a global expression to the whole text, as our code does. */
function apply(regexp: RegExp, text: string): void {
  if (regexp.global) text.replace(regexp, '');
  else regexp.exec(text);
}
