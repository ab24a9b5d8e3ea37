import { type EpisodeChanges, episodeTypes } from '../domain/episodes/index.ts';
import { UsageError } from './arguments.ts';
import { readChoice, readFlag, readMoment, readWholeNumber } from './option-values.ts';

/** What `FIELD=VALUE …` asks for, under the names of world files. */
export interface RequestedChanges {
  readonly fields: EpisodeChanges;
  readonly publication: Publication;
}

/** What is changed by the verbs of publication, not as a field. */
export interface Publication {
  readonly status?: SettableStatus;
  readonly publishedAt?: Date;
  readonly scheduledFor?: Date;
}

export const settableStatuses = ['draft', 'scheduled', 'published', 'archived'] as const;
export type SettableStatus = (typeof settableStatuses)[number];

type Read<T> = (name: string, text: string, now: Date) => T;

const orNull = <T>(text: string, read: (text: string) => T): T | null =>
  text === 'null' ? null : read(text);

/** A text is taken as it stands: a title may be 1984 or true. */
const fieldReaders = new Map<string, Read<EpisodeChanges>>(
  Object.entries({
    slug: (_, text) => ({ slug: text }),
    title: (_, text) => ({ title: text }),
    subtitle: (_, text) => ({ subtitle: orNull(text, String) }),
    description: (_, text) => ({ description: text }),
    show_notes_html: (_, text) => ({ showNotesHtml: orNull(text, String) }),
    season: (name, text) => ({ season: orNull(text, (given) => readWholeNumber(name, given)) }),
    episode: (name, text) => ({ episodeNumber: readWholeNumber(name, text) }),
    type: (name, text) => ({ episodeType: readChoice(name, text, episodeTypes) }),
    explicit: (name, text) => ({ explicit: readFlag(name, text) }),
    share_transcript_with_cohosts: (name, text) => ({
      shareTranscriptWithCohosts: readFlag(name, text),
    }),
    publish_transcript: (name, text) => ({ publishTranscript: readFlag(name, text) }),
  } satisfies Record<string, Read<EpisodeChanges>>),
);

const publicationReaders = new Map<string, Read<Publication>>(
  Object.entries({
    status: (name, text) => ({ status: readChoice(name, text, settableStatuses) }),
    published_at: (name, text, now) => ({ publishedAt: readMoment(name, text, now) }),
    scheduled_for: (name, text, now) => ({ scheduledFor: readMoment(name, text, now) }),
  } satisfies Record<string, Read<Publication>>),
);

export const settableFields = [...fieldReaders.keys(), ...publicationReaders.keys()];

/** Throws UsageError. */
export function readChanges(assignments: readonly string[], now: Date): RequestedChanges {
  let fields: EpisodeChanges = {};
  let publication: Publication = {};
  const seen = new Set<string>();
  for (const assignment of assignments) {
    const [name, text] = split(assignment);
    if (seen.has(name)) throw new UsageError(`${name} is given twice.`);
    seen.add(name);
    const field = fieldReaders.get(name)?.(name, text, now);
    const change = publicationReaders.get(name)?.(name, text, now);
    if (field === undefined && change === undefined) {
      throw new UsageError(
        `There is no field ${name} to set; there are ${settableFields.join(', ')}.`,
      );
    }
    fields = { ...fields, ...field };
    publication = { ...publication, ...change };
  }
  return { fields, publication: complete(publication) };
}

function split(assignment: string): [name: string, text: string] {
  const end = assignment.indexOf('=');
  if (end < 1) throw new UsageError(`${JSON.stringify(assignment)} is not FIELD=VALUE.`);
  return [assignment.slice(0, end), assignment.slice(end + 1)];
}

/** A time says by itself which state it belongs to. */
function complete(publication: Publication): Publication {
  const { publishedAt, scheduledFor } = publication;
  const meant = publishedAt !== undefined ? 'published' : scheduledFor && 'scheduled';
  const { status = meant } = publication;
  if (status === 'scheduled' && scheduledFor === undefined) {
    throw new UsageError('status=scheduled needs scheduled_for.');
  }
  const strange =
    (publishedAt !== undefined && status !== 'published') ||
    (scheduledFor !== undefined && status !== 'scheduled');
  if (strange) throw new UsageError('A status takes only the time that belongs to it.');
  return status === undefined ? publication : { ...publication, status };
}
