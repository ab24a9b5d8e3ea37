import { Trans, useLingui } from '@lingui/react/macro';
import { exportAddress } from '../../api/show-settings.ts';
import { buttonClass } from '../../components/button.tsx';
import { Section } from '../../components/section.tsx';
import styles from './show.module.css';
import { ShowPage } from './show-page.tsx';

/** A copy of everything of the show, to keep or to take elsewhere. */
export function Exports() {
  const { t } = useLingui();
  return (
    <ShowPage title={t`Exports`}>
      {(show) => (
        <Section
          title={t`Download the show`}
          about={
            <Trans>
              A zip archive with the feed, every episode with its show notes, chapters, transcripts
              and credits, all pictures, and the downloads for each day. It includes drafts, too.
            </Trans>
          }
        >
          {show.may.export ? (
            <Downloads podcastId={show.id} />
          ) : (
            <p>
              <Trans>Only the show’s owner and admins can download it.</Trans>
            </p>
          )}
        </Section>
      )}
    </ShowPage>
  );
}

function Downloads({ podcastId }: { readonly podcastId: string }) {
  return (
    <>
      <div className={styles['buttons']}>
        <a className={buttonClass('primary')} href={exportAddress(podcastId, true)} download>
          <Trans>Download with audio</Trans>
        </a>
        <a className={buttonClass('plain')} href={exportAddress(podcastId, false)} download>
          <Trans>Download without audio</Trans>
        </a>
      </div>
      <p className="meta">
        <Trans>
          The archive is created while you download it, so the browser can’t know how large it will
          be. If the download is interrupted, the archive can’t be opened: download it again.
        </Trans>
      </p>
    </>
  );
}
