import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { removeHeaderImage, type ShowSettings } from '../../../api/show-settings.ts';
import { Button } from '../../../components/button.tsx';
import { FailureText } from '../../../components/failure-text.tsx';
import { Notice } from '../../../components/notice.tsx';
import { showMessage } from '../../../components/toasts.ts';
import { bannerOf } from '../../../lib/square-picture.ts';
import { FileButton } from '../../../uploads/file-button.tsx';
import { useOwnUploads } from '../../../uploads/use-own-uploads.ts';
import { PictureProgress, pictureTypes, UnreadablePicture } from '../picture-progress.tsx';
import { useShowWrite } from '../use-show-write.ts';
import styles from './listen-page.module.css';

/** The picture behind the title. It is saved at once, like the cover. */
export function HeaderPicture({ show }: { readonly show: ShowSettings }) {
  const { t } = useLingui();
  const [isUnreadable, setUnreadable] = useState(false);
  const { header_image: picture } = show;
  const where = { podcastId: show.id, episodeId: null } as const;
  const target = { purpose: 'image', ...where, isHeader: true } as const;
  const { isBusy, add } = useOwnUploads(target);
  const remove = useShowWrite(show, {
    write: (revision) => removeHeaderImage(show.id, revision),
    parts: () => ['header_image'],
    onSuccess: () => showMessage({ text: t`The header picture was removed.` }),
  });
  async function choose(file: File | undefined) {
    if (file === undefined) return;
    const banner = await bannerOf(file);
    setUnreadable(banner === undefined);
    add(banner);
  }
  return (
    <>
      <p className="meta">
        <Trans>
          It fills the top of the page, behind the title. A veil in the page’s color keeps the text
          legible. It’s saved at once.
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
      {isUnreadable && <UnreadablePicture />}
      {remove.error !== null && (
        <Notice tone="bad">
          <FailureText error={remove.error} />
        </Notice>
      )}
      <PictureProgress
        target={target}
        prepare={bannerOf}
        onReady={() => showMessage({ text: t`The header picture was changed.` })}
      />
      {!isBusy && (
        <div className={styles['buttons']}>
          <FileButton
            label={picture === null ? t`Choose a picture` : t`Choose another picture`}
            accept={pictureTypes}
            onFile={choose}
          />
          {picture !== null && (
            <Button kind="quiet" isPending={remove.isPending} onPress={remove.save}>
              <Trans>Remove picture</Trans>
            </Button>
          )}
        </div>
      )}
    </>
  );
}
