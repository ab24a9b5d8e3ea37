import { ImageOff } from 'lucide-react';
import styles from './artwork.module.css';

interface Props {
  readonly url: string | null;
  /** In pixels, of each side. */
  readonly size: number;
}

/** A cover beside its title. Screen readers skip it, because the title says the same. */
export function Artwork({ url, size }: Props) {
  if (url !== null) {
    return <img className={styles['artwork']} src={url} alt="" width={size} height={size} />;
  }
  return (
    <svg
      className={styles['artwork']}
      width={size}
      height={size}
      viewBox="0 0 24 24"
      aria-hidden="true"
    >
      <rect width="24" height="24" className={styles['none']} />
      <ImageOff x="7" y="7" width="10" height="10" />
    </svg>
  );
}
