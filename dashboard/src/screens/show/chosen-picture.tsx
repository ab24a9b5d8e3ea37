import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useRef } from 'react';
import { Button } from '../../components/button.tsx';
import { Notice } from '../../components/notice.tsx';
import { cropToSquare, findFlaws, middleSquare } from '../../lib/square-picture.ts';
import type { Chosen } from './cover.tsx';
import styles from './show.module.css';

interface Props {
  readonly chosen: Chosen;
  /** The square that is used instead. */
  readonly cropped: Blob | undefined;
  readonly onCrop: (square: Blob | undefined) => void;
}

const previewPx = 200;

/** The chosen picture, the problems that directories would have with it, and a way to crop it. */
export function ChosenPicture({ chosen, cropped, onCrop }: Props) {
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
        aria-label={t`The picture that you have chosen`}
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
          <Trans>Covers must be square, at most 3000 pixels.</Trans>
          <div className={styles['buttons']}>
            <Button size="small" onPress={async () => onCrop(await cropToSquare(chosen))}>
              <Trans>Crop to the middle</Trans>
            </Button>
          </div>
        </Notice>
      )}
      {flaws.isSmall && (
        <Notice tone="warn">
          <Trans>
            This picture is smaller than the 1400 pixels that Apple requires. It may look blurred.
          </Trans>
        </Notice>
      )}
    </>
  );
}
