import { OutboundError, type OutboundFailure } from '../../platform/outbound-http/outbound-http.ts';
import { DomainError } from '../errors.ts';
import { FeedError, type FeedRefusal } from './feed/feed-error.ts';

/** Why a feed is not imported at all: `details[0].reason` of the error. */
export type ImportRefusal =
  | FeedRefusal
  | TransferReason
  | 'feed_locked' // podcast:locked: its owner does not want it to move
  | 'file_unreadable'
  | 'slug_taken'
  | 'podcast_exists' // the account has it already, under another slug than the one asked for
  | 'podcast_gone' // deleted while it was being imported
  | 'documents_gone' // what was kept of the feed is no longer there
  | 'gave_up'; // its process died of it time and again

type TransferReason = Exclude<OutboundFailure, 'too_many_redirects'> | 'redirect_loop';

export function refuseImport(
  reason: ImportRefusal,
  message: string,
  options: { field?: string; cause?: unknown } = {},
): DomainError {
  const { field = 'feed', cause } = options;
  return new DomainError('invalid', message, { details: [{ field, message, reason }], cause });
}

/** The refusal of an import that an error stands for; any other error as it is. */
export function toImportRefusal(error: unknown): unknown {
  if (error instanceof FeedError) {
    return refuseImport(error.reason, error.message, { cause: error });
  }
  if (!(error instanceof OutboundError)) return error;
  const { reason, message } = explainTransfer(error);
  return refuseImport(reason, `The feed could not be fetched: ${message}`, { cause: error });
}

/** Why something could not be fetched, in words for the operator. */
export function explainTransfer(error: OutboundError): {
  readonly reason: TransferReason;
  readonly message: string;
} {
  const reason = error.reason === 'too_many_redirects' ? 'redirect_loop' : error.reason;
  return { reason, message: /[.!]$/.test(error.message) ? error.message : `${error.message}.` };
}
