import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const source = fileURLToPath(new URL('../src', import.meta.url));
const read = (path: string) => readFileSync(join(source, path), 'utf8');

/** By module: the values that `http/` or `cli/` imports from its index. */
function importedNames(door: 'http' | 'cli'): Map<string, Set<string>> {
  const names = new Map<string, Set<string>>();
  for (const file of globSync(`${door}/**/*.ts`, { cwd: source })) {
    if (file.endsWith('.test.ts')) continue;
    const imports = read(file).matchAll(
      /import \{([^}]+)\} from '[./]+domain\/\w+\/([\w-]+)\/index\.ts'/g,
    );
    for (const [, list = '', module = ''] of imports) {
      const ofModule = names.get(module) ?? new Set();
      names.set(module, ofModule);
      for (const name of list.split(',').map((part) => part.trim())) {
        if (name !== '' && !name.startsWith('type ')) ofModule.add(name);
      }
    }
  }
  return names;
}

interface Verb {
  readonly text: string;
  /** All of its file. */
  readonly file: string;
}

/** An exported function whose first parameter is a Context; undefined for others. */
function findVerb(module: string, name: string): Verb | undefined {
  const [index = ''] = globSync(`domain/*/${module}/index.ts`, { cwd: source });
  for (const [, list = '', from = ''] of read(index).matchAll(/\{([^}]+)\} from '(.+)'/g)) {
    if (!list.split(',').some((part) => part.trim() === name)) continue;
    const file = read(join(dirname(index), from));
    const text = findFunction(file, name);
    const isVerb = text !== undefined && /^[^)]*?\(\s*(ctx|tx|\{[^}]*\}): Context\b/.test(text);
    return isVerb ? { text, file } : undefined;
  }
  return undefined;
}

function findFunction(file: string, name: string): string | undefined {
  const start = file.search(new RegExp(`^(export )?(async )?function ${name}\\b`, 'm'));
  return start === -1 ? undefined : file.slice(start, file.indexOf('\n}\n', start));
}

/** The body of a function, with those of its file that it calls in the places of the calls. */
function inline({ text, file }: Verb, above: readonly string[] = []): string {
  const body = text.slice(text.indexOf('{\n'));
  return body.replaceAll(/(?<![.\w])(\w+)(?=[(<])/g, (name) => {
    const called = above.includes(name) ? undefined : findFunction(file, name);
    return called === undefined ? name : inline({ text: called, file }, [...above, name]);
  });
}

const asks =
  /\b(authorize|requireScope|requireKey|requireUser|requireOperator|requireSelf|requireOwn|requireOwnSite|mayActFor|isTrusted|changeTeam)\(/;

/** Verbs of `http/` and `cli/` that do not call `authorize` themselves, by the reason. */
const open = {
  'reads only public data, or counts it': [
    'accounts hasUsers',
    'backups findLastBackup',
    'cards renderCard',
    'catalogue countEpisodes, findCurrentEpisodeSlug, findCurrentSlug, findFirstPlayable',
    'catalogue findLatestPlayable',
    'catalogue findPodcastOfEpisode, findPublicPodcast, getLatestEpisode, getPublicAudio',
    'catalogue getEpisodeForPage, getPublicEpisode, getPublicImage, listPartEnds',
    'catalogue findNewestEpisode, listDirectory, listDirectoryCategories, listDirectoryPartEnds',
    'catalogue listDirectorySitemaps, listPodroll, listPublicEpisodes, outlineShow',
    'comments readComments',
    'emails countEmails',
    'feeds buildServedFeed, findFeedOrMove',
    'feed-notifications requestSubscription',
    'audio findWaveform',
    'search searchEpisodes',
    'transcripts findChapters, findPublishedTranscript, findQuote',
    'transcripts measurePublishedTranscript, measureTranscript',
    'webhooks countWebhookBacklog',
  ],
  'takes a secret, and acts for its holder': [
    'keys findKeyPrincipal',
    'podcasts declineInvitation, declineOwnership, getInvitation, getOwnershipOffer',
    'previews getPreviewAudio, getPreviewedEpisode, getPreviewImage, openPreview',
    'sessions confirmEmail, confirmSignUp, findLink, findSession, requestPasswordReset',
    'sessions resetPassword, signIn, signOut, signUp, signUpByInvitation',
    'sites exchangeCode, voidCode',
  ],
  'begins with a verb that authorizes': [
    'departure readAccountOverview',
    'episodes archiveEpisode, publishEpisode, restoreStatus, scheduleEpisode, unpublishEpisode',
    'imports cancelImport',
    'keys revokeKey, rollKey, widenKey',
    'audio takeFileChapters',
    'images setEpisodeArtwork, setHeaderImage, setPodcastArtwork',
    'podcasts activatePodcast, pausePodcast, resumePodcast',
    'shows acceptOwnership, deletePodcast',
    'sites changeShows, endConnection, getSite, listSitePosts, reportPost',
    'uploads appendToUpload, openUpload, removeUpload',
    'webhooks listDeliveries, rollWebhookSecret, updateWebhook',
  ],
} as const;

/** Verbs for the operator, and parts of other verbs. `http/` must not import them. */
const operators = [
  'accounts createUser, getUserByEmail',
  'backups createBackup, restoreBackup',
  'episodes getEpisode',
  'files sweepFiles',
  'imports resumeImport',
  'audio findAudio, storeAudioCopy',
  'images findImage',
  'people listOwnCredits, listPeople',
  'podcasts getPodcast, getPodcastBySlug, listPreviousSlugs',
  'seeding loadSeedFile',
  'storage readStorage',
  'transcripts findTranscriptFacts, listFurtherTranscriptFacts',
];

const spell = (lists: readonly string[]) =>
  lists.flatMap((list) => {
    const [module = '', ...names] = list.split(/,? /);
    return names.map((name) => `${module} ${name}`);
  });

function verbsThatAskNothing(door: 'http' | 'cli'): string[] {
  const found = [...importedNames(door)].flatMap(([module, names]) =>
    [...names].map((name) => ({ name: `${module} ${name}`, verb: findVerb(module, name) })),
  );
  return found.flatMap(({ name, verb }) =>
    verb === undefined || asks.test(verb.text) ? [] : [name],
  );
}

/**
 * Locks of what others may want to change. `lockUser` locks the caller's own row, and
 * `lockForDeletion` asks first.
 */
const locks = /\b(lock(?!User\b|ProvenUser\b|ForDeletion\b)[A-Z]\w*|revise)\(/;

function verbsThatLockFirst(door: 'http' | 'cli'): string[] {
  return [...importedNames(door)].flatMap(([module, names]) =>
    [...names].filter((name) => {
      const verb = findVerb(module, name);
      const text = verb === undefined ? '' : inline(verb, [name]);
      const lock = text.search(locks);
      const question = text.search(asks);
      return lock !== -1 && (question === -1 || lock < question);
    }),
  );
}

it('every verb that http/ calls asks for permission, or needs none', () => {
  const named = Object.values(open).flatMap(spell);
  expect(verbsThatAskNothing('http').filter((verb) => !named.includes(verb))).toEqual([]);
});

it("every verb that cli/ calls asks for permission, needs none, or is the operator's", () => {
  const named = [...Object.values(open).flatMap(spell), ...spell(operators)].sort();
  const found = new Set([...verbsThatAskNothing('http'), ...verbsThatAskNothing('cli')]);
  expect([...found].sort()).toEqual(named);
});

it('every verb asks for permission before it locks rows', () => {
  expect([...verbsThatLockFirst('http'), ...verbsThatLockFirst('cli')]).toEqual([]);
});
