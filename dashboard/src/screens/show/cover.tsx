import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState } from 'react';
import { artworkPx } from '../../../../server/src/lib/limits.ts';
import { removeCover, type ShowSettings } from '../../api/show-settings.ts';
import { Artwork } from '../../components/artwork.tsx';
import { Button } from '../../components/button.tsx';
import { Notice } from '../../components/notice.tsx';
import {
  cropToSquare,
  findFlaws,
  middleSquare,
  nameAs,
  squareOf,
} from '../../lib/square-picture.ts';
import { type ChosenPicture, PictureField } from './picture-field.tsx';
import styles from './show.module.css';
import { ShowPage } from './show-page.tsx';

/** The show's cover. */
export function Cover() {
  const { t } = useLingui();
  return (
    <ShowPage title={t`Cover`} needs={({ edit }) => edit}>
      {(show) => <CoverOf show={show} />}
    </ShowPage>
  );
}

const { min, max } = artworkPx;

function CoverOf({ show }: { readonly show: ShowSettings }) {
  const { t } = useLingui();
  const { artwork } = show;
  return (
    <div className={styles['cover']}>
      <Artwork url={artwork === null ? null : `${artwork.url}?width=640`} size={280} />
      <div className={styles['beside']}>
        {artwork === null ? (
          <p>
            <Trans>There’s no cover yet. Apps and directories require one.</Trans>
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
            A square JPEG or PNG, {min} to {max} pixels a side. Use few words in large type: apps
            show it very small.
          </Trans>
        </p>
        <PictureField
          show={show}
          target={{ purpose: 'image', podcastId: show.id, episodeId: null }}
          prepare={squareOf}
          chooseLabel={artwork === null ? t`Choose a picture` : t`Choose another picture`}
          changed={t`The cover was changed.`}
          hasPicture={artwork !== null}
          removal={{
            write: (revision) => removeCover(show.id, revision),
            part: 'artwork',
            label: t`Remove cover`,
            done: t`The cover was removed.`,
          }}
          review={(chosen, decide) => <NewCover chosen={chosen} onDecide={decide} />}
        />
      </div>
    </div>
  );
}

interface NewCoverProps {
  readonly chosen: ChosenPicture;
  readonly onDecide: (file: File | undefined) => void;
}

function NewCover({ chosen, onDecide }: NewCoverProps) {
  const [cropped, setCropped] = useState<Blob>();
  const { file } = chosen;
  return (
    <>
      <CheckedPicture chosen={chosen} cropped={cropped} onCrop={setCropped} />
      <div className={styles['buttons']}>
        <Button kind="primary" onPress={() => onDecide(cropped ? nameAs(file, cropped) : file)}>
          <Trans>Use this cover</Trans>
        </Button>
        <Button kind="quiet" onPress={() => onDecide(undefined)}>
          <Trans>Cancel</Trans>
        </Button>
      </div>
    </>
  );
}

interface CheckedPictureProps {
  readonly chosen: ChosenPicture;
  /** The square that is used instead. */
  readonly cropped: Blob | undefined;
  readonly onCrop: (square: Blob | undefined) => void;
}

const previewPx = 200;

/** The chosen picture, the problems that directories would have with it, and a way to crop it. */
function CheckedPicture({ chosen, cropped, onCrop }: CheckedPictureProps) {
  const { t } = useLingui();
  const canvas = useRef<HTMLCanvasElement>(null);
  const { bitmap, width, height } = chosen;
  const flaws = findFlaws(chosen);
  const { left, top, side, drawnSide } = middleSquare(chosen);
  const isMendable = flaws.isNotSquare || flaws.isLarge;
  useEffect(() => {
    const drawing = canvas.current?.getContext('2d');
    drawing?.clearRect(0, 0, previewPx, previewPx);
    if (cropped !== undefined) {
      drawing?.drawImage(bitmap, left, top, side, side, 0, 0, previewPx, previewPx);
      return;
    }
    const scale = previewPx / Math.max(width, height);
    const [drawnWidth, drawnHeight] = [width * scale, height * scale];
    const x = (previewPx - drawnWidth) / 2;
    drawing?.drawImage(bitmap, x, (previewPx - drawnHeight) / 2, drawnWidth, drawnHeight);
  }, [bitmap, cropped, left, top, side, width, height]);
  return (
    <>
      <canvas
        ref={canvas}
        width={previewPx}
        height={previewPx}
        role="img"
        aria-label={t`The picture you chose`}
      />
      <p className="meta">
        {cropped === undefined ? (
          <Trans>
            {width} × {height} pixels
          </Trans>
        ) : (
          <Trans>
            Cropped to {drawnSide} × {drawnSide} pixels
          </Trans>
        )}
      </p>
      {cropped === undefined && isMendable && (
        <Notice tone="warn">
          <Trans>Covers must be square, at most {max} pixels a side.</Trans>
          <div className={styles['buttons']}>
            <Button size="small" onPress={async () => onCrop(await cropToSquare(chosen))}>
              <Trans>Crop to center</Trans>
            </Button>
          </div>
        </Notice>
      )}
      {flaws.isSmall && (
        <Notice tone="warn">
          <Trans>
            This picture is smaller than the {min} pixels Apple requires. It may look blurry.
          </Trans>
        </Notice>
      )}
    </>
  );
}
