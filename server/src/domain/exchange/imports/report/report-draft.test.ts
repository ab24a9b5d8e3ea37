import { expect, it } from 'vitest';
import type { ReportedPodcast } from './import-report.ts';
import { ReportDraft } from './report-draft.ts';

const podcast: ReportedPodcast = {
  id: null,
  slug: 's',
  title: 'S',
  guid: 'g',
  outcome: 'created',
  changes: [],
};
const problem = { guid: 'a', title: null, reason: 'bad', message: 'Bad.' };

it('counts every item once, by its final result', () => {
  const draft = new ReportDraft(10);
  draft.outcome('new', 'created');
  draft.outcome('new', 'updated'); // a picture came later
  draft.outcome('old', 'unchanged');
  draft.outcome('changed', 'unchanged');
  draft.outcome('changed', 'updated');
  draft.outcome('waiting', 'created');
  draft.fail('waiting', problem);
  draft.outcome('waiting', 'updated');
  draft.leaveOut(problem);
  expect(draft.finish({ importId: 'i', podcast })).toMatchObject({
    created: 1,
    updated: 1,
    unchanged: 1,
    failed: 2,
    dryRun: false,
  });
});

it('lists a limited number of entries of each kind, and counts the rest', () => {
  const draft = new ReportDraft(2);
  for (let number = 0; number < 5; number += 1) {
    draft.leaveOut(problem);
    draft.warn({ reason: 'odd', message: 'Odd.' });
  }
  const report = draft.finish({ importId: null, podcast });
  expect(report.problems).toHaveLength(2);
  expect(report.warnings).toHaveLength(2);
  expect(report).toMatchObject({ failed: 5, omitted: 6, dryRun: true });
});
