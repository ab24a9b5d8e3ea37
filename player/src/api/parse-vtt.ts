export interface Cue {
  /** Infinity: unknown. */
  readonly startSeconds: number;
  readonly speaker: string;
  readonly text: string;
}

const timing = /^(?:(\d+):)?(\d\d):(\d\d)\.(\d{3})\s+-->/;
const entities = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['#39', "'"],
  ['nbsp', '\u00a0'],
  ['lrm', '\u200e'],
  ['rlm', '\u200f'],
]);

/** The cues of a WebVTT file, in file order; skips blocks that are not cues. */
export function parseVtt(text: string): Cue[] {
  return text
    .replace(/\r\n?/g, '\n')
    .split(/\n{2,}/)
    .flatMap((block) => {
      const lines = block.split('\n');
      const at = lines.findIndex((line) => timing.test(line));
      const [, hours = '0', minutes, seconds, ms] = timing.exec(lines[at] ?? '') ?? [];
      const startSeconds =
        Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) + Number(ms) / 1000;
      const words = lines.slice(at + 1).join(' ');
      return at < 0 || !words ? [] : [{ startSeconds, ...readVoice(words) }];
    });
}

function readVoice(words: string): { speaker: string; text: string } {
  const [, speaker = ''] = /^\s*<v(?:\.[^<>\s]*)?\s([^<>]*)>/.exec(words) ?? [];
  return { speaker: decode(speaker.trim()), text: decode(words.replace(/<[^<>]*>/g, '')).trim() };
}

function decode(text: string): string {
  return text.replace(/&(#?\w+);/g, (whole, name: string) => entities.get(name) ?? whole);
}

/** The paragraphs of a transcript without times. */
export function parseHtml(html: string): Cue[] {
  const cues: Cue[] = [];
  let speaker = '';
  const page = new DOMParser().parseFromString(html, 'text/html');
  for (const { localName, textContent } of page.querySelectorAll('cite, p')) {
    if (localName === 'p') cues.push({ startSeconds: Infinity, speaker, text: textContent });
    else speaker = textContent.replace(/:$/, '');
  }
  return cues;
}
