import { Trans, useLingui } from '@lingui/react/macro';
import { artworkPx, imageFileMebibytes } from '../../../../server/src/lib/limits.ts';
import type { ShowSettings } from '../../api/show-settings.ts';
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
          <Origin isOwn={own !== null} ofShow={show?.artwork} />
        </p>
      </div>
      {episode.may.edit && (
        <UploadField
          target={{ purpose: 'image', podcastId: episode.podcast_id, episodeId: episode.id }}
          label={t`Choose a picture`}
          hint={t`Square, at least ${artworkPx.min} pixels a side, JPEG or PNG, up to ${imageFileMebibytes} MB.`}
          accept="image/*"
        />
      )}
    </Section>
  );
}

interface OriginProps {
  readonly isOwn: boolean;
  /** Undefined for members who may not read the show. */
  readonly ofShow: ShowSettings['artwork'] | undefined;
}

/** Whose cover it is. */
function Origin({ isOwn, ofShow }: OriginProps) {
  if (isOwn) return <Trans>The episode’s own cover.</Trans>;
  if (ofShow === undefined) return <Trans>The episode has no cover of its own.</Trans>;
  if (ofShow === null) {
    return <Trans>There’s no cover yet: neither the episode nor the show has one.</Trans>;
  }
  return <Trans>The show’s cover. The episode has none of its own.</Trans>;
}
