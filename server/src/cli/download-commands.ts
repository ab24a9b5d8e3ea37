import { type AppRuns, appCommands, type CommandSpec } from './command.ts';

const ingest = {
  name: 'downloads ingest',
  about: 'Counts the downloads in an access log.',
  notes: [
    'Reads the Combined Log Format, JSON lines (as nginx can write them), and the logs of CloudFront',
    'and S3, also compressed with gzip. A log that was read before is not counted again, and of one',
    'that has grown, only the rest. docs/access-logs.md says what each format can tell.',
    '',
    '"lines" are all lines of the file; "requests" are those for audio of this installation, and',
    '"counted" is how many downloads they added; "rejected" says how many cannot count and why',
    '(docs/counting.md); "unreadable" lines have no known format; "already_read" ones were counted',
    'before.',
  ].join('\n'),
  operands: { file: { about: 'the log' } },
} as const satisfies CommandSpec;

const recountDays = {
  name: 'downloads recount',
  about: 'Counts the downloads of some days again, by the present rules.',
  notes: [
    'Days are in UTC. Evidence is kept for today and the two days before it: other days of the',
    'range stay as they are and are named under "skipped". "before" and "after" are the downloads of',
    'the others.',
    '',
    'With the embedded database, a running server counts, by its own rules: restart it after changing',
    'AGENT_LISTS. It serves nothing else until the end: a day with 158,000 downloads took from 7 to 26',
    'seconds. So name one day at a time, when few listen. With PostgreSQL, nothing else waits, and the',
    "rules are this command's: give it the service's settings.",
  ].join('\n'),
  options: {
    from: { value: 'D', about: 'the first day, like 2026-11-20', required: true },
    to: { value: 'D', about: 'the last day', required: true },
  },
} as const satisfies CommandSpec;

const explain = {
  name: 'downloads explain',
  about: "Explains the downloads of an episode on a day, or one listener's.",
  notes: [
    'Days are in UTC. "requests" are all requests for the audio; "rejected" says how many did not',
    'count and why; "listeners" sent the others, and "counted" of them received sixty seconds of',
    'audio, or all of it. docs/counting.md explains the reasons.',
    '',
    'With --ip and --user-agent, or with --listener, it also explains one listener. It prints the',
    'hash of this listener, which is another one each day. The address is not stored. "needed_bytes"',
    'make a download. "received_bytes" may be more, because one response may have more, and may lack',
    'responses that came when the download was complete. Both are 0 if no request of the listener may',
    'count.',
  ].join('\n'),
  options: {
    episode: { value: 'ID', about: 'as `episode list` prints it', required: true },
    day: { value: 'D', about: 'today, or one of the two days before', required: true },
    listener: { value: 'HASH', about: 'explain this listener too' },
    ip: { value: 'ADDRESS', about: 'the same, by address and user agent' },
    userAgent: { value: 'TEXT', about: 'the user agent; default: none' },
  },
} as const satisfies CommandSpec;

const specs = { ingest, recountDays, explain };
export type DownloadRuns = AppRuns<typeof specs>;

export const downloadCommands = appCommands(specs, () => import('./run-download-commands.ts'));
