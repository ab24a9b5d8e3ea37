import { describe, expect, it } from 'vitest';
import {
  downloadSources,
  type ObservedRequest,
  type RejectionReason,
  toAudioRequest,
} from '../../../domain/audience/downloads/index.ts';
import { renderCountingPage } from './document-page.ts';

const { text } = renderCountingPage();

/** Each reason once: the compiler refuses a list that lacks one. */
const reasons: Readonly<Record<RejectionReason, true>> = {
  future: true,
  head: true,
  not_modified: true,
  redirect: true,
  error: true,
  prefetch: true,
  probe: true,
  unknown_range: true,
  bot: true,
  data_center: true,
  too_many_listeners: true,
};

describe('the page about counting', () => {
  it.each(Object.keys(reasons))('explains why a request does not count: %s', (reason) => {
    expect(text).toContain(`<td><code>${reason}</code></td>`);
  });

  it.each(downloadSources)('the page about counting names the source %s', (source) => {
    expect(text).toContain(`<code>${source}</code>`);
  });

  // COUNT-11
  it('the page about counting says that it is not certified', () => {
    expect(text).toContain('aligned with them, but not certified');
    expect(text).toContain('version 2.2');
  });
});

/** The file of the worked examples: half an hour of 128 kbit/s behind a tag of 50,000 bytes. */
const file = {
  hash: 'ab'.repeat(32),
  sizeBytes: 28_850_000,
  durationMs: 1_800_000,
  bitrateBps: 128_000,
  leadingTagBytes: 50_000,
};
const trailer = { ...file, sizeBytes: 640_000, durationMs: 40_000, leadingTagBytes: 0 };

function receive(of: ObservedRequest['file'], ...sent: [start: number, end: number][]) {
  const observed: ObservedRequest = {
    ...{ at: new Date(), podcastId: '', episodeId: '', source: 'feed', address: '192.0.2.1' },
    ...{ userAgent: 'x', referrer: undefined, framingHost: undefined, method: 'GET', status: 206 },
    ...{ isPrefetch: false, file: of, sent: sent.map(([start, end]) => ({ start, end })) },
  };
  const { audio, neededBytes } = toAudioRequest(observed, Buffer.alloc(32), {
    country: null,
    network: null,
  });
  const bytes = new Set(audio.flatMap(({ start, end }) => steps(start, end)));
  return { received: bytes.size * 1_000, neededBytes };
}

/** The thousands of bytes in a range whose ends are whole thousands. */
const steps = (start: number, end: number) =>
  Array.from({ length: (end + 1 - start) / 1_000 }, (_, index) => start / 1_000 + index);

// COUNT-5, COUNT-6
describe('the worked examples', () => {
  it.each([
    [
      'a union',
      [
        [0, 499_999],
        [400_000, 1_099_999],
      ],
      1_050_000,
    ],
    ['an end after 1,000,000 bytes', [[0, 999_999]], 950_000],
    ['an end after 1,010,000 bytes', [[0, 1_009_999]], 960_000],
    [
      'two pieces',
      [
        [0, 499_999],
        [9_000_000, 9_499_999],
      ],
      950_000,
    ],
    [
      'two larger pieces',
      [
        [0, 499_999],
        [9_000_000, 9_599_999],
      ],
      1_050_000,
    ],
    [
      'the same three times',
      [
        [0, 499_999],
        [0, 499_999],
        [0, 499_999],
      ],
      450_000,
    ],
  ] as [string, [number, number][], number][])('%s: %j', (_name, sent, received) => {
    expect(receive(file, ...sent)).toEqual({ received, neededBytes: 960_000 });
  });

  it('a trailer of forty seconds needs all of it', () => {
    expect(receive(trailer, [0, 639_999])).toEqual({ received: 640_000, neededBytes: 640_000 });
  });

  it('lets wide tables scroll, also by keyboard', () => {
    const tables = text.match(/<table>/g) ?? [];
    expect(tables.length).toBeGreaterThan(3);
    expect(text.match(/<div class="scroll text-table" tabindex="0"><table>/g)).toEqual(
      tables.map(() => expect.any(String)),
    );
  });
});
