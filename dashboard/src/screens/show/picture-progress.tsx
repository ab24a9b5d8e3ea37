import { Trans } from '@lingui/react/macro';
import { useEffect } from 'react';
import { Notice } from '../../components/notice.tsx';
import type { UploadTarget } from '../../uploads/upload-item.ts';
import { UploadRow } from '../../uploads/upload-row.tsx';
import { useOwnUploads } from '../../uploads/use-own-uploads.ts';

interface Props {
  readonly target: UploadTarget;
  /** Makes the version of a chosen picture that is sent. */
  readonly prepare: (file: File) => Promise<File | undefined>;
  readonly onReady: () => void;
}

export const pictureTypes = 'image/jpeg,image/png,image/webp,image/avif,image/gif';

/** The progress of a new picture, and its problems. */
export function PictureProgress({ target, prepare, onReady }: Props) {
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

export function UnreadablePicture() {
  return (
    <Notice tone="bad">
      <Trans>Your browser can’t read this file as a picture. Choose a JPEG or PNG.</Trans>
    </Notice>
  );
}
