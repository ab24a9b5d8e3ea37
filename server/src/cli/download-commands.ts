import { type AppRuns, appCommands, type CommandSpec } from './command.ts';

const ingest = {
  name: 'downloads ingest',
  about: 'Counts the downloads in an access log.',
  notes: [
    'Reads the Combined Log Format, JSON lines (which nginx can write), and CloudFront and S3 logs,',
    'with or without gzip compression. A log is never counted twice: if it has grown since it was',
    'last read, only the new lines are counted. docs/access-logs.md explains the formats.',
    '',
    '"lines" is the number of lines in the file; "requests", of those for audio of this installation;',
    '"counted", of the downloads that they added. "rejected" shows how many requests do not count,',
    'and why (docs/counting.md). "unreadable" lines have an unknown format; "already_read" ones were',
    'counted before.',
  ].join('\n'),
  operands: { file: { about: 'the log' } },
} as const satisfies CommandSpec;

const recountDays = {
  name: 'downloads recount',
  about: 'Recounts the downloads of some days by the current rules.',
  notes: [
    'Days are in UTC. Evidence is kept for today and the two days before it. Other days of the range',
    'stay unchanged and are listed under "skipped". "before" and "after" are the downloads of the',
    'recounted days.',
    '',
    'With the embedded database, a running server does the work, by its own rules: restart it after',
    'changing AGENT_LISTS. It serves nothing else until it has finished: a day with 158,000 downloads',
    'took 7 to 26 seconds. So recount one day at a time, when few people are listening. With',
    "PostgreSQL, nothing else has to wait, and this command's own rules apply: pass it the service's",
    'settings.',
  ].join('\n'),
  options: {
    from: { value: 'D', about: 'the first day, such as 2026-11-20', required: true },
    to: { value: 'D', about: 'the last day', required: true },
  },
} as const satisfies CommandSpec;

const explain = {
  name: 'downloads explain',
  about: "Explains an episode's downloads on one day, or one listener's.",
  notes: [
    'Days are in UTC. "requests" is the number of all requests for the audio; "rejected" shows how',
    'many did not count and why. "listeners" sent the others, and "counted" of them received sixty',
    'seconds of audio, or all of it. docs/counting.md explains the reasons.',
    '',
    'With --ip and --user-agent, or with --listener, it also explains one listener. It prints the',
    'listener\'s hash, which changes every day. The IP address is not stored. "needed_bytes" is what',
    'makes a download. "received_bytes" may be higher, because one response may contain more, and it',
    'may leave out responses sent after the download was complete. Both are 0 if none of the',
    "listener's requests can count.",
  ].join('\n'),
  options: {
    episode: { value: 'ID', about: 'as printed by `episode list`', required: true },
    day: { value: 'D', about: 'today, or one of the two days before', required: true },
    listener: { value: 'HASH', about: 'explain this listener too' },
    ip: { value: 'ADDRESS', about: 'the same, by IP address and user agent' },
    userAgent: { value: 'TEXT', about: 'the user agent; default: none' },
  },
} as const satisfies CommandSpec;

const specs = { ingest, recountDays, explain };
export type DownloadRuns = AppRuns<typeof specs>;

export const downloadCommands = appCommands(specs, () => import('./run-download-commands.ts'));
