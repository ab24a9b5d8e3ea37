import { describe, expect, it } from 'vitest';
import { splitLead } from './split-lead.ts';

const long = 'x'.repeat(300);

describe('splitLead', () => {
  it.each([
    ['', '', ''],
    ['One.\n\nTwo.', 'One.\n\nTwo.', ''],
    [`${long}\n\n${long}\n \n${long}`, long, `${long}\n\n${long}`],
    [`${long}${long}`, `${long}${long}`, ''],
    [`${long}${long}\n\nRest`, `${long}${long}`, 'Rest'],
  ])('%#', (text, lead, rest) => {
    expect(splitLead(text)).toEqual([lead, rest]);
  });
});
