import { Upload as UploadIcon } from 'lucide-react';
import styles from './uploads.module.css';

interface FileButtonProps {
  readonly label: string;
  readonly accept: string;
  readonly describedBy?: string;
  readonly onFile: (file: File | undefined) => void;
}

/** The browser's own file input, which works with keyboards and screen readers. */
export function FileButton({ label, accept, describedBy, onFile }: FileButtonProps) {
  return (
    <label className={styles['button']}>
      <UploadIcon size={18} aria-hidden="true" />
      {label}
      <input
        className="unseen"
        type="file"
        accept={accept}
        aria-describedby={describedBy}
        onChange={({ currentTarget }) => {
          onFile(currentTarget.files?.[0]);
          // The same file may be chosen again.
          currentTarget.value = '';
        }}
      />
    </label>
  );
}
