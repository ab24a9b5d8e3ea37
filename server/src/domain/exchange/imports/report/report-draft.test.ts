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
const limits = { reportedEntries: 1_000, reportBytes: 300_000 };
const problem = { guid: 'a', title: null, reason: 'bad', message: 'Bad.' };

it('counts every item once, by its final result', () => {
  const draft = new ReportDraft(limits);
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

it('an outcome that was settled can still change, and counts once', () => {
  const draft = new ReportDraft(limits);
  draft.outcome('old', 'unchanged');
  draft.outcome('new', 'created');
  draft.outcome('other', 'unchanged');
  const before = ['old', 'new'].map((key) => [key, draft.outcomeOf(key)] as const);
  draft.settleAll();
  for (const [key, outcome] of before) {
    draft.reopen(key, outcome);
    draft.outcome(key, 'updated');
    draft.settle(key);
  }
  draft.reopen('other', 'unchanged');
  draft.fail('other', problem);
  const counts = { created: 1, updated: 1, unchanged: 0, failed: 1 };
  expect(draft.finish({ importId: 'i', podcast })).toMatchObject(counts);
});

it('lists a limited number of entries of each kind, and counts the rest', () => {
  const draft = new ReportDraft({ ...limits, reportedEntries: 2 });
  for (let number = 0; number < 5; number += 1) {
    draft.leaveOut(problem);
    draft.warn({ reason: 'odd', message: 'Odd.' });
  }
  const report = draft.finish({ importId: null, podcast });
  expect(report.problems).toHaveLength(2);
  expect(report.warnings).toHaveLength(2);
  expect(report).toMatchObject({ failed: 5, omitted: 6, dryRun: true });
});

it('a report shortens the texts of entries, at any depth', () => {
  const draft = new ReportDraft(limits);
  const long = 'x'.repeat(5_000);
  const item = { guid: long, title: long };
  draft.fail('a', { ...item, reason: 'bad', message: long });
  const funding = [{ url: long, message: 'Give' }];
  draft.plan(item, 'updated', [{ field: 'funding', from: null, to: funding }]);
  draft.keep([{ field: 'title', here: long, source: long }], item);
  draft.leaveUnread({ element: long, level: 'item', count: 1 });
  const changes = [{ field: 'description', from: long, to: 'Short' }];
  const report = draft.finish({ importId: null, podcast: { ...podcast, changes } });
  const short = `${'x'.repeat(199)}…`;
  expect(report.problems[0]).toMatchObject({ guid: short, title: short });
  expect(report.problems[0]?.message).toHaveLength(2_000);
  expect(report.changes[0]?.changes[0]?.to).toEqual([{ url: short, message: 'Give' }]);
  expect(report.conflicts[0]).toMatchObject({ here: short, source: short });
  expect(report.notKept[0]?.element).toBe(short);
  expect(report.podcast.changes[0]).toEqual({ field: 'description', from: short, to: 'Short' });
  expect(JSON.stringify(report).length).toBeLessThan(5_000);
});

it('a report has a limited size in bytes: problems come first, and the rest is counted', () => {
  const draft = new ReportDraft({ ...limits, reportBytes: 20_000 });
  const item = { guid: 'é'.repeat(100), title: '日'.repeat(100) };
  for (let number = 0; number < 100; number += 1) {
    draft.plan(item, 'created', []);
    draft.warn({ reason: 'odd', message: 'Odd.' }, item);
  }
  for (let number = 0; number < 10; number += 1) draft.leaveOut({ ...problem, ...item });
  const report = draft.finish({ importId: null, podcast });
  expect(report.problems).toHaveLength(10);
  expect(report.changes).toEqual([]);
  expect(report.warnings.length).toBeGreaterThan(10);
  expect(report.warnings.length + report.omitted).toBe(200);
  expect(Buffer.byteLength(JSON.stringify(report))).toBeLessThan(21_000);
});
