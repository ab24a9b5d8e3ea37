import { Plural, Trans } from '@lingui/react/macro';
import type { Site } from '../../../api/sites.ts';
import { Notice } from '../../../components/notice.tsx';

/** Shown only while our pings do not reach the site. */
export function PingTrouble({ of: site }: { readonly of: Site }) {
  const { pings } = site;
  if (!site.is_connected || pings === null || pings.failures === 0) return null;
  const { last_error: lastError } = pings;
  return (
    <Notice tone="warn">
      <Plural
        value={pings.failures}
        one="We couldn’t notify the site of changes: # request failed."
        other="We couldn’t notify the site of changes: # requests failed."
      />{' '}
      {lastError !== null && <Cause error={lastError} />}{' '}
      <Trans>The site will find the changes the next time it checks.</Trans>
    </Notice>
  );
}

/** A status, or the reason why there was no response. */
function Cause({ error }: { readonly error: string }) {
  if (/^\d+$/.test(error)) return <Trans>It responded with status {error}.</Trans>;
  const reason = error.replaceAll('_', ' ');
  return <Trans>Reason: {reason}.</Trans>;
}
