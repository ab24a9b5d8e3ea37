import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { type Card, cardPx, mostCardBytes } from './card.ts';
import { drawCard } from './draw-card.ts';

const thaiFont = fileURLToPath(
  import.meta.resolve('@expo-google-fonts/noto-sans-thai/700Bold/NotoSansThai_700Bold.ttf'),
);

const plain: Card = {
  cover: 'a',
  initial: 'N',
  language: 'en',
  colors: { ground: '#1d5b52', ink: '#ffffff', muted: '#d0dedc', tint: '#386f67' },
  direction: 'ltr',
  isQuote: false,
  lead: '',
  main: 'Night Signals',
  byline: 'Ana Berg',
  facts: '',
};

const fill = (background: string) =>
  sharp({ create: { width: 640, height: 640, channels: 3, background } })
    .jpeg()
    .toBuffer();
const red = await fill('#d01010');

async function draw(
  card: Partial<Card>,
  cover: Buffer = red,
  fonts: readonly string[] = [],
): Promise<Buffer> {
  const bytes = await drawCard(
    { ...plain, ...card },
    card.cover === null ? undefined : cover,
    fonts,
  );
  expect(bytes.length).toBeLessThanOrEqual(mostCardBytes);
  expect(await sharp(bytes).metadata()).toMatchObject({ format: 'jpeg', ...cardPx });
  return bytes;
}

/** The share of white in a part of the card. */
async function whiteIn(bytes: Buffer, left: number, width: number): Promise<number> {
  const part = { left, top: 0, width, height: cardPx.height };
  const pixels = await sharp(bytes).extract(part).grayscale().raw().toBuffer();
  return pixels.filter((value) => value > 240).length / pixels.length;
}
const columns = { left: [0, 560], right: [640, 560] } as const;

async function redAt(bytes: Buffer, x: number): Promise<boolean> {
  const part = { left: x - 10, top: 300, width: 20, height: 20 };
  const { dominant } = await sharp(await sharp(bytes).extract(part).png().toBuffer()).stats();
  return dominant.r > 150 && dominant.g < 60;
}

// PAGE-16
describe('a card', () => {
  it('a card has the cover on the left and the title on the right', async () => {
    const card = await draw({});
    expect([await redAt(card, 315), await redAt(card, 885)]).toEqual([true, false]);
    expect(await whiteIn(card, ...columns.right)).toBeGreaterThan(0.01);
  });

  it('a card in a script from right to left is mirrored', async () => {
    const card = await draw({ direction: 'rtl', main: 'ليالي الإشارات' });
    expect([await redAt(card, 315), await redAt(card, 885)]).toEqual([false, true]);
    expect(await whiteIn(card, ...columns.left)).toBeGreaterThan(0.005);
  });

  it('a card whose title has letters of no font has the cover alone, in the middle', async () => {
    const card = await draw({ main: '夜の信号' });
    expect(await redAt(card, 600)).toBe(true);
    expect(await whiteIn(card, 900, 300)).toBe(0);
    expect(await draw({ main: '灯台' })).toEqual(card);
    for (const name of ['lead', 'byline'] as const)
      expect(await draw({ [name]: '夜' })).toEqual(card);
    expect(await draw({ main: '🎧' })).toEqual(card);
  });

  it('a card is written with a font that the operator has named', async () => {
    const thai = { language: 'th', main: 'สัญญาณยามค่ำคืน' };
    expect(await redAt(await draw(thai), 600)).toBe(true);
    const card = await draw(thai, red, [thaiFont]);
    expect([await redAt(card, 315), await redAt(card, 600)]).toEqual([true, false]);
    expect(await whiteIn(card, ...columns.right)).toBeGreaterThan(0.01);
    // Not as boxes, which would be as wide for other letters.
    expect(await draw({ ...thai, main: 'กกกกกกกกกกกกกกก' }, red, [thaiFont])).not.toEqual(card);
  });

  it('a card with a Korean title breaks its lines only at spaces', async () => {
    const title = { main: 'Lighthouse-keepers and night-watchers' };
    expect(await draw({ ...title, language: 'ko' })).not.toEqual(await draw(title));
    expect(await draw({ ...title, language: 'de' })).toEqual(await draw(title));
  });

  it('a card is drawn without what no font can write of a date', async () => {
    expect(await draw({ facts: '2026年5月3日' })).toEqual(await draw({}));
  });

  it('a card without cover has the first letter of the show', async () => {
    const card = await draw({ cover: null });
    expect(await whiteIn(card, ...columns.left)).toBeGreaterThan(0.005);
  });

  it('a card without cover and without a letter that can be written has a sign of sound', async () => {
    const card = await draw({ cover: null, initial: '夜', main: '夜の信号' });
    expect(await whiteIn(card, 400, 400)).toBeGreaterThan(0.05);
    expect(await whiteIn(card, 900, 300)).toBe(0);
  });

  it.each<[name: string, cover: () => Promise<Buffer>]>([
    ['noise', async () => pictureOf(640, 640, () => Math.floor(Math.random() * 256))],
    ['one pixel', async () => pictureOf(1, 1, () => 200)],
    ['a wide picture', async () => pictureOf(640, 64, (at) => at % 256)],
    ['gray', () => sharp(red).grayscale().jpeg().toBuffer()],
  ])('the cover of a card is %s', async (_name, make) => {
    await draw({}, await make());
  });

  it.each<[name: string, text: string]>([
    ['200 characters', 'The unabridged history of every lighthouse, '.repeat(5).slice(0, 200)],
    ['one long word', 'Donaudampfschifffahrtsgesellschaftskapitän'.repeat(5)],
    ['markup', '<span size="999999">&amp; <b>x</i> </span></markup>'],
    ['piled marks', `Z${'\u0301\u0323'.repeat(150)}algo`],
    ['wide letters', 'W'.repeat(400)],
    ['turned text', '\u202eevil\u202d \u2067x\u2069 שלום'.repeat(8)],
    ['one letter', 'i'],
    ['lone surrogates', 'a\ud800b\udc00'],
    ['Arabic at length', 'الحلقة الأولى من البرنامج '.repeat(16)],
  ])('every text of a card fits: %s', async (_name, text) => {
    for (const isQuote of [false, true]) {
      await draw({ isQuote, main: text, lead: text, byline: text, facts: text });
    }
  });

  it.each(['ﷺ', 'שׁ', 'W', '@', 'क्ष'])(
    'the densest text of a card fits beside anything: %s',
    async (sign) => {
      const noise = await pictureOf(640, 640, () => Math.floor(Math.random() * 256));
      const text = sign.repeat(400 / sign.length);
      const colors = { ...plain.colors, ground: '#000000' };
      for (const isQuote of [false, true]) {
        await draw({ colors, isQuote, main: text, lead: text, byline: text, cover: null });
        await draw({ colors, isQuote, main: text, lead: text, byline: text }, noise);
      }
    },
  );

  it.each(['\u200e', '\u202e\u202c', '\u00ad', '\ufeff ', '\u034f', '\u0301'])(
    'a card is drawn although one of its texts has nothing to see: %j',
    async (text) => {
      const texts = { lead: text, byline: text, facts: text };
      await draw({ ...texts, cover: null, initial: text });
      await draw({ ...texts, main: text });
    },
  );
});

function pictureOf(width: number, height: number, value: (at: number) => number): Promise<Buffer> {
  const pixels = Uint8Array.from({ length: width * height * 3 }, (_, at) => value(at));
  return sharp(pixels, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 100 })
    .toBuffer();
}
