import { Trans } from '@lingui/react/macro';
import { type ReactNode, useEffect, useState } from 'react';
import type { ShowSettings } from '../../api/show-settings.ts';
import { Button } from '../../components/button.tsx';
import { FailureText } from '../../components/failure-text.tsx';
import { Notice } from '../../components/notice.tsx';
import { showMessage } from '../../components/toasts.ts';
import { type Picture, readPicture } from '../../lib/square-picture.ts';
import { FileButton } from '../../uploads/file-button.tsx';
import type { UploadTarget } from '../../uploads/upload-item.ts';
import { UploadRow } from '../../uploads/upload-row.tsx';
import { useOwnUploads } from '../../uploads/use-own-uploads.ts';
import styles from './show.module.css';
import { useShowWrite } from './use-show-write.ts';

export interface ChosenPicture extends Picture {
  readonly file: File;
}

interface Removal<T> {
  /** Writes over this revision of the show. */
  readonly write: (revision: number) => Promise<T>;
  /** What it changes, by the name of the server's conflict. */
  readonly part: string;
  readonly label: string;
  /** For screens with several such buttons. */
  readonly fullLabel?: string;
  /** What is said when it is gone. */
  readonly done: string;
  readonly onRemoved?: (written: T) => void;
}

interface Props<T> {
  readonly show: ShowSettings;
  readonly target: UploadTarget;
  /** Makes the version of a chosen picture that is sent; undefined: it is not a picture. */
  readonly prepare: (file: File) => Promise<File | undefined>;
  readonly chooseLabel: string;
  /** What is said when a new picture is used. */
  readonly changed: string;
  readonly hasPicture: boolean;
  readonly removal: Removal<T>;
  /** Shows the chosen picture until somebody decides; without it, the picture is sent at once. */
  readonly review?: (
    chosen: ChosenPicture,
    /** Undefined: the picture is not used. */
    decide: (file: File | undefined) => void,
  ) => ReactNode;
}

const pictureTypes = 'image/jpeg,image/png,image/webp,image/avif,image/gif';

/** Changes and removes a picture of the show, which is saved at once; its problems and progress. */
export function PictureField<T>(props: Props<T>) {
  const { show, target, prepare, chooseLabel, changed, hasPicture, removal, review } = props;
  const [isUnreadable, setUnreadable] = useState(false);
  const [chosen, setChosen] = useState<ChosenPicture>();
  const { isBusy, add } = useOwnUploads(target);
  const remove = useShowWrite(show, {
    write: removal.write,
    parts: () => [removal.part],
    onSuccess(written) {
      removal.onRemoved?.(written);
      showMessage({ text: removal.done });
    },
  });
  async function choose(file: File | undefined) {
    if (file === undefined) return;
    if (review === undefined) {
      const sent = await prepare(file);
      setUnreadable(sent === undefined);
      add(sent);
      return;
    }
    const picture = await readPicture(file);
    setUnreadable(picture === undefined);
    setChosen(picture && { file, ...picture });
  }
  const decide = (file: File | undefined) => {
    add(file);
    setChosen(undefined);
  };
  return (
    <>
      {isUnreadable && (
        <Notice tone="bad">
          <Trans>Your browser can’t read this file as a picture. Choose a JPEG or PNG.</Trans>
        </Notice>
      )}
      {remove.error !== null && (
        <Notice tone="bad">
          <FailureText error={remove.error} />
        </Notice>
      )}
      <PictureProgress {...{ target, prepare }} onReady={() => showMessage({ text: changed })} />
      {chosen !== undefined && review?.(chosen, decide)}
      {chosen === undefined && !isBusy && (
        <div className={styles['buttons']}>
          <FileButton label={chooseLabel} accept={pictureTypes} onFile={choose} />
          {hasPicture && (
            <Button
              kind="quiet"
              isPending={remove.isPending}
              {...(removal.fullLabel !== undefined && { 'aria-label': removal.fullLabel })}
              onPress={remove.save}
            >
              {removal.label}
            </Button>
          )}
        </div>
      )}
    </>
  );
}

interface ProgressProps extends Pick<Props<unknown>, 'target' | 'prepare'> {
  readonly onReady: () => void;
}

/** The progress of a new picture, and its problems. */
function PictureProgress({ target, prepare, onReady }: ProgressProps) {
  const { queue, own } = useOwnUploads(target);
  const ready = own.find(({ state }) => state.kind === 'ready');
  useEffect(() => {
    if (ready === undefined || queue === undefined) return;
    queue.dismiss(ready.id);
    onReady();
  });
  if (queue === undefined) return null;
  return own
    .filter((item) => item !== ready)
    .map((item) => (
      <UploadRow key={item.id} item={item} queue={queue} accept={pictureTypes} prepare={prepare} />
    ));
}
