import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { removeCover, type ShowSettings, setCover } from '../../api/show-settings.ts';
import { uploadPicture } from '../../api/upload-picture.ts';
import { Artwork } from '../../components/artwork.tsx';
import { Button } from '../../components/button.tsx';
import { FailureText } from '../../components/failure-text.tsx';
import { Notice } from '../../components/notice.tsx';
import { showMessage } from '../../components/toasts.ts';
import { type Picture, readPicture } from '../../lib/square-picture.ts';
import { ChosenPicture } from './chosen-picture.tsx';
import { PictureButton } from './picture-button.tsx';
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
  const remove = useShowWrite(show, {
    write: (revision) => removeCover(show.id, revision),
    parts: () => ['artwork'],
    onSuccess: () => showMessage({ text: t`The cover was removed.` }),
  });
  async function choose(file: File) {
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
            A square JPEG or PNG of 1400 to 3000 pixels. It is shown very small, too: few words, and
            large ones.
          </Trans>
        </p>
        {isUnreadable && (
          <Notice tone="bad">
            <Trans>This file is not a picture that browsers can read.</Trans>
          </Notice>
        )}
        {remove.error !== null && (
          <Notice tone="bad">
            <FailureText error={remove.error} />
          </Notice>
        )}
        {chosen === undefined ? (
          <div className={styles['buttons']}>
            <PictureButton onChoose={choose}>
              {artwork === null ? t`Choose a picture` : t`Choose another picture`}
            </PictureButton>
            {artwork !== null && (
              <Button kind="quiet" isPending={remove.isPending} onPress={remove.save}>
                <Trans>Remove the cover</Trans>
              </Button>
            )}
          </div>
        ) : (
          <NewCover show={show} chosen={chosen} onDone={() => setChosen(undefined)} />
        )}
      </div>
    </div>
  );
}

interface NewCoverProps {
  readonly show: ShowSettings;
  readonly chosen: Chosen;
  readonly onDone: () => void;
}

function NewCover({ show, chosen, onDone }: NewCoverProps) {
  const { t } = useLingui();
  const [used, setUsed] = useState<Blob>();
  const save = useShowWrite(show, {
    async write(revision) {
      const file = used ?? chosen.file;
      const uploadId = await uploadPicture({ podcastId: show.id, file, name: chosen.file.name });
      return await setCover(show.id, revision, uploadId);
    },
    parts: () => ['artwork'],
    onSuccess() {
      showMessage({ text: t`The cover was changed.` });
      onDone();
    },
  });
  return (
    <>
      {save.error !== null && (
        <Notice tone="bad">
          <FailureText error={save.error} />
        </Notice>
      )}
      <ChosenPicture chosen={chosen} cropped={used} onCrop={setUsed} />
      <div className={styles['buttons']}>
        <Button kind="primary" isPending={save.isPending} onPress={save.save}>
          <Trans>Use this cover</Trans>
        </Button>
        <Button kind="quiet" onPress={onDone}>
          <Trans>Cancel</Trans>
        </Button>
      </div>
    </>
  );
}
