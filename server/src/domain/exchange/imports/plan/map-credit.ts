import { creditGroups, creditRoles, groupOfRole } from '../../../publishing/people/index.ts';
import type { ParsedPerson } from '../read/feed/parsed-feed.ts';

/** Common names of the taxonomy's roles; only letters, as in `keyOf`. */
const synonyms: Readonly<Record<string, string>> = {
  ...{ moderator: 'host', presenter: 'host', interviewer: 'host', speaker: 'guest' },
  ...{ interviewee: 'guest', panelist: 'guest', actor: 'voice actor', actress: 'voice actor' },
  ...{ voice: 'voice actor', voiceover: 'voice actor', voicetalent: 'voice actor' },
  ...{ narration: 'narrator', journalist: 'reporter', correspondent: 'reporter' },
  ...{ scriptwriter: 'writer', screenwriter: 'writer', ghostwriter: 'writer', text: 'writer' },
  ...{ cowriting: 'co-writer', writing: 'writer', research: 'researcher' },
  ...{ transcription: 'transcriber', transcriptionist: 'transcriber', translation: 'translator' },
  ...{ production: 'producer', coproducer: 'associate producer', direction: 'director' },
  ...{ engineer: 'audio engineer', soundengineer: 'audio engineer', audio: 'audio engineer' },
  ...{ recordingengineer: 'audio engineer', mixing: 'audio engineer', mastering: 'audio engineer' },
  ...{ postproduction: 'post production engineer', editing: 'audio editor' },
  ...{ soundeditor: 'audio editor', sounddesign: 'sound designer', foley: 'foley artist' },
  ...{
    music: 'music contributor',
    musician: 'music contributor',
    musicproducer: 'music production',
  },
  ...{ themesong: 'theme music', composition: 'composer', musiccomposer: 'composer' },
  ...{ graphics: 'graphic designer', designer: 'graphic designer', artist: 'cover art designer' },
  ...{ coverart: 'cover art designer', coverartist: 'cover art designer' },
  ...{ socialmedia: 'social media manager', marketing: 'marketing manager' },
  ...{ booking: 'booking coordinator', camera: 'camera operator', cameraman: 'camera operator' },
};

const roles = indexOf(creditRoles, synonyms);
const groups = indexOf(creditGroups, {});

export interface MappedCredit {
  readonly role: string;
  readonly group: string;
  /** The role is not in the taxonomy and became the default. */
  readonly isUnknown: boolean;
}

/** Maps role and group to the taxonomy, comparing only letters, without a plural s. */
export function mapCredit({ role, group }: Pick<ParsedPerson, 'role' | 'group'>): MappedCredit {
  const mappedRole = find(roles, role);
  if (mappedRole === undefined) return { role: 'host', group: 'cast', isUnknown: true };
  const mappedGroup = find(groups, group) ?? groupOfRole(mappedRole) ?? 'cast';
  return { role: mappedRole, group: mappedGroup, isUnknown: false };
}

export function mapPeople(people: readonly ParsedPerson[]): ParsedPerson[] {
  return people.map((person) => {
    const { role, group } = mapCredit(person);
    return { ...person, role, group };
  });
}

function indexOf(
  names: readonly string[],
  more: Readonly<Record<string, string>>,
): ReadonlyMap<string, string> {
  const index = new Map(Object.entries(more));
  for (const name of names) if (!index.has(keyOf(name))) index.set(keyOf(name), name);
  return index;
}

function find(index: ReadonlyMap<string, string>, term: string): string | undefined {
  const key = keyOf(term);
  return index.get(key) ?? (key.endsWith('s') ? index.get(key.slice(0, -1)) : undefined);
}

function keyOf(term: string): string {
  return term.toLowerCase().replace(/[^\p{L}]/gu, '');
}
