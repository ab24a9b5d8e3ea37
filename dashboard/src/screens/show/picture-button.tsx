import { type ReactNode, useRef } from 'react';
import { Button } from '../../components/button.tsx';

interface Props {
  readonly onChoose: (file: File) => void;
  readonly children: ReactNode;
}

/** Opens the browser's choice of a picture. */
export function PictureButton({ onChoose, children }: Props) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        accept="image/jpeg,image/png,image/webp,image/avif,image/gif"
        hidden
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          // The same file may be chosen again.
          target.value = '';
          if (file !== undefined) onChoose(file);
        }}
      />
      <Button kind="primary" onPress={() => input.current?.click()}>
        {children}
      </Button>
    </>
  );
}
