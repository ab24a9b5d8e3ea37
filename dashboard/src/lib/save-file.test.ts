import { expect, it } from 'vitest';
import { fileNameAbout } from './save-file.ts';

const days = { from: '2026-10-26', to: '2026-11-24' };

it.each([
  [['my-show'], 'Downloads', 'my-show-downloads-2026-10-26--2026-11-24.csv'],
  [['my-show', 'What? A: “B/C”!'], 'Apps', 'my-show-what-a-b-c-apps-2026-10-26--2026-11-24.csv'],
  [['عرض', ''], 'التنزيلات', 'عرض-التنزيلات-2026-10-26--2026-11-24.csv'],
  [
    ['a'.repeat(100)],
    'Referring websites, our own pages among them',
    `${'a'.repeat(50)}-referring-websites-our-own-pages-among-them-2026-10-26--2026-11-24.csv`,
  ],
])('names a file about %j', (names, what, name) => {
  expect(fileNameAbout({ title: '', names, days }, what, 'csv')).toBe(name);
});

it('names one day once', () => {
  const subject = { title: '', names: ['my-show'], days: { from: days.to, to: days.to } };
  expect(fileNameAbout(subject, 'Downloads', 'png')).toBe('my-show-downloads-2026-11-24.png');
});
