import { expect, it } from 'vitest';
import { startDraft } from './draft.ts';
import { readDraft } from './read-draft.ts';

const draft = startDraft({ revision: 3, fields: { title: 'First light' } }, 0);

it('reads what was written', () => {
  expect(readDraft(draft)).toBe(draft);
});

it('ignores broken drafts', () => {
  const broken = [
    ...[undefined, null, 5, [], {}],
    ...[
      { ...draft, mine: undefined },
      { ...draft, base: null },
      { ...draft, revision: '3' },
      { ...draft, held: { title: 'x' } },
    ],
  ];
  for (const kept of broken) expect(readDraft(kept)).toBeUndefined();
});

it('readDraft does not let a draft of a newer release be replaced', () => {
  expect(() => readDraft({ ...draft, version: 2 })).toThrow('newer release');
});
