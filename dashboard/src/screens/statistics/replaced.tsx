import { Trans } from '@lingui/react/macro';
import type { PlatformFigures, PlatformImportReport } from '../../api/platforms.ts';
import { formatDateTime } from '../../lib/format.ts';
import { formatDay } from '../../lib/format-days.ts';
import { useMetrics } from './use-metrics.ts';

interface Props {
  readonly last: PlatformFigures;
  readonly fileName: string;
}

/** Which import is gone: while the person was asked, somebody else may have made one. */
export function ReplacedImport({
  imported_at: importedAt,
  as_of: asOf,
}: NonNullable<PlatformImportReport['replaced']>) {
  const imported = formatDateTime(importedAt);
  if (asOf === null) return <Trans>This has replaced what was imported on {imported}.</Trans>;
  const until = formatDay(asOf);
  return (
    <Trans>
      This has replaced what was imported on {imported}, with figures until {until}.
    </Trans>
  );
}

/** What is gone after the next import: all that the last one brought, whatever the new file has. */
export function Replaced({ last, fileName }: Props) {
  const metrics = useMetrics(last.show_metrics);
  const imported = last.imported_at === null ? '' : formatDateTime(last.imported_at);
  const until = last.as_of === null ? undefined : formatDay(last.as_of);
  return (
    <>
      <p>
        {until === undefined ? (
          <Trans>
            {fileName} replaces everything that was imported on {imported}:
          </Trans>
        ) : (
          <Trans>
            {fileName} replaces everything that was imported on {imported}, with figures until{' '}
            {until}:
          </Trans>
        )}
      </p>
      <ul>
        {metrics.length > 0 && (
          <li>
            <Trans>of the show: {metrics.map(({ label }) => label).join(', ')}</Trans>
          </li>
        )}
        {last.episodes.length > 0 && (
          <li>
            <Trans>the figures of each episode</Trans>
          </li>
        )}
      </ul>
      <p>
        <Trans>
          What the new file does not contain is gone afterwards. A file of followers, for example,
          contains no episodes. Keep the file of the last import if you may want it back.
        </Trans>
      </p>
    </>
  );
}
