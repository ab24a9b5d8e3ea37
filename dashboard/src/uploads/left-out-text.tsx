import { Plural } from '@lingui/react/macro';
import type { UploadResult } from './upload-item.ts';

/** Which parts of a file were not used. Nothing if all were. */
export function LeftOutText({ leftOut }: Pick<UploadResult, 'leftOut'>) {
  if (leftOut === undefined || leftOut.count === 0) return null;
  const { count, examples } = leftOut;
  return (
    <>
      <Plural
        value={count}
        one="# part of the file couldn’t be used:"
        other="# parts of the file couldn’t be used:"
      />{' '}
      {examples.map((example, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes.
        <span key={index}>
          <q dir="auto">{example}</q>{' '}
        </span>
      ))}
      {count > examples.length && '…'}
    </>
  );
}
