import { describe, expect, it } from 'vitest';
import {
  readFeedShowNotes,
  readPlainText,
} from '../src/domain/exchange/imports/read/feed-texts.ts';
import { parseChapters, parseTranscript } from '../src/domain/publishing/transcripts/index.ts';
import { escapeXml } from '../src/lib/escape.ts';
import { htmlToPlainText } from '../src/lib/html/html-to-plain-text.ts';
import { plainTextToHtml } from '../src/lib/html/plain-text-to-html.ts';
import { sanitizeShowNotes } from '../src/lib/html/sanitize-show-notes.ts';
import { acceptableGrowth, measureGrowth } from './growth.ts';
import { parseFeed } from './parse-feed.ts';
import { onReferenceMachine } from './reference-machine.ts';

// Measures functions that read text, with their loops and the libraries they call. Regular
// expressions are measured one by one in linear-regexps.test.ts.

const cue = 'WEBVTT\n\n00:00.000 --> 00:01.000\n';

/** Texts for every function: a beginning, and a piece that is repeated after it. */
const anyText: Readonly<Record<string, readonly [before: string, repeated: string]>> = {
  spaces: ['', ' '],
  'spaces that stay': ['<pre>', ' '],
  'tabs and spaces that stay': ['<pre>', ' \t'],
  'lines of spaces that stay': ['<pre>', '   \n'],
  'blank lines': ['', '\n \n'],
  'carriage returns': ['', '\r'],
  'tags that never end': ['', '<'],
  'attributes that never end': ['<a ', 'b="c" '],
  'quotes that never end': ['', '<a href="'],
  'elements within elements': ['', '<b>'],
  'divisions within divisions': ['', '<div>'],
  'lists within lists': ['', '<ul><li>'],
  'headings within headings': ['', '<h1>x'],
  'links within links': ['', '<a href="https://example.org">x'],
  'tables within tables': ['', '<table><tr><td>'],
  'ends of nothing': ['<p>', '</b>'],
  'comments that never end': ['', '<!--'],
  'ends of comments': ['', '-->'],
  'raw text that never ends': ['', '<xmp><b>'],
  ampersands: ['', '&'],
  references: ['', '&amp;'],
  'addresses on end': ['', 'http://'],
  'brackets behind an address': ['https://example.org/', ')'],
  'short links': ['', '<a href="https://example.org">x</a> '],
  'parts of tokens': ['', '%ffeyJ.'],
  'words without end': ['', 'a'],
  'invisible signs': ['', '\u200b'],
  'half characters': ['', '\ud800'],
};

const readers: Readonly<Record<string, (text: string) => unknown>> = {
  htmlToPlainText,
  plainTextToHtml,
  sanitizeShowNotes,
  escapeXml,
  'the words of a feed': (text) => readPlainText(text, 100_000),
  'the show notes of a feed': readFeedShowNotes,
  'a transcript in WebVTT': (text) => parseTranscript(cue + text),
  'a transcript in SubRip': (text) => parseTranscript(`1\n${cue.slice(8)}${text}`),
  'a transcript in HTML': (text) => parseTranscript(`<html><p>${text}`),
  'a transcript in JSON': (text) => parseTranscript(JSON.stringify([{ start: 0, body: text }])),
  'a transcript as text': (text) => parseTranscript(`x ${text}`),
  chapters: (text) => parseChapters(JSON.stringify([{ startTime: 0, title: text, url: text }])),
};

/** A function may refuse the text, but must do so quickly. */
function attempt(read: (text: string) => unknown, text: string): void {
  try {
    read(text);
  } catch {
    // Too long, too deep, no words.
  }
}

describe.each(Object.entries(readers))('%s', (_name, read) => {
  it.each(Object.entries(anyText))(
    'a parser takes linear time for %s',
    (_text, [before, repeated]) => {
      const growth = measureGrowth((n) =>
        attempt(read, before + repeated.repeat(Math.ceil(n / repeated.length))),
      );
      expect(growth).toBeLessThan(acceptableGrowth);
    },
  );
});

const feeds: Readonly<Record<string, (text: string) => string>> = {
  'in a description': (text) => `<item><title>x</title><description>${text}</description></item>`,
  'in CDATA': (text) =>
    `<item><title>x</title><description><![CDATA[${text}]]></description></item>`,
  'in a title': (text) => `<item><title>${text}</title></item>`,
  'in an attribute': (text) => `<item><enclosure url="${text}"/></item>`,
  'in the channel': (text) => `<description>${text}</description>`,
  'as elements': (text) => `<item>${text}</item>`,
};

describe.each(Object.entries(feeds))('a feed with text %s', (_name, wrap) => {
  it.each(Object.entries(anyText))(
    'a feed is read in linear time with repeated text: %s',
    async (_text, [before, repeated]) => {
      const write = (n: number) => {
        const text = before + repeated.repeat(Math.ceil(n / repeated.length));
        return `<rss><channel><title>t</title>${wrap(text)}</channel></rss>`;
      };
      // Measured as CPU time, because reading waits for nothing else.
      const begun = process.threadCpuUsage();
      await parseFeed(write(500_000)).catch(() => {});
      const { user, system } = process.threadCpuUsage(begun);
      expect(onReferenceMachine((user + system) / 1e3)).toBeLessThan(10_000);
    },
  );
});
