import { expect, it } from 'vitest';
import { translateTemplate } from './translate-template.ts';

const source = `A subject

A paragraph of
two lines.

- One
- Two

[Open it]({link})
`;

it('the parts of a template are translated one by one', () => {
  const texts: string[] = [];
  const translated = translateTemplate(source, (text) => {
    texts.push(text);
    return text.toUpperCase();
  });
  expect(texts).toEqual(['A subject', 'A paragraph of two lines.', 'One', 'Two', 'Open it']);
  expect(translated).toBe(
    'A SUBJECT\n\nA PARAGRAPH OF TWO LINES.\n\n- ONE\n- TWO\n\n[OPEN IT]({link})',
  );
});
