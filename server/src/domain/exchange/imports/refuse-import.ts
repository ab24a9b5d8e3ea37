import {
  OutboundError,
  type OutboundFailure,
} from '../../../platform/outbound-http/outbound-http.ts';
import { DomainError } from '../../foundation/errors.ts';
import { FeedError, type FeedRefusal } from './read/feed/feed-error.ts';

/** Why a feed cannot be imported: `details[0].reason` of the error. */
export type ImportRefusal =
  | FeedRefusal
  | TransferReason
  | 'feed_is_ours' // the show would be imported from itself
  | 'audio_is_ours' // of one item
  | 'feed_locked' // podcast:locked
  | 'feed_not_locked' // needs no proof
  | 'already_proved'
  | 'owner_unknown' // the feed names no address to send a code to
  | 'code_wrong'
  | 'code_expired'
  | 'cancelled'
  | 'under_way'
  | 'has_ended'
  | 'file_unreadable'
  | 'slug_taken'
  | 'too_many_slugs' // the user has taken as many as allowed in an hour
  | 'show_unknown' // the account does not have the show to import into
  | 'podcast_exists' // the account has it under another slug
  | 'podcast_gone' // deleted while it was being imported
  | 'documents_gone' // the stored feed is missing
  | 'gave_up'; // its processes died repeatedly

type TransferReason = Exclude<OutboundFailure, 'too_many_redirects'> | 'redirect_loop';

export function refuseImport(
  reason: ImportRefusal,
  message: string,
  options: { field?: string; cause?: unknown } = {},
): DomainError {
  const { field = 'feed', cause } = options;
  return new DomainError('invalid', message, { details: [{ field, message, reason }], cause });
}

/** Converts an error to the refusal it stands for; other errors stay as they are. */
export function toImportRefusal(error: unknown): unknown {
  if (error instanceof FeedError) {
    return refuseImport(error.reason, error.message, { cause: error });
  }
  if (!(error instanceof OutboundError)) return error;
  const { reason, message } = explainTransfer(error);
  return refuseImport(reason, `The feed could not be fetched: ${message}`, { cause: error });
}

/** Explains to the operator why a transfer failed. */
export function explainTransfer(error: OutboundError): {
  readonly reason: TransferReason;
  readonly message: string;
} {
  const reason = error.reason === 'too_many_redirects' ? 'redirect_loop' : error.reason;
  return { reason, message: /[.!]$/.test(error.message) ? error.message : `${error.message}.` };
}
