import { describe, expect, it } from 'vitest';
import {
  acknowledge,
  adopt,
  applyDecision,
  applyEdits,
  fieldsToSend,
  isClean,
  recordSending,
  startDraft,
} from './draft.ts';

const started = startDraft({ revision: 1, fields: { title: 'Pilot', notes: '' } }, 0);
const edited = applyEdits(started, [{ field: 'title', from: 'Pilot', to: 'Mine' }], 5);

describe('an edit', () => {
  it('an edit is what will be sent', () => {
    expect(fieldsToSend(edited)).toEqual({ title: 'Mine' });
    expect(edited.editedAt).toBe(5);
  });

  it('an edit that is undone leaves nothing to send', () => {
    const back = applyEdits(edited, [{ field: 'title', from: 'Mine', to: 'Pilot' }], 6);
    expect(isClean(back)).toBe(true);
  });

  it('an edit that is undone after it was sent is sent, unless a response shows that it need not be', () => {
    const sent = recordSending(edited, { title: 'Mine' });
    const back = applyEdits(sent, [{ field: 'title', from: 'Mine', to: 'Pilot' }], 6);
    expect(fieldsToSend(back)).toEqual({ title: 'Pilot' });
  });

  it('an edit of a text that changed meanwhile keeps both texts', () => {
    const adopted = adopt(started, { revision: 2, fields: { title: 'Theirs', notes: '' } });
    const late = applyEdits(adopted, [{ field: 'title', from: 'Pilot', to: 'Pilot!' }], 6);
    expect(late.mine['title']).toBe('Pilot!');
    expect(late.held).toEqual({ title: ['Theirs'] });
    expect(fieldsToSend(late)).toEqual({});
  });
});

describe('the state of the server', () => {
  const theirs = { revision: 2, fields: { title: 'Theirs', notes: 'New' } };

  it('replaces fields that only others changed', () => {
    const draft = adopt(edited, { revision: 2, fields: { title: 'Pilot', notes: 'New' } });
    expect(draft).toMatchObject({ revision: 2, mine: { title: 'Mine', notes: 'New' }, held: {} });
    expect(fieldsToSend(draft)).toEqual({ title: 'Mine' });
  });

  it('the state of the server waits for a decision in fields that both changed', () => {
    const draft = adopt(edited, theirs);
    expect(draft).toMatchObject({
      mine: { title: 'Mine', notes: 'New' },
      held: { title: ['Theirs'] },
    });
    expect(isClean(draft)).toBe(false);
    expect(fieldsToSend(draft)).toEqual({});
  });

  it('replaces only the earlier text of the server while a decision waits', () => {
    const later = { revision: 3, fields: { title: 'Theirs too', notes: 'New' } };
    expect(adopt(adopt(edited, theirs), later).held).toEqual({ title: ['Theirs too'] });
  });

  it('the state of the server needs no decision if it equals the person’s text', () => {
    const draft = adopt(edited, { revision: 2, fields: { title: 'Mine', notes: '' } });
    expect(isClean(draft)).toBe(true);
  });

  it('the state of the server is recognized as sent by this browser, also in the form of the server', () => {
    const sent = recordSending(edited, { title: ' Mine ' });
    const draft = adopt(sent, { revision: 2, fields: { title: 'Mine', notes: '' } });
    expect(draft).toMatchObject({ held: {}, sent: {}, normalized: { title: 'Mine' } });
    expect(fieldsToSend(draft)).toEqual({ title: 'Mine' });
  });
});

describe('a response of the server', () => {
  const response = { revision: 2, fields: { title: 'mine' } };

  it('a response of the server never replaces text that the person typed', () => {
    const draft = acknowledge(edited, { title: 'Mine' }, response);
    expect(draft.mine['title']).toBe('Mine');
    expect(isClean(draft)).toBe(true);
  });

  it('leaves text that was typed meanwhile to be sent', () => {
    const typed = applyEdits(edited, [{ field: 'title', from: 'Mine', to: 'Mine!' }], 7);
    expect(fieldsToSend(acknowledge(typed, { title: 'Mine' }, response))).toEqual({
      title: 'Mine!',
    });
  });

  it('a response of the server in the server’s form does not count as a change by others later', () => {
    const draft = acknowledge(edited, { title: 'Mine' }, response);
    const later = adopt(draft, { revision: 3, fields: { title: 'mine', notes: 'New' } });
    expect(later).toMatchObject({ mine: { title: 'Mine', notes: 'New' }, held: {} });
    expect(isClean(later)).toBe(true);
  });

  it('a response of the server with few fields counts as one revision, because others may have changed the rest', () => {
    const fields = { title: 'Mine' };
    const draft = acknowledge(edited, { title: 'Mine' }, { revision: 4, fields }, 1);
    expect(draft).toMatchObject({ revision: 2, base: { title: 'Mine', notes: '' } });
    expect(acknowledge(edited, { title: 'Mine' }, { revision: 1, fields }, 1).revision).toBe(1);
  });

  it('a response of the server that is older than the state of another tab changes nothing', () => {
    const ahead = adopt(edited, { revision: 3, fields: { title: 'Mine', notes: 'New' } });
    expect(acknowledge(ahead, { title: 'Mine' }, response)).toBe(ahead);
  });
});

it('the late effect of an unanswered request is no change by others', () => {
  const sent = recordSending(recordSending(edited, { title: 'Mine' }), { title: 'Pilot' });
  const back = applyEdits(sent, [{ field: 'title', from: 'Mine', to: 'Pilot' }], 8);
  const unchanged = acknowledge(
    back,
    { title: 'Pilot' },
    { revision: 1, fields: { title: 'Pilot' } },
  );
  expect(isClean(unchanged)).toBe(true);
  const late = adopt(unchanged, { revision: 2, fields: { title: 'Mine', notes: '' } });
  expect(late).toMatchObject({ held: {}, mine: { title: 'Pilot' } });
  expect(fieldsToSend(late)).toEqual({ title: 'Pilot' });
});

describe('a decision', () => {
  const waiting = adopt(edited, { revision: 2, fields: { title: 'Theirs', notes: '' } });
  const decide = (value: string, seen = ['Theirs']) =>
    applyDecision(waiting, { field: 'title', value, seen }, 9);

  it('a decision for one’s own text sends it', () => {
    expect(fieldsToSend(decide('Mine'))).toEqual({ title: 'Mine' });
  });

  it('a decision for the other text sends nothing', () => {
    expect(isClean(decide('Theirs'))).toBe(true);
    expect(decide('Theirs').mine['title']).toBe('Theirs');
  });

  it('a decision for an edited text sends that', () => {
    expect(fieldsToSend(decide('Both'))).toEqual({ title: 'Both' });
  });

  it('a decision about a text that has changed again is asked for again', () => {
    expect(decide('Mine', ['An older text']).held).toEqual({ title: ['Theirs'] });
  });
});
