import Type from 'typebox';
import { maxChars } from '../../../lib/limits.ts';
import { closed, id, moment, named, nullable } from './fields.ts';

const address = Type.String({ maxLength: 2048, description: 'An http or https URL.' });
const slug = Type.String({ maxLength: maxChars.slug, description: 'A slug.' });

/**
 * `dry_run` only reports what would happen; `slug` is for a new show, `into` for an existing one.
 */
export const RequestImport = closed({
  url: address,
  slug: Type.Optional(slug),
  into: Type.Optional(slug),
  copy_audio: Type.Optional(Type.Boolean()),
  overwrite: Type.Optional(Type.Boolean()),
  dry_run: Type.Optional(Type.Boolean()),
});

export const SendFeedCode = closed({ url: address });

export const ConfirmFeedCode = closed({
  code: Type.String({ maxLength: maxChars.feedCode, description: 'The code from the email.' }),
});

export const SentCode = named('SentCode', {
  id,
  /** The first letter and the host of the address. */
  sent_to: Type.String(),
  expires_at: moment,
});

const Progress = named('Progress', {
  phase: Type.String(),
  done: Type.Integer(),
  total: nullable(Type.Integer()),
  title: nullable(Type.String()),
});

const importFields = {
  id,
  state: Type.String({ description: 'running, finished, failed or cancelled.' }),
  /** Null before the feed is read, after a dry run, and if the podcast was deleted. */
  podcast: nullable(Type.Object({ id, slug: Type.String(), title: Type.String() })),
  url: nullable(Type.String()),
  dry_run: Type.Boolean(),
  copy_audio: Type.Boolean(),
  overwrite: Type.Boolean(),
  progress: Progress,
  /** Why the import failed. */
  error: nullable(Type.Object({ reason: nullable(Type.String()), message: Type.String() })),
  may_cancel: Type.Boolean(),
  may_resume: Type.Boolean({
    description: 'Whether it can be started again, after it has failed or was cancelled.',
  }),
  created_at: moment,
  updated_at: moment,
};

export const ListedImport = named('ListedImport', importFields);

/** The report is the same as that of the command. */
export const Import = named('Import', {
  ...importFields,
  report: nullable(Type.Record(Type.String(), Type.Unknown())),
});
