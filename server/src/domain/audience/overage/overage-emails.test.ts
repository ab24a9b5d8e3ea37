import { expect, it } from 'vitest';
import { type Language, languageIds } from '../../../lib/languages.ts';
import { renderEmail } from '../../foundation/emails/render-email.ts';

const values = {
  name: 'Ana',
  plan: 'Creator',
  month: '2026-03-01T00:00:00.000Z',
  downloads: 51_234,
  limit: 50_000,
  renews: '2026-04-01T00:00:00.000Z',
};
const english = { site: 'https://pods.example.com', language: 'en' } as const;

it('says how much of the plan is used, and what can be done', () => {
  const consequence = { sentence: 'nearChangesNothing', values: {} };
  const { subject, text } = renderEmail('overage-near', { ...values, consequence }, english);
  expect(subject).toBe("You have used 80 % of this month's downloads");
  expect(text.replace(/\s+/g, ' ')).toBe(
    'Hello Ana, Your podcasts have had 51,234 downloads in March 2026. Your plan Creator includes ' +
      '50,000 each month. You do not have to do anything. If you expect many more downloads before ' +
      '1 April 2026, when the count starts again, ask the operator of https://pods.example.com for a ' +
      'larger plan. -- Sent by Podstead at https://pods.example.com ',
  );
});

it('says what happens when all is used', () => {
  const consequence = { sentence: 'reachedChangesNothing', values: {} };
  const all = { ...values, consequence };
  const { subject, text, html } = renderEmail('overage-reached', all, english);
  expect(subject).toBe("You have used all of this month's downloads");
  expect(text.replace(/\s+/g, ' ')).toBe(
    'Hello Ana, Your podcasts have had 51,234 downloads in March 2026. Your plan Creator includes ' +
      '50,000 each month. Nothing changes for your listeners. The count starts again on 1 April ' +
      '2026. For a larger plan, ask the operator of https://pods.example.com. -- Sent by Podstead at ' +
      'https://pods.example.com ',
  );
  expect(html).toContain('<strong>51,234</strong>');
});

it('says when shows will be suspended, in the language of the email', () => {
  const { renews } = values;
  const day = '2026-03-27T00:00:00.000Z';
  const consequence = { sentence: 'reachedSuspends', values: { day, renews } };
  const all = { ...values, consequence };
  const render = (language: 'en' | 'de') =>
    renderEmail('overage-reached', all, { ...english, language }).text;
  expect(render('en')).toContain('On 27 March 2026 your podcasts will be suspended: listeners');
  expect(render('en')).toContain('with a larger plan, or on 1 April 2026.');
  expect(render('de')).toContain('51.234 Downloads');
  expect(render('de')).toContain('Am 27. März 2026 werden Ihre Podcasts gesperrt');
});

it('says how many days there are until a suspension, in the language of the email', () => {
  const render = (language: Language, days: number) => {
    const consequence = { sentence: 'nearSuspends', values: { limit: 50_000, days } };
    const near = renderEmail('overage-near', { ...values, consequence }, { ...english, language });
    const duration = { sentence: 'overFor', values: { days } };
    const suspended = { ...values, duration };
    const past = renderEmail('overage-suspended', suspended, { ...english, language });
    return [near, past].map(({ text }) => text);
  };
  const expected: Readonly<Record<Language, readonly [before: string, after: string]>> = {
    en: ['suspended 7 days later:', 'They have been over it for 7 days. So they'],
    de: [
      'werden Ihre Podcasts 7 Tage später gesperrt:',
      'Sie liegen seit 7 Tagen darüber. Deshalb',
    ],
    fr: ['seront suspendus 7 jours plus tard', 'Ils le dépassent depuis 7 jours. Ils sont'],
    es: ['se suspenderán 7 días después:', 'Llevan 7 días por encima. Por eso'],
    ja: ['その7日後に', '7日間それを超えています。そのため'],
    ar: ['بعد 7 أيام', 'منذ 7 أيام'],
  };
  for (const language of languageIds) {
    for (const [i, text] of render(language, 7).entries()) {
      expect(text.replace(/[\u2068\u2069]/g, '')).toContain(expected[language][i]);
    }
  }
  expect(render('en', 1)[0]).toContain('1 day later');
  expect(render('de', 1)[1]).toContain('seit 1 Tag darüber');
});

it('says what a suspension means and what ends it', () => {
  const all = { ...values, duration: { sentence: 'overFor', values: { days: 7 } } };
  const { subject, text } = renderEmail('overage-suspended', all, english);
  expect(subject).toBe('Your podcasts are suspended');
  const words = text.replace(/\s+/g, ' ');
  expect(words).toContain('Feeds stay, so you lose no subscribers.');
  expect(words).toContain('The suspension ends by itself on 1 April 2026.');
});
