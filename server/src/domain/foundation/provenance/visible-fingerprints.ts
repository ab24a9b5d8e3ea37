import { carriesCredential } from '../../../lib/credential.ts';

/** The stored origin of an episode. */
export interface Provenance {
  readonly guidSha256: string | null;
  readonly enclosureSha256: string | null;
  /** The GUID in the feed it was imported from; null if it was not imported. */
  readonly sourceGuid: string | null;
  /** The GUID in our own feed. */
  readonly feedGuid: string;
  /** Published, and its publication time has passed. */
  readonly isPublic: boolean;
}

/** The part of the origin that a key may see. */
export interface VisibleProvenance {
  readonly guidSha256: string | null;
  readonly enclosureSha256: string | null;
  readonly rssGuid: string | null;
}

/**
 * Who sees fingerprints (PRINT-15, PRINT-16). A source GUID with a credential hides both the
 * fingerprint and `rss_guid`, although our feed then has another GUID.
 */
export function visibleFingerprints(provenance: Provenance): VisibleProvenance {
  const { guidSha256, enclosureSha256, sourceGuid, feedGuid, isPublic } = provenance;
  const isSecret = sourceGuid !== null && carriesCredential(sourceGuid);
  const isFeedGuidShown = isPublic && !isSecret && !carriesCredential(feedGuid);
  return {
    guidSha256: isSecret ? null : guidSha256,
    enclosureSha256: isPublic ? enclosureSha256 : null,
    rssGuid: isFeedGuidShown ? feedGuid : null,
  };
}
