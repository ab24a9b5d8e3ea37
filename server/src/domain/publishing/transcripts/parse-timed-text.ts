import { linesOf, tryParseClock } from './cue-text.ts';
import { LeftOutParts } from './left-out.ts';
import { carrySpeakers, takePrefixes } from './speaker-prefix.ts';
import type { RawSegment, RawTranscript } from './transcript.ts';

// The text exports of transcription programs: a time, and usually a name, before each turn.
//
//   Otter       Ana Lopez  0:03            and the words below
//   Riverside   Ana Lopez (00:03.2)        and the words below
//   Rev         Ana Lopez (00:03):         and the words below
//   Descript    [00:00:03] Ana Lopez: Hello   or   **Ana Lopez:** [00:00:03] Hello
//   Sonix       Speaker1: [00:00:03] Hello
//   Omny        00:00:03                   and `Ana Lopez: Hello` below
//   Whisper     [00:00.000 --> 00:03.500]  Hello

const time = String.raw`((?:\d{1,4}:)?\d{1,3}:\d{2}(?:[.,:]\d{1,3})?)`;
const arrow = String.raw`\s{0,3}(?:--?>|–|—|-|to)\s{0,3}`;
const rangeFirst = new RegExp(String.raw`^[[(]?${time}${arrow}${time}[\])]?:?(?:\s(.*))?$`);
const bracketFirst = new RegExp(String.raw`^[[(]${time}[\])]:?(.*)$`);
const bareFirst = new RegExp(String.raw`^${time}(?:\s(.*))?$`);
const nameFirst = new RegExp(String.raw`^(\S.{0,59}?):?\s{0,9}[[(]${time}[\])]:?(?:\s(.*))?$`);
const nameThenBare = new RegExp(String.raw`^(\S.{0,59}?):?(\s{1,9})${time}$`);
const nameLike = /^[\p{L}\p{N}("'“][\p{L}\p{M}\p{N} .,'’()&/_-]{0,59}$/u;
const capitalized = /^[\p{Lu}\p{Lo}\p{N}("'“]\S*(?: [\p{Lu}\p{Lo}\p{N}("'“&]\S*){0,5}$/u;
/** A time and a name are within so many characters. */
const maxHeadLength = 160;

type Kind = 'range' | 'bracket' | 'bare' | 'name' | 'name bare';

/** The line that begins a turn. */
interface Head {
  readonly kind: Kind;
  readonly startMs: number;
  readonly endMs: number | undefined;
  /** Undefined: the name may be in `rest`. */
  readonly name: string | undefined;
  readonly rest: string;
}

function tryReadHead(line: string): Head | undefined {
  const start = line.slice(0, maxHeadLength).replaceAll('**', '').trimStart();
  if (!/\d:\d/.test(start)) return undefined;
  const tail = line.slice(maxHeadLength);
  const head = tryReadPlain(tail === '' ? start.trimEnd() : start);
  return head === undefined ? undefined : { ...head, rest: head.rest + tail };
}

function tryReadPlain(line: string): Head | undefined {
  const range = rangeFirst.exec(line);
  if (range !== null) return headOf('range', { start: range[1], end: range[2], rest: range[3] });
  const bracket = bracketFirst.exec(line);
  if (bracket !== null) return headOf('bracket', { start: bracket[1], rest: bracket[2] });
  const bare = bareFirst.exec(line);
  if (bare !== null) return headOf('bare', { start: bare[1], rest: bare[2] });
  const [, name = '', start, rest = ''] = nameFirst.exec(line) ?? [];
  // Without words behind it, it need not look like a name: `ana_lopez (00:03)`.
  if (start !== undefined && (rest === '' ? nameLike : capitalized).test(name)) {
    return headOf('name', { start, rest, name });
  }
  const [, who = '', space = '', at] = nameThenBare.exec(line) ?? [];
  const isName = /\s\s|\t/.test(space) ? nameLike.test(who) : capitalized.test(who);
  return at !== undefined && isName ? headOf('name bare', { start: at, name: who }) : undefined;
}

function headOf(
  kind: Kind,
  {
    start,
    end,
    name,
    rest = '',
  }: Partial<Record<'start' | 'end' | 'name' | 'rest', string | undefined>>,
): Head | undefined {
  const startMs = tryParseClock(start ?? '');
  const endMs = end === undefined ? undefined : tryParseClock(end);
  if (startMs === undefined) return undefined;
  return { kind, startMs, endMs, name: name?.trim(), rest: rest.trimStart() };
}

/** Real exports begin with at most a title, a date and a list of names. */
const maxPreambleLines = 8;
const footer = /^Transcribed by https?:\/\/\S+$/i;

/** Undefined if the text has no times. */
export function tryParseTimedText(text: string): RawTranscript | undefined {
  const kinds = findKinds(text);
  if (kinds.size === 0) return undefined;
  const reader = new Reader(kinds);
  for (const line of linesOf(text)) reader.line(line);
  const { turns, leftOut } = reader;
  const segments = withNames(turns).flatMap(segmentsOf);
  if (segments.some(({ speaker }) => speaker !== '')) return { segments, leftOut };
  return { segments: carrySpeakers(takePrefixes(segments, { trustsFirst: true })), leftOut };
}

/** The kinds of heads that are meant as such. A time in a sentence is none. */
function findKinds(text: string): Set<Kind> {
  const seen = new Map<Kind, { count: number; backwards: number; lastMs: number }>();
  let firstAt = Number.POSITIVE_INFINITY;
  let lines = 0;
  for (const line of linesOf(text)) {
    if (line.trim() === '') continue;
    lines += 1;
    const head = tryReadHead(line);
    if (head === undefined) continue;
    firstAt = Math.min(firstAt, lines);
    const before = seen.get(head.kind) ?? { count: 0, backwards: 0, lastMs: 0 };
    before.count += 1;
    if (head.startMs < before.lastMs) before.backwards += 1;
    before.lastMs = head.startMs;
    seen.set(head.kind, before);
  }
  const good = [...seen].filter(([kind, { count, backwards }]) => {
    if (backwards * 10 > count) return false;
    return count > 1 || (firstAt === 1 && seen.size === 1 && kind !== 'bare');
  });
  return new Set(firstAt > maxPreambleLines ? [] : good.map(([kind]) => kind));
}

/** What was said after one head. */
interface Turn {
  readonly head: Head;
  readonly lines: string[];
}

class Reader {
  readonly turns: Turn[] = [];
  readonly leftOut = new LeftOutParts();
  readonly #kinds: ReadonlySet<Kind>;

  constructor(kinds: ReadonlySet<Kind>) {
    this.#kinds = kinds;
  }

  line(line: string): void {
    const head = tryReadHead(line);
    if (head !== undefined && this.#kinds.has(head.kind)) {
      this.turns.push({ head, lines: head.rest === '' ? [] : [head.rest] });
      return;
    }
    const turn = this.turns.at(-1);
    const isWords = line.trim() !== '' && !footer.test(line.trim());
    if (turn !== undefined && (isWords || line.trim() === '')) turn.lines.push(line);
    else if (line.trim() !== '') this.leftOut.add(line);
  }
}

/**
 * Some exports have the name behind the time or in a line of its own, without a colon. It is a name
 * if nearly all turns begin with one, and the same ones return.
 */
function withNames(turns: readonly Turn[]): readonly Turn[] {
  if (turns.some(({ head }) => head.name !== undefined)) return turns;
  const names = turns.map(({ lines: [first = '', ...rest] }) => {
    const isName = capitalized.test(first.trim()) && nameLike.test(first.trim());
    return isName && rest.some((line) => line.trim() !== '') ? first.trim() : undefined;
  });
  const found = names.filter((name) => name !== undefined);
  if (found.length * 10 < turns.length * 8 || new Set(found).size === found.length) return turns;
  return turns.map((turn, index) => {
    const name = names[index];
    if (name === undefined) return turn;
    return { head: { ...turn.head, name }, lines: turn.lines.slice(1) };
  });
}

/** A paragraph is a segment. The first has the start, the last the end. */
function segmentsOf({ head, lines }: Turn): RawSegment[] {
  const segments: RawSegment[] = [];
  let words: string[] = [];
  const finish = () => {
    if (words.length === 0) return;
    const startMs = segments.length === 0 ? head.startMs : undefined;
    const speaker = head.name ?? '';
    segments.push({ startMs, endMs: undefined, speaker, text: words.join('\n') });
    words = [];
  };
  for (const line of lines) {
    if (line.trim() === '') finish();
    else words.push(line);
  }
  finish();
  return segments.map((segment, index) =>
    index === segments.length - 1 ? { ...segment, endMs: head.endMs } : segment,
  );
}
