import type { FaultyFile } from './fault.ts';

const feed = 'server/src/domain/exchange/sites/feed';
const imports = 'server/src/domain/exchange/imports';
const uploads = 'server/src/domain/publishing/uploads';

/** Of the change feed, imports and uploads. */
export const transferFaults: readonly FaultyFile[] = [
  {
    area: 'change feed',
    file: `${feed}/followed-show.ts`,
    tests: [`${feed}/followed-show.test.ts`],
    faults: [
      {
        what: 'a site reads a show whose keys were cut off',
        from: "cut_off: 'lost',",
        to: "cut_off: 'live',",
      },
      {
        what: 'a lapsed plan removes a show from sites',
        from: "no_plan: 'withheld',",
        to: "no_plan: 'lost',",
      },
      {
        what: 'a member who sees all episodes gets only their own',
        from: 'seesAllEpisodes(membership) ? undefined : userId;',
        to: 'seesAllEpisodes(membership) ? userId : undefined;',
      },
    ],
  },
  {
    area: 'change feed',
    file: `${feed}/site-episode.ts`,
    tests: [`${feed}/site-episode.test.ts`, `${feed}/list-changes.db.test.ts`],
    faults: [
      {
        what: 'an episode has the artwork of its show in place of its own',
        from: 'toPicture(episode.artwork ?? podcast.artwork)',
        to: 'toPicture(podcast.artwork)',
      },
      {
        what: 'a site without transcripts is told of them',
        from: 'transcriptLanguage: transcripts ? episode.transcriptLanguage : null,',
        to: 'transcriptLanguage: episode.transcriptLanguage,',
      },
      {
        what: 'a content is a new one for each fraction of a second',
        from: 'Math.round(durationMs / 1000) * 1000',
        to: 'durationMs',
      },
      {
        what: 'a change of a long list of people is no new content',
        from: "isLong ? list.hash : '',",
        to: "'',",
      },
    ],
  },
  {
    area: 'change feed',
    file: `${feed}/list-changes.ts`,
    tests: [`${feed}/list-changes.db.test.ts`],
    faults: [
      {
        what: 'a position that was never given is taken',
        from: 'if (feed.isLostPosition || after > feed.headSeq) {',
        to: 'if (feed.isLostPosition) {',
      },
      {
        what: 'the position does not move',
        from: 'return { cursor: changes.at(-1)?.seq ?? after, changes };',
        to: 'return { cursor: after, changes };',
      },
    ],
  },
  {
    area: 'imports',
    file: `${imports}/plan/plan-publication.ts`,
    tests: [`${imports}/plan/plan-publication.test.ts`],
    faults: [
      {
        what: 'an import takes a published episode away until its new date',
        from: "return known.status === 'published' && next.kind === 'schedule' ? undefined : next;",
        to: 'return next;',
      },
      {
        what: 'an episode of the future is published at once',
        from: 'if (date === undefined || date <= now)',
        to: 'if (date === undefined || date <= new Date(now.getTime() + 86_400_000))',
      },
      {
        what: 'an episode is published before its audio has arrived',
        from: "return item.isWaitingForAudio ? { kind: 'wait', at } : whenDue(at, now);",
        to: 'return whenDue(at, now);',
      },
      {
        what: 'the same date is a change',
        from: 'if (current.getTime() === next.at.getTime()) return undefined;',
        to: '',
      },
    ],
  },
  {
    area: 'imports',
    file: `${imports}/match/match-items.ts`,
    tests: [
      `${imports}/recognized-items.db.test.ts`,
      `${imports}/kept-work.db.test.ts`,
      `${imports}/reported-feeds.db.test.ts`,
    ],
    faults: [
      {
        what: 'a deleted episode is found in place of one that exists',
        from: 'for (const isDeleted of [true, false]) {',
        to: 'for (const isDeleted of [false, true]) {',
      },
      {
        what: 'two episodes have one GUID',
        from: 'const isFree = wanted !== undefined && !this.#guids.has(wanted);',
        to: 'const isFree = wanted !== undefined;',
      },
      {
        what: 'posts of a blog become episodes',
        from: 'return entry.item.enclosure !== undefined || this.#matches.has(entry);',
        to: 'return true;',
      },
    ],
  },
  {
    area: 'imports',
    file: `${imports}/read/check-lock.ts`,
    tests: [`${imports}/refused-imports.db.test.ts`],
    faults: [
      {
        what: 'a locked feed is imported',
        from: 'if (feed.podcast.locked?.locked !== true) return undefined;',
        to: 'if (feed.podcast.locked !== undefined) return undefined;',
      },
    ],
  },
  {
    area: 'uploads',
    file: `${uploads}/upload.ts`,
    tests: ['server/test/acceptance/app/uploads.db.test.ts', `${uploads}/purge-uploads.db.test.ts`],
    faults: [
      {
        what: 'an upload that goes on never expires',
        from: 'new Date(Math.min(now.getTime() + dayMs, createdAt.getTime() + longestMs))',
        to: 'new Date(now.getTime() + dayMs)',
      },
    ],
  },
  {
    area: 'uploads',
    file: `${uploads}/create-upload.ts`,
    tests: ['server/test/acceptance/app/uploads.db.test.ts'],
    faults: [
      {
        what: 'one person fills the store with unfinished uploads',
        from: 'sum.count < maxUploads && sum.bytes + bytes <= maxUploadsBytes',
        to: 'sum.count < maxUploads',
      },
      {
        what: 'a file may be larger than the limit says',
        from: 'if (sizeBytes > most) {',
        to: 'if (sizeBytes > most + 1) {',
      },
      {
        what: 'an empty file is begun',
        from: 'if (sizeBytes < 1)',
        to: 'if (sizeBytes < 0)',
      },
      {
        what: 'audio of a published episode is sent without the right to publish',
        from: "if (purpose === 'audio' && episodeId !== undefined)",
        to: 'if (ctx === undefined)',
      },
    ],
  },
  {
    area: 'uploads',
    file: `${uploads}/append-to-upload.ts`,
    tests: ['server/test/acceptance/app/uploads.db.test.ts'],
    faults: [
      {
        what: 'a refused file stays in the store',
        from: 'if (isHopeless(error)) await removeHeld(ctx, upload);\n    else if',
        to: 'if',
      },
      {
        what: 'a transcript in UTF-16 is refused',
        from: 'return head.includes(0) && !isUtf16 ?',
        to: 'return head.includes(0) ?',
      },
      {
        what: 'a file of another kind is taken',
        from: "if (problem !== undefined) throw invalid('file', problem, 'wrong_type');",
        to: '',
      },
    ],
  },
];
