import { useLingui } from '@lingui/react/macro';
import { Deferred } from '../../components/deferred.tsx';
import { useTitle } from '../../lib/use-title.ts';
import { Address } from './address.tsx';
import { Audio } from './audio.tsx';
import { Chapters } from './chapters.tsx';
import { Cover } from './cover.tsx';
import { Details } from './details.tsx';
import { useEditing } from './editing.ts';
import styles from './episode.module.css';
import { Head } from './head.tsx';
import { People } from './people.tsx';
import { Publishing } from './publishing.tsx';
import { SaveBar } from './save-bar.tsx';
import { Sharing } from './sharing.tsx';
import { Texts } from './texts.tsx';
import { Transcript } from './transcript.tsx';

export function EpisodeForm() {
  const { t } = useLingui();
  const { values, show } = useEditing();
  useTitle(values.title.trim() || t`Episode without a title`, show?.title);
  return (
    <div className={styles['screen']}>
      <Head />
      <SaveBar />
      <div className={styles['columns']}>
        <div className={styles['texts']}>
          <Audio />
          <Details />
          <Deferred>
            <Texts />
            <Deferred>
              <Chapters />
              <Transcript />
              <People />
            </Deferred>
          </Deferred>
        </div>
        <aside className={styles['side']} aria-label={t`Publication`}>
          <Publishing />
          <Deferred>
            <Cover />
            <Sharing />
            <Address />
          </Deferred>
        </aside>
      </div>
    </div>
  );
}
