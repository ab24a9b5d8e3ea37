import { describe, expect, it } from 'vitest';
import { formatVtt } from '../../../server/src/domain/publishing/transcripts/format-transcript.ts';
import { parseVtt } from './parse-vtt.ts';

describe('parseVtt', () => {
  it('reads what the service writes', async () => {
    const segments = [
      { startMs: 0, endMs: 1500, speaker: 'Ines & Tomas', text: 'a < b > c & "d" --> e' },
      { startMs: 1500, endMs: 2000, speaker: '', text: 'Nobody in particular: hello.' },
      { startMs: 3_723_004, endMs: 3_724_000, speaker: 'Ines', text: 'After an hour.' },
    ];
    expect(parseVtt(await formatVtt(segments, 'en'))).toEqual(
      segments.map(({ startMs, speaker, text }) => ({
        startSeconds: startMs / 1000,
        speaker,
        text,
      })),
    );
  });

  it.each([
    ['00:01.000 --> 00:02.000\nShort', 1, 'Short'],
    ['100:00:00.000 --> 100:00:01.000\nLong', 360_000, 'Long'],
    ['7\n00:00:01.500 --> 00:00:02.000 align:start\nNamed, set', 1.5, 'Named, set'],
    ['00:00:01.000 --> 00:00:02.000\nTwo\nlines', 1, 'Two lines'],
    ['00:00:01.000 --> 00:00:02.000\n<c.loud>Styled</c> <i>text</i>', 1, 'Styled text'],
    ['00:00:01.000 --> 00:00:02.000\n&constructor; &lt;b&gt;', 1, '&constructor; <b>'],
  ])('%j', (cue, startSeconds, text) => {
    const file = `\uFEFFWEBVTT\r\n\r\nNOTE a note\r\n\r\n${cue.replaceAll('\n', '\r\n')}\r\n`;
    expect(parseVtt(file)).toEqual([{ startSeconds, speaker: '', text }]);
  });

  it('reads voices with classes', () => {
    const [cue] = parseVtt('WEBVTT\n\n00:01.000 --> 00:02.000\n<v.first.loud Esme Reyl>Hello</v>');
    expect(cue).toEqual({ startSeconds: 1, speaker: 'Esme Reyl', text: 'Hello' });
  });

  it.each(['', 'WEBVTT', 'no cues at all', '00:00:01.000 --> 00:00:02.000', '<!doctype html>'])(
    'finds no cue in %j',
    (text) => {
      expect(parseVtt(text)).toEqual([]);
    },
  );
});
