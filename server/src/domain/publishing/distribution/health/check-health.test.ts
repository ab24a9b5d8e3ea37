import { describe, expect, it } from 'vitest';
import { checkHealth } from './check-health.ts';
import { episodeRules } from './episode-rules.ts';
import { episodeProblems, type HealthFacts } from './health-facts.ts';
import { showRules } from './show-rules.ts';

const healthy: HealthFacts = {
  show: {
    title: 'Night Signals',
    author: 'Ana',
    description: 'Radio from space.',
    language: 'en',
    category: 'Science',
    ownerEmail: 'ana@example.com',
    copyright: 'Ana Example',
    itunesBlock: false,
    aiContent: false,
    showType: 'episodic',
    status: 'active',
    suspendedFor: null,
  },
  artwork: { id: 'a', contentType: 'image/jpeg', width: 3000, height: 3000 },
  artworkBytes: 512_000,
  categoryProblems: [],
  isSecure: true,
  prefixProblem: undefined,
  unknownPrefixes: [],
  episodesInFeed: 1,
  episodeProblems: {},
};
type Changes = Partial<Omit<HealthFacts, 'show'>> & {
  readonly show?: Partial<HealthFacts['show']>;
};
const check = ({ show, ...facts }: Changes) =>
  checkHealth({ ...healthy, ...facts, show: { ...healthy.show, ...show } });
const artwork = (width: number, height: number) => ({
  artwork: { id: 'a', contentType: 'image/png', width, height },
});

describe('the health of a show', () => {
  it('finds nothing in a healthy one, and says what it has looked at', () => {
    const { findings, passed } = check({});
    expect(findings).toEqual([]);
    expect(passed).toHaveLength(showRules.length + episodeRules.length);
  });

  const cases: readonly (readonly [rule: string, severity: string, changes: Changes])[] = [
    ['feed_is_public', 'error', { show: { status: 'draft' } }],
    ['feed_is_public', 'error', { show: { status: 'overage_suspended' } }],
    ['feed_is_current', 'warning', { show: { status: 'paused' } }],
    ['feed_is_current', 'warning', { show: { status: 'moved' } }],
    ['has_an_episode', 'error', { episodesInFeed: 0 }],
    ['artwork', 'error', { artwork: null }],
    ['artwork_square', 'error', artwork(2000, 1999)],
    ['artwork_size', 'error', artwork(1399, 1399)],
    ['artwork_size', 'error', artwork(3001, 3001)],
    ['artwork_bytes', 'advice', { artworkBytes: 512_001 }],
    ['title', 'warning', { show: { title: 'x'.repeat(256) } }],
    ['description', 'warning', { show: { description: ' Night Signals ' } }],
    ['description', 'warning', { show: { description: '' } }],
    ['description_length', 'warning', { show: { description: 'é'.repeat(2001) } }],
    ['category', 'error', { show: { category: null } }],
    ['category_known', 'error', { categoryProblems: [{ field: 'category', message: 'No.' }] }],
    ['language', 'error', { show: { language: 'und' } }],
    ['author', 'warning', { show: { author: ' ' } }],
    ['owner_email', 'warning', { show: { ownerEmail: null } }],
    ['not_hidden', 'warning', { show: { itunesBlock: true } }],
    ['ai_content', 'advice', { show: { aiContent: null } }],
    ['copyright', 'advice', { show: { copyright: '© 2026 Ana' } }],
    ['prefixes_work', 'error', { prefixProblem: { problem: 'unreachable', host: 'op3.dev' } }],
    ['prefixes_work', 'error', { prefixProblem: { problem: 'elsewhere', host: 'op3.dev' } }],
    ['prefixes_work', 'error', { prefixProblem: { problem: 'insecure', host: 'op3.dev' } }],
    ['prefixes_known', 'advice', { unknownPrefixes: ['https://measure.example/'] }],
    ['https', 'warning', { isSecure: false }],
  ];

  it.each(cases)('finds %s (%s) in %o', (rule, severity, changes) => {
    const { findings, passed } = check(changes);
    expect(findings).toMatchObject([{ rule, severity, episodes: null }]);
    expect(passed.map((one) => one.rule)).not.toContain(rule);
  });

  it.each([
    ['operator', 'ask the operator'],
    ['overage', 'a larger plan'],
  ] as const)(
    'the health of a show says what helps if the %s has suspended the show',
    (suspendedFor, advice) => {
      const [finding] = check({ show: { status: 'overage_suspended', suspendedFor } }).findings;
      expect(finding?.whatToDo).toContain(advice);
    },
  );

  it('every rule has a case', () => {
    const tested = new Set(cases.map(([rule]) => rule));
    expect(showRules.map(({ rule }) => rule).filter((rule) => !tested.has(rule))).toEqual([]);
  });

  it('accepts the smallest and the largest artwork', () => {
    for (const side of [1400, 3000]) expect(check(artwork(side, side)).findings).toEqual([]);
  });
});

describe('the health of episodes', () => {
  it('the health of episodes has one rule for each problem', () => {
    expect(episodeRules.map(({ problem }) => problem).sort()).toEqual([...episodeProblems].sort());
  });

  it('the health of episodes names the episodes concerned, the gravest first', () => {
    const concerned = { count: 2, first: [{ id: 'e', title: 'One' }] };
    const { findings } = check({
      episodeProblems: { no_transcript: concerned, no_number: concerned, no_audio: concerned },
    });
    expect(findings.map(({ rule, severity }) => [rule, severity])).toEqual([
      ['episode_audio', 'error'],
      ['episode_number', 'warning'],
      ['episode_transcript', 'advice'],
    ]);
    expect(findings[0]?.episodes).toEqual(concerned);
  });
});
