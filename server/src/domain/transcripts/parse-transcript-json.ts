import { tryParseLanguage } from './cue-text.ts';
import { isRecord, tryReadTime } from './json-fields.ts';
import { type RawSegment, type RawTranscript, TranscriptError } from './transcript.ts';

/**
 * Reads the JSON of the Podcasting 2.0 namespace (`startTime`, `endTime`, `speaker`, `body`) and
 * its common variants: `start`, `end`, `text` (Whisper, our own API), a bare list, times as text.
 */
export function parseTranscriptJson(text: string): RawTranscript {
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (cause) {
    throw new TranscriptError('damaged', 'The transcript is not valid JSON.', { cause });
  }
  const fields = isRecord(document) ? document : {};
  const list = Array.isArray(document) ? document : fields['segments'];
  if (!Array.isArray(list)) {
    throw new TranscriptError('not_a_transcript', 'The JSON has no list of segments.');
  }
  return {
    segments: list.filter(isRecord).map(readSegment),
    language: tryParseLanguage(fields['language']),
  };
}

function readSegment(entry: Record<string, unknown>): RawSegment {
  const text = entry['body'] ?? entry['text'];
  const speaker = entry['speaker'];
  return {
    startMs: tryReadTime(entry['startTime'] ?? entry['start']),
    endMs: tryReadTime(entry['endTime'] ?? entry['end']),
    speaker: typeof speaker === 'string' ? speaker : '',
    text: typeof text === 'string' ? text : '',
  };
}
