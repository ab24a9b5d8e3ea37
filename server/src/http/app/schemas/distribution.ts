import Type from 'typebox';
import { directoryStatuses } from '../../../domain/foundation/enumerations.ts';
import { closed, id, named, nullable, translatable } from './fields.ts';

/** The rules that a show must meet, and the directories that list it. */

const text = Type.String();
const source = Type.Enum(['apple', 'spotify', 'psp1'], {
  type: 'string',
  description: "Apple Podcasts, Spotify, or the Podcast Standards Project's PSP-1.",
});
const rule = { rule: text, sources: Type.Array(source), title: text };

const Finding = named('HealthFinding', {
  ...rule,
  severity: Type.Enum(['error', 'warning', 'advice'], {
    type: 'string',
    description: `error: apps refuse or cannot play it. warning: they show it badly, or not to
everybody. advice: it is recommended.`,
  }),
  message: text,
  ...translatable,
  what_to_do: text,
  /** Null if the problem concerns the show itself. */
  episodes: nullable(
    Type.Object({
      count: Type.Integer(),
      /** The newest of these episodes, at most twenty. */
      first: Type.Array(Type.Object({ id, title: text })),
    }),
  ),
});

export const Health = named('Health', {
  findings: Type.Array(Finding),
  passed: Type.Array(Type.Object(rule)),
});

const status = Type.Enum([...directoryStatuses], { type: 'string' });

export const SetDirectories = closed({
  directories: Type.Array(closed({ directory: text, status, url: nullable(text) }), {
    maxItems: 50,
  }),
});

const Directory = named('Directory', {
  directory: text,
  name: text,
  status,
  url: nullable(text),
  /** The hosts of the directory's pages. */
  hosts: Type.Array(text),
  submit_url: nullable(text),
  /** Whether the directory sends an email to the address in the feed. */
  needs_owner_email: Type.Boolean(),
  steps: Type.Array(text),
});

export const Directories = named('Directories', {
  revision: Type.Integer(),
  directories: Type.Array(Directory),
});
