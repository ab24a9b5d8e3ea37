import { Trans, useLingui } from '@lingui/react/macro';
import { removeHeaderImage, type ShowSettings } from '../../../api/show-settings.ts';
import { bannerOf } from '../../../lib/square-picture.ts';
import { PictureField } from '../picture-field.tsx';
import styles from './listen-page.module.css';

/** The picture behind the title. It is saved at once, like the cover. */
export function HeaderPicture({ show }: { readonly show: ShowSettings }) {
  const { t } = useLingui();
  const { header_image: picture } = show;
  return (
    <>
      <p className="meta">
        <Trans>
          It fills the top of the page, behind the title. An overlay in the page’s color keeps the
          text legible. It’s saved at once.
        </Trans>
      </p>
      {picture !== null && (
        <img
          className={styles['banner']}
          src={`${picture.url}?width=640`}
          width={picture.width}
          height={picture.height}
          alt={t`What is behind the title`}
        />
      )}
      <PictureField
        show={show}
        target={{ purpose: 'image', podcastId: show.id, episodeId: null, isHeader: true }}
        prepare={bannerOf}
        chooseLabel={picture === null ? t`Choose a picture` : t`Choose another picture`}
        changed={t`The header picture was changed.`}
        hasPicture={picture !== null}
        removal={{
          write: (revision) => removeHeaderImage(show.id, revision),
          part: 'header_image',
          label: t`Remove picture`,
          done: t`The header picture was removed.`,
        }}
      />
    </>
  );
}
