import { expect, it } from 'vitest';
import { renderEmail } from '../../foundation/emails/render-email.ts';

const values = {
  name: 'Ana',
  plan: 'Creator',
  month: 'March 2026',
  downloads: '51,234',
  limit: '50,000',
  renews: '1 April 2026',
};

it('says how much of the plan is used, and what can be done', () => {
  const consequence = 'You do not have to do anything.';
  const { subject, text } = renderEmail(
    'overage-near',
    { ...values, consequence },
    'https://pods.example.com',
  );
  expect(subject).toBe("You have used 80 % of this month's downloads");
  expect(text.replace(/\s+/g, ' ')).toBe(
    'Hello Ana, Your podcasts have had 51,234 downloads in March 2026. Your plan Creator includes ' +
      '50,000 each month. You do not have to do anything. If you expect many more downloads before ' +
      '1 April 2026, when the count starts again, ask the operator of https://pods.example.com for a ' +
      'larger plan. -- Sent by Podstead at https://pods.example.com ',
  );
});

it('says what happens when all is used', () => {
  const consequence = 'Nothing changes for your listeners.';
  const { subject, text, html } = renderEmail(
    'overage-reached',
    { ...values, consequence },
    'https://pods.example.com',
  );
  expect(subject).toBe("You have used all of this month's downloads");
  expect(text.replace(/\s+/g, ' ')).toBe(
    'Hello Ana, Your podcasts have had 51,234 downloads in March 2026. Your plan Creator includes ' +
      '50,000 each month. Nothing changes for your listeners. The count starts again on 1 April ' +
      '2026. For a larger plan, ask the operator of https://pods.example.com. -- Sent by Podstead at ' +
      'https://pods.example.com ',
  );
  expect(html).toContain('<strong>51,234</strong>');
});

it('says what a suspension means and what ends it', () => {
  const { subject, text } = renderEmail('overage-suspended', values, 'https://pods.example.com');
  expect(subject).toBe('Your podcasts are suspended');
  const words = text.replace(/\s+/g, ' ');
  expect(words).toContain('Feeds stay, so you lose no subscribers.');
  expect(words).toContain('The suspension ends by itself on 1 April 2026.');
});
