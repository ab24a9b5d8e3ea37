import { Trans } from '@lingui/react/macro';
import { type DragEvent, useId, useState } from 'react';
import { FileButton } from './file-button.tsx';
import type { UploadTarget } from './upload-item.ts';
import { UploadRow } from './upload-row.tsx';
import styles from './uploads.module.css';
import { useOwnUploads } from './use-own-uploads.ts';

interface Props {
  readonly target: UploadTarget;
  /** What the file is, as in "Choose an audio file". */
  readonly label: string;
  /** Limits and formats. */
  readonly hint: string;
  /** For the browser's own dialog: `audio/*`. The server looks at the content. */
  readonly accept: string;
}

/** A place to drop or choose one file, and how far it has come. */
export function UploadField({ target, label, hint, accept }: Props) {
  const { queue, own, isBusy, add } = useOwnUploads(target);
  const [isOver, setOver] = useState(false);
  const hintId = useId();
  const over = (event: DragEvent, is: boolean) => {
    event.preventDefault();
    setOver(is);
  };
  return (
    <div className={styles['field']}>
      {own.map(
        (item) => queue && <UploadRow key={item.id} item={item} queue={queue} accept={accept} />,
      )}
      {!isBusy && (
        // biome-ignore lint/a11y/noStaticElementInteractions: dropping is a second way beside the button.
        <div
          className={`${styles['drop']} ${isOver ? styles['over'] : ''}`}
          onDragOver={(event) => over(event, true)}
          onDragLeave={(event) => over(event, false)}
          onDrop={(event) => {
            over(event, false);
            add(event.dataTransfer.files[0]);
          }}
        >
          <FileButton label={label} accept={accept} describedBy={hintId} onFile={add} />
          <p className="meta" id={hintId}>
            <Trans>Or drop it here.</Trans> {hint}
          </p>
        </div>
      )}
    </div>
  );
}
