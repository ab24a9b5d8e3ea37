import { Trans, useLingui } from '@lingui/react/macro';
import { Artwork } from '../../components/artwork.tsx';
import { UploadField } from '../../uploads/upload-field.tsx';
import { useEditing } from './editing.ts';
import styles from './episode.module.css';
import { Section } from './section.tsx';

/** The episode's own cover, or that of the show. */
export function Cover() {
  const { t } = useLingui();
  const { episode, show } = useEditing();
  const own = episode.artwork?.url ?? null;
  return (
    <Section title={t`Cover`}>
      <div className={styles['cover']}>
        <Artwork url={own ?? show?.artwork?.url ?? null} size={120} />
        <p className="meta">
          {own === null ? (
            <Trans>The cover of the show. The episode has none of its own.</Trans>
          ) : (
            <Trans>The episode’s own cover.</Trans>
          )}
        </p>
      </div>
      {episode.may.edit && (
        <UploadField
          target={{ purpose: 'image', podcastId: episode.podcast_id, episodeId: episode.id }}
          label={t`Choose a picture`}
          hint={t`Square, at least 1400 pixels a side, JPEG or PNG, up to 25 MB.`}
          accept="image/*"
        />
      )}
    </Section>
  );
}
