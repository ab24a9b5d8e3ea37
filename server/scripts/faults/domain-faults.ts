import type { FaultyFile } from './fault.ts';

const permissions = 'server/src/domain/foundation/permissions';
const downloads = 'server/src/domain/audience/downloads';
const episodes = 'server/src/domain/publishing/episodes';

/** Of permissions, counting and publication. */
export const domainFaults: readonly FaultyFile[] = [
  {
    area: 'permissions',
    file: `${permissions}/authorize.ts`,
    tests: [`${permissions}/authorize.test.ts`, `${permissions}/authorize.db.test.ts`],
    faults: [
      {
        what: 'a key reaches podcasts that it does not cover',
        from: 'if (withKey && key?.isCovered !== true) throw notFound(what);',
        to: 'if (withKey && key === undefined) throw notFound(what);',
      },
      {
        what: 'a co-host sees episodes that do not credit them',
        from: 'if (episode !== undefined && !seesAll && !episode.isCredited) throw notFound(what);',
        to: '',
      },
      {
        what: 'lists show a co-host all episodes',
        from: 'const creditedUserId = seesAll ? undefined : principal.userId;',
        to: 'const creditedUserId = undefined;',
      },
      {
        what: 'members use keys although the owner forbids it',
        from: 'if (!key.isAllowed) {',
        to: 'if (!key.planIncludesApi) {',
      },
      {
        what: 'a key works without its scope',
        from: 'if (principal.key.scopes.includes(scope)) return principal;',
        to: 'if (principal.key.scopes.length > 0) return principal;',
      },
      {
        what: 'the public may do everything',
        from: "case 'public':\n      throw notFound(nameOf(resource));",
        to: "case 'public':\n      return grantAll(ctx, resource);",
      },
    ],
  },
  {
    area: 'permissions',
    file: `${permissions}/roles.ts`,
    tests: [`${permissions}/roles.test.ts`],
    faults: [
      {
        what: 'somebody who manages the team manages admins',
        from: "member.role !== 'admin' &&\n    ",
        to: '',
      },
      {
        what: 'an admin manages the owner',
        from: "if (member.role === 'owner') return false;",
        to: '',
      },
      {
        what: 'somebody gives capabilities that they do not have',
        from: 'capabilitiesOf(member).every((capability) => own.includes(capability))',
        to: 'capabilitiesOf(member).some((capability) => own.includes(capability))',
      },
    ],
  },
  {
    area: 'permissions',
    file: `${permissions}/actions.ts`,
    tests: [`${permissions}/authorize.test.ts`],
    faults: [
      {
        what: 'an editor exports the show',
        from: "'podcast.export': { administratorsOnly: true },",
        to: "'podcast.export': {},",
      },
      {
        what: 'whoever may edit may publish',
        from: "'episode.publish': { capability: 'episodes.publish' },",
        to: "'episode.publish': { capability: 'episodes.edit' },",
      },
    ],
  },
  {
    area: 'counting',
    file: `${downloads}/to-audio-request.ts`,
    tests: [`${downloads}/to-audio-request.test.ts`],
    faults: [
      {
        what: 'a download takes less than a minute of audio',
        from: 'neededSeconds = 60;',
        to: 'neededSeconds = 59;',
      },
      {
        what: 'the probe of a player counts as a request',
        from: 'if (countBytes(sent) <= probeBytes)',
        to: 'if (countBytes(sent) < probeBytes)',
      },
      {
        what: 'a prefetch counts',
        from: "if (isPrefetch) return 'prefetch';",
        to: '',
      },
      {
        what: 'a redirect is an error',
        from: "if (status >= 300 && status < 400) return 'redirect';",
        to: '',
      },
      {
        what: 'the bytes of a leading tag count as audio',
        from: 'start: Math.max(start, file.leadingTagBytes),',
        to: 'start,',
      },
      {
        what: 'bytes beyond the end of the file count',
        from: 'end: Math.min(end, file.sizeBytes - 1),',
        to: 'end,',
      },
      {
        what: 'bytes of an unknown place count although they are too few',
        from: 'const isEnough = isPlaceKnown ||',
        to: 'const isEnough = true ||',
      },
      {
        what: 'one listener is two if their address is spelled differently',
        from: 'const spelled = canonicalAddress(address) ?? address;',
        to: 'const spelled = address;',
      },
    ],
  },
  {
    area: 'counting',
    file: `${downloads}/ingest-requests.ts`,
    tests: [`${downloads}/ingest-requests.db.test.ts`],
    faults: [
      {
        what: 'a batch that comes again counts again',
        from: 'if (!(await insertBatch(tx.db, batch.id, now))) continue;',
        to: 'await insertBatch(tx.db, batch.id, now);',
      },
      {
        what: 'requests that are united count as one rejection',
        from: '(rejected[request.rejected] ?? 0) + request.requests;',
        to: '(rejected[request.rejected] ?? 0) + 1;',
      },
    ],
  },
  {
    area: 'publication',
    file: `${episodes}/episode.ts`,
    tests: [`${episodes}/as-of.test.ts`, `${episodes}/episodes.db.test.ts`],
    faults: [
      {
        what: 'a scheduled episode is late',
        from: 'scheduledFor > now) return stored;',
        to: 'scheduledFor >= now) return stored;',
      },
      {
        what: 'a scheduled episode is published at the time of reading',
        from: 'publishedAt: scheduledFor, scheduledFor: null',
        to: 'publishedAt: now, scheduledFor: null',
      },
      {
        what: 'a published episode can be scheduled',
        from: "published: ['draft', 'archived'],",
        to: "published: ['draft', 'scheduled', 'archived'],",
      },
      {
        what: 'an archived episode can be published',
        from: "archived: ['draft'],",
        to: "archived: ['draft', 'published'],",
      },
    ],
  },
  {
    area: 'publication',
    file: `${episodes}/change-status.ts`,
    tests: [
      `${episodes}/episodes.db.test.ts`,
      'server/test/acceptance/app/episode-status.db.test.ts',
    ],
    faults: [
      {
        what: 'an episode is published in the future',
        from: 'if (options.publishedAt !== undefined && options.publishedAt > now) {',
        to: 'if (options.publishedAt !== undefined && options.publishedAt < new Date(0)) {',
      },
      {
        what: 'an episode without audio is scheduled without a question',
        from: "if (to === 'published' || to === 'scheduled') await",
        to: "if (to === 'published') await",
      },
      {
        what: 'nobody learns of a publication',
        from: "await announceChange(tx, { kind: 'episode.status_changed', podcastId, episodeId });",
        to: '',
      },
      {
        what: 'an imported episode gets a date in the future',
        from: 'return intended === null || intended > now ? now : intended;',
        to: 'return intended ?? now;',
      },
      {
        what: 'a draft forgets the date of its publication',
        from: 'publishedAt: episode.publishedAt,\n  scheduledFor: null,',
        to: 'publishedAt: null,\n  scheduledFor: null,',
      },
    ],
  },
];
