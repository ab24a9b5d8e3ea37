import { expect, it } from 'vitest';
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

it('says what a suspension means and what ends it', () => {
  const { subject, text } = renderEmail('overage-suspended', values, english);
  expect(subject).toBe('Your podcasts are suspended');
  const words = text.replace(/\s+/g, ' ');
  expect(words).toContain('Feeds stay, so you lose no subscribers.');
  expect(words).toContain('The suspension ends by itself on 1 April 2026.');
});
