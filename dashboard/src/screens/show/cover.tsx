import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { removeCover, type ShowSettings } from '../../api/show-settings.ts';
import { Artwork } from '../../components/artwork.tsx';
import { Button } from '../../components/button.tsx';
import { FailureText } from '../../components/failure-text.tsx';
import { Notice } from '../../components/notice.tsx';
import { showMessage } from '../../components/toasts.ts';
import { nameAs, type Picture, readPicture, squareOf } from '../../lib/square-picture.ts';
import { FileButton } from '../../uploads/file-button.tsx';
import { useOwnUploads } from '../../uploads/use-own-uploads.ts';
import { ChosenPicture } from './chosen-picture.tsx';
import { PictureProgress, pictureTypes, UnreadablePicture } from './picture-progress.tsx';
import styles from './show.module.css';
import { ShowPage } from './show-page.tsx';
import { useShowWrite } from './use-show-write.ts';

/** The show's cover. */
export function Cover() {
  const { t } = useLingui();
  return (
    <ShowPage title={t`Cover`} needs={({ edit }) => edit}>
      {(show) => <CoverOf show={show} />}
    </ShowPage>
  );
}

export interface Chosen extends Picture {
  readonly file: File;
}

function CoverOf({ show }: { readonly show: ShowSettings }) {
  const { t } = useLingui();
  const [chosen, setChosen] = useState<Chosen>();
  const [isUnreadable, setUnreadable] = useState(false);
  const { artwork } = show;
  const target = { purpose: 'image', podcastId: show.id, episodeId: null } as const;
  const { isBusy, add } = useOwnUploads(target);
  const remove = useShowWrite(show, {
    write: (revision) => removeCover(show.id, revision),
    parts: () => ['artwork'],
    onSuccess: () => showMessage({ text: t`The cover was removed.` }),
  });
  async function choose(file: File | undefined) {
    if (file === undefined) return;
    const picture = await readPicture(file);
    setUnreadable(picture === undefined);
    setChosen(picture && { file, ...picture });
  }
  return (
    <div className={styles['cover']}>
      <Artwork url={artwork === null ? null : `${artwork.url}?width=640`} size={280} />
      <div className={styles['beside']}>
        {artwork === null ? (
          <p>
            <Trans>There is no cover yet. Apps and directories require one.</Trans>
          </p>
        ) : (
          <p>
            <Trans>
              {artwork.width} × {artwork.height} pixels
            </Trans>
          </p>
        )}
        <p className="meta">
          <Trans>
            A square JPEG or PNG of 1400 to 3000 pixels. Use few, large words: apps show it very
            small.
          </Trans>
        </p>
        {isUnreadable && <UnreadablePicture />}
        {remove.error !== null && (
          <Notice tone="bad">
            <FailureText error={remove.error} />
          </Notice>
        )}
        <PictureProgress
          target={target}
          prepare={squareOf}
          onReady={() => showMessage({ text: t`The cover was changed.` })}
        />
        {chosen !== undefined && (
          <NewCover
            chosen={chosen}
            onUse={(file) => {
              add(file);
              setChosen(undefined);
            }}
            onCancel={() => setChosen(undefined)}
          />
        )}
        {chosen === undefined && !isBusy && (
          <div className={styles['buttons']}>
            <FileButton
              label={artwork === null ? t`Choose a picture` : t`Choose another picture`}
              accept={pictureTypes}
              onFile={choose}
            />
            {artwork !== null && (
              <Button kind="quiet" isPending={remove.isPending} onPress={remove.save}>
                <Trans>Remove the cover</Trans>
              </Button>
            )}
          </div>
        )}
      </div>
    </div>
  );
}

interface NewCoverProps {
  readonly chosen: Chosen;
  readonly onUse: (file: File) => void;
  readonly onCancel: () => void;
}

function NewCover({ chosen, onUse, onCancel }: NewCoverProps) {
  const [cropped, setCropped] = useState<Blob>();
  const { file } = chosen;
  return (
    <>
      <ChosenPicture chosen={chosen} cropped={cropped} onCrop={setCropped} />
      <div className={styles['buttons']}>
        <Button kind="primary" onPress={() => onUse(cropped ? nameAs(file, cropped) : file)}>
          <Trans>Use this cover</Trans>
        </Button>
        <Button kind="quiet" onPress={onCancel}>
          <Trans>Cancel</Trans>
        </Button>
      </div>
    </>
  );
}
