import { carriesCredential } from '../../lib/credential.ts';

/** What is stored of an episode's origin. */
export interface Provenance {
  readonly guidSha256: string | null;
  readonly enclosureSha256: string | null;
  /** The GUID of the feed it was imported from; null for one made here. */
  readonly sourceGuid: string | null;
  /** The GUID in our own feed. */
  readonly feedGuid: string;
  /** Published, and its publication time has passed. */
  readonly isPublic: boolean;
}

/** What a key may see of it. */
export interface VisibleProvenance {
  readonly guidSha256: string | null;
  readonly enclosureSha256: string | null;
  readonly rssGuid: string | null;
}

/**
 * The visibility rules of "Import provenance fingerprints". A source GUID with a credential hides
 * both the fingerprint and `rss_guid`, though our feed has another GUID then (the contract).
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
