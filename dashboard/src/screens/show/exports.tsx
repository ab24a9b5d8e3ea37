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
              and credits, all pictures, and the downloads of each day. Drafts are in it, too.
            </Trans>
          }
        >
          {show.may.export ? (
            <Downloads podcastId={show.id} />
          ) : (
            <p>
              <Trans>Only the owner and the admins of the show may download it.</Trans>
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
          The archive is made while you download it, so the browser does not know how large it will
          be. If the download breaks off, the archive cannot be opened: download it again.
        </Trans>
      </p>
    </>
  );
}
