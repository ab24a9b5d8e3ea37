/** Random choices that depend on the seed alone, so that a run can be repeated. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 to below 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  pick<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }
}

const odd = [
  ...[
    '',
    ' ',
    '0',
    '-1',
    '1',
    'null',
    'true',
    '[]',
    '{}',
    '.',
    '..',
    '../../etc/passwd',
    '%',
    '%00',
    '%ff',
  ],
  ...[
    '%2e%2e%2f',
    '\u0000',
    '\ufeff',
    '\ud800',
    '💥',
    'ß',
    'İ',
    '\u202e',
    "'",
    '"',
    '<script>',
    '&amp;',
    '{{7*7}}',
  ],
  ...[
    "' or 1=1 --",
    '$1',
    '\\',
    '\r\nX: y',
    '1e309',
    'NaN',
    '9007199254740993',
    '99999999999999999999',
    '-0',
  ],
  ...[
    '2026-13-45',
    '2026-02-30T25:61:61Z',
    '0000-01-01',
    '+275760-09-13T00:00:00Z',
    '-271821-04-20T00:00:00Z',
  ],
  ...[
    '00000000-0000-0000-0000-000000000000',
    'http://127.0.0.1:1/',
    'https://[::1]/',
    'javascript:alert(1)',
    '//x',
  ],
  ...[
    'a'.repeat(300),
    'ä'.repeat(5_000),
    '('.repeat(2_000),
    '*'.repeat(200),
    '\n'.repeat(500),
    'a,'.repeat(3_000),
  ],
  ...[
    '__proto__',
    'constructor',
    'toString',
    'svc_live_x',
    'Bearer x',
    'bytes=0-',
    'bytes=9-1',
    '*/*',
    'W/"x"',
  ],
] as const;

/** A string of a kind that programs often treat wrongly. */
export function oddText(random: Random): string {
  if (random.chance(0.8)) return random.pick(odd);
  const codes = Array.from({ length: random.below(40) }, () =>
    random.below(random.chance(0.5) ? 128 : 0xffff),
  );
  return String.fromCharCode(...codes);
}

/** The text with a few changed, removed or repeated characters. */
export function mutate(random: Random, text: string): string {
  let mutated = text;
  for (let n = 1 + random.below(3); n > 0; n -= 1) {
    const at = random.below(mutated.length + 1);
    const [before, after] = [mutated.slice(0, at), mutated.slice(at)];
    const change = random.below(4);
    if (change === 0) mutated = before + after.slice(1);
    else if (change === 1) mutated = before + oddText(random) + after;
    else if (change === 2)
      mutated = before + String.fromCharCode(random.below(256)) + after.slice(1);
    else mutated = before + after.slice(0, 5) + after;
  }
  return mutated;
}
