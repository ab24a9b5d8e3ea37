import { Trans, useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  peopleQuery,
  removePhoto,
  type ShowPerson,
  type ShowSettings,
} from '../../api/show-settings.ts';
import { Artwork } from '../../components/artwork.tsx';
import { Button } from '../../components/button.tsx';
import { FailureText } from '../../components/failure-text.tsx';
import { Notice } from '../../components/notice.tsx';
import { showMessage } from '../../components/toasts.ts';
import { squareOf } from '../../lib/square-picture.ts';
import { FileButton } from '../../uploads/file-button.tsx';
import { useOwnUploads } from '../../uploads/use-own-uploads.ts';
import { PictureProgress, pictureTypes, UnreadablePicture } from './picture-progress.tsx';
import styles from './show.module.css';
import { useShowWrite } from './use-show-write.ts';

interface Props {
  readonly show: ShowSettings;
  /** The saved values; undefined: the person is not saved yet. */
  readonly person: ShowPerson | undefined;
}

/** A person's photo, which is saved at once. */
export function PersonPhoto({ show, person }: Props) {
  if (person !== undefined) return <PhotoOf show={show} person={person} />;
  return (
    <p className="meta">
      <Trans>Save the list first, then add a photo.</Trans>
    </p>
  );
}

function PhotoOf({ show, person }: Props & { readonly person: ShowPerson }) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const [isUnreadable, setUnreadable] = useState(false);
  const { id: personId, name, photo } = person;
  const target = { purpose: 'image', podcastId: show.id, episodeId: null, personId } as const;
  const { isBusy, add } = useOwnUploads(target);
  const remove = useShowWrite(show, {
    write: (revision) => removePhoto(show.id, personId, revision),
    parts: () => ['people'],
    onSuccess(written) {
      queries.setQueryData(peopleQuery(show.id).queryKey, written);
      showMessage({ text: t`The photo was removed.` });
    },
  });
  async function choose(file: File | undefined) {
    if (file === undefined) return;
    const square = await squareOf(file);
    setUnreadable(square === undefined);
    add(square);
  }
  return (
    <div className={styles['photo']}>
      <Artwork url={photo === null ? null : `${photo.url}?width=160`} size={64} />
      <div className={styles['beside']}>
        {isUnreadable && <UnreadablePicture />}
        {remove.error !== null && (
          <Notice tone="bad">
            <FailureText error={remove.error} />
          </Notice>
        )}
        <PictureProgress
          target={target}
          prepare={squareOf}
          onReady={() => showMessage({ text: t`The photo was changed.` })}
        />
        {!isBusy && (
          <div className={styles['buttons']}>
            <FileButton
              label={photo === null ? t`Choose a photo` : t`Choose another photo`}
              accept={pictureTypes}
              onFile={choose}
            />
            {photo !== null && (
              <Button
                kind="quiet"
                isPending={remove.isPending}
                aria-label={t`Remove the photo: ${name}`}
                onPress={remove.save}
              >
                <Trans>Remove</Trans>
              </Button>
            )}
          </div>
        )}
      </div>
    </div>
  );
}
