import * as make from '../../server/test/make-audio-bytes.ts';

/** Honest and hostile audio files by name, each as consecutive parts. */
export const files: Readonly<Record<string, () => readonly Buffer[]>> = {
  'MP3 of an hour, variable rate': () => [
    make.id3v2(100_000),
    make.repeated(Buffer.concat([32, 320, 96].map((kbps) => make.mpegFrame({ kbps }))), 45_938),
  ],
  'AAC of ten minutes': () => [make.repeated(make.adtsFrame(364), 25_840)],
  'Opus of ten minutes': () => [
    make.oggPage({ granule: 0, begins: true }, make.opusHead()),
    make.oggPage({ granule: 0 }, Buffer.from('OpusTags\x04\0\0\0test\0\0\0\0', 'latin1')),
    ...Array.from({ length: 600 }, (_, second) =>
      make.oggPage({ granule: 312 + (second + 1) * 48_000 }, Buffer.alloc(8000, second)),
    ),
  ],
  'M4A of ten seconds': () => [make.ftyp('M4A '), make.box('moov', track), media],
  'M4A of 100,000 empty boxes': () => [
    make.ftyp('M4A '),
    make.box('moov', make.repeated(make.box('free'), 100_000)),
    media,
  ],
  'FLAC of 200,000 empty blocks': () => {
    const flac = make.flac(44_100, 441_000, 5000);
    const head = flac.subarray(0, 42);
    // Clears the flag that marks the first block as the last.
    head[4] = 0;
    const empty = make.repeated(Buffer.from([1, 0, 0, 0]), 200_000);
    return [head, empty, Buffer.from([0x81, 0, 0, 0]), Buffer.alloc(5000)];
  },
};

const track = make.mp4Track({ handler: 'soun', codec: 'mp4a', ticks: 441_000 });
const media = make.box('mdat', Buffer.alloc(80_000, 5));
